import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { deliveriesTopic } from '../../../src/delivery/topics.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { readRelayCheckpoint } from '../../../src/runtime/relay/relay-checkpoint.ts';
import { createGate } from '../../contract/message-bus/recorder.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { created, openRelayWorld, pair, type RelayWorld } from './relay-world.ts';

let world: RelayWorld;

beforeEach(async () => {
  world = await openRelayWorld();
  await world.webhook('one', created());
});

afterEach(() => world.close());

describe('the lease', () => {
  it('lets one relay work, and the other when that one closes', async () => {
    const first = world.start({ holder: 'a' });
    await world.announce(1);
    await world.caughtUp(first);
    let asked = 0;
    const { leases } = world.ops;
    const watched = {
      ...world.ops,
      leases: {
        ...leases,
        acquire: (...given: Parameters<typeof leases.acquire>) => {
          asked += 1;
          return leases.acquire(...given);
        },
      },
    };
    const second = world.start({ holder: 'b', ops: watched });
    await eventually('the second has asked for it and not got it', () => asked > 2);
    await world.announce(2);
    await world.caughtUp(first);
    expect(second.position()).toBe(0);
    expect([first.ownPosition(), second.ownPosition()]).toEqual([first.position(), null]);
    await first.close();
    await world.announce(3);
    await world.caughtUp(second);
    expect(await world.deliveries()).toEqual([1, 2, 3].map((name) => pair(name, 'one')));
  });

  it('is kept for as long as one relays', async () => {
    const clock = createFakeClock();
    const ops = await world.openOps(clock);
    let renewed = 0;
    const counting: OperationalStore = {
      ...ops,
      leases: {
        ...ops.leases,
        renew: (lease, ttlMs) => ops.leases.renew(lease, ttlMs).finally(() => (renewed += 1)),
      },
    };
    await world.caughtUp(world.start({ clock, ops: counting }));
    for (let round = 1; round <= 5; round += 1) {
      clock.advance(4_000);
      await eventually('it was renewed', () => renewed === round);
      expect(await ops.leases.acquire('relay', 'b', 1)).toBeNull();
    }
  });

  it('lets nobody save who has lost it', async () => {
    const gate = createGate();
    const held: Pick<MessageBus, 'produce'> = {
      produce: async (topic, messages) => {
        if (topic === deliveriesTopic) await gate.passed;
        await world.bus.produce(topic, messages);
      },
    };
    const slow = world.start({ clock: systemClock, bus: held });
    await eventually('it has begun', () => slow.position() > 0);
    const before = await readRelayCheckpoint(world.ops);
    await world.announce(1);
    // For a clock that is an hour ahead the lease has run out.
    const ahead = await world.openOps({ ...systemClock, nowMs: () => systemClock.nowMs() + 3_600_000 });
    const taken = await ahead.leases.acquire('relay', 'b', 3_600_000);
    expect(taken).not.toBeNull();
    gate.open();
    await eventually('it has produced', async () => (await world.deliveries()).length === 1);
    await slow.close();
    expect(await readRelayCheckpoint(world.ops)).toEqual(before);
    expect(slow.position()).toBe(before?.position);
    await ahead.leases.release(taken!);
    await world.relayAll({ holder: 'c' });
    expect(await world.deliveries()).toEqual([pair(1, 'one'), pair(1, 'one')]);
  });

  it('is taken over from one that was killed', async () => {
    const ahead = await world.openOps({ ...systemClock, nowMs: () => systemClock.nowMs() + 11_000 });
    await world.ops.leases.acquire('relay', 'killed', 10_000);
    await world.announce(1);
    await world.relayAll({ holder: 'b', ops: ahead });
    expect(await world.deliveries()).toEqual([pair(1, 'one')]);
  });

  it('is not needed to close, not even twice', async () => {
    const lease = await world.ops.leases.acquire('relay', 'somebody', 60_000);
    const relay = world.start({ clock: systemClock });
    await Promise.all([relay.close(), relay.close()]);
    await relay.done;
    await world.ops.leases.release(lease!);
  });
});
