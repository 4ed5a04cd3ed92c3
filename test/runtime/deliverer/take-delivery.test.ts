import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { deliveryIdOf, newDelivery } from '../../../src/delivery/delivery-state.ts';
import type { DeliveryMessage } from '../../../src/delivery/message.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import type { DeliveryPlan } from '../../../src/runtime/deliverer/delivery-plan.ts';
import { createTakeDelivery } from '../../../src/runtime/deliverer/take-delivery.ts';
import { eventually } from '../../spec/eventually.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

const plan: DeliveryPlan = { kind: 'skip', errorCode: 'disabled' };

/** One member of the group. */
const member = (transact: OperationalStore['transact'] = world.ops.transact) => {
  const take = createTakeDelivery({
    ops: { transact },
    deliveries: world.collections.deliveries,
    planOf: async () => plan,
    clock: systemClock,
    leaseMs: 60_000,
  });
  return (message: DeliveryMessage) => take(message, false);
};

const messageOf = (name: string) => {
  const ids = { eventId: derivedId('evt', name), webhookId: derivedId('whk', name), releaseId: derivedId('rel', name) };
  return newDelivery({ ...ids, nowMs: systemClock.nowMs() }).message;
};

it('lets one member make an attempt that several were handed at once', async () => {
  const members = [member(), member(), member()];
  const message = messageOf('one');
  const taken = await Promise.all(members.map((take) => take(message)));
  expect(taken.map(({ kind }) => kind).sort()).toEqual(['begun', 'later', 'later']);
});

it('has written that the attempt is being made before anybody makes it', async () => {
  const message = messageOf('one');
  expect(await member()(message)).toMatchObject({ kind: 'begun', begun: { revision: 1 } });
  const stored = await world.collections.deliveries.get(deliveryIdOf(message.eventId, message.webhookId));
  expect(stored).toMatchObject({ revision: 1, doc: { phase: 'sending', attempt: 1 } });
});

it('makes no attempt that could not be written down', async () => {
  const take = member(() => Promise.reject(new Error('the disk is full')));
  await expect(take(messageOf('one'))).rejects.toThrow('the disk is full');
});

it('gives an attempt its whole time from when it is written, however long the write has waited', async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const take = member(async (changes) => {
    await gate;
    return world.ops.transact(changes);
  });
  const first = take(messageOf('one'));
  const message = messageOf('two');
  const second = take(message);
  const queuedMs = systemClock.nowMs();
  await eventually('time has passed', () => systemClock.nowMs() > queuedMs + 50);
  const openedMs = systemClock.nowMs();
  open();
  expect(await Promise.all([first, second])).toMatchObject([{ kind: 'begun' }, { kind: 'begun' }]);
  expect((await world.stateOf(message))?.leaseUntilMs).toBeGreaterThanOrEqual(openedMs + 60_000);
});
