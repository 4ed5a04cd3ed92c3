import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDelivery } from '../../../src/delivery/delivery-state.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import {
  deliveriesDeclaration,
  deliveryChange,
  openDeliveries,
} from '../../../src/records/delivery/delivery-documents.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../runtime/deliverer/delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

it('is stored under the names that other versions read, and read as it was', async () => {
  const ids = { eventId: derivedId('evt', 'a'), webhookId: derivedId('whk', 'a'), releaseId: derivedId('rel', 'a') };
  const { document } = newDelivery({ ...ids, nowMs: Date.now() });
  await world.ops.transact([deliveryChange(document, 0)]);
  const stored = await (await world.ops.collection<Document>(deliveriesDeclaration)).get(document.id);
  const { webhookId: subscriptionId, ...rest } = document;
  expect(stored?.doc).toEqual({ ...rest, subscriptionId });
  const deliveries = await openDeliveries(world.ops);
  const read = { doc: document, revision: 1 };
  expect(await deliveries.get(document.id)).toEqual(read);
  expect(await deliveries.getMany([document.id])).toEqual([read]);
  expect(await deliveries.query({ index: 'byDue', equals: { phase: 'due' }, limit: 10 })).toEqual([read]);
});
