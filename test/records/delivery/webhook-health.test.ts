import { afterEach, beforeEach, expect, it } from 'vitest';
import { derivedId } from '../../../src/kernel/ids.ts';
import {
  openWebhookHealths,
  untriedHealth,
  webhookHealthDeclaration,
} from '../../../src/records/delivery/webhook-health.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../runtime/deliverer/delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

const one = { ...untriedHealth(derivedId('whk', 'one')), consecutiveFailures: 2, lastError: 'try later' };
const other = { ...untriedHealth(derivedId('whk', 'other')), lastSuccessAtMs: 1 };

it('answers in the order it is asked, forgets one webhook and keeps the others', async () => {
  const healths = await openWebhookHealths(world.ops);
  for (const doc of [one, other]) {
    await world.ops.transact([{ kind: 'put', collection: webhookHealthDeclaration.name, doc }]);
  }
  expect(await healths.getMany([other.id, 'untried', one.id])).toEqual([other, untriedHealth('untried'), one]);
  await healths.remove(one.id);
  expect(await healths.getMany([one.id, other.id])).toEqual([untriedHealth(one.id), other]);
  await healths.remove(one.id); // twice is as good as once
});
