import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { deliveriesTopic, registryEventsTopic } from '../../../src/delivery/topics.ts';
import { createReadModelsGate } from '../../../src/runtime/relay/read-models-gate.ts';
import { createGate } from '../../contract/message-bus/recorder.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { created, openRelayWorld, pair, type RelayWorld } from './relay-world.ts';

/** Read models that are where the test puts them; a wait that is in vain takes no time but is counted. */
function createReadModels() {
  let position = 0;
  let waitedMs = 0;
  return {
    moveTo: (to: number) => {
      position = to;
    },
    /** How long it was waited in vain since it was asked the last time. */
    takeWaitedMs: () => {
      const took = waitedMs;
      waitedMs = 0;
      return took;
    },
    deps: {
      waitForReadModels: async (wanted: number, timeoutMs: number) => {
        if (position >= wanted) return true;
        waitedMs += timeoutMs;
        return false;
      },
      readModelsPosition: async () => position,
    },
  };
}

const never = new AbortController().signal;

describe('the wait for the read models', () => {
  it('takes no longer than they do', async () => {
    const log = createKeptLog();
    const readModels = createReadModels();
    const pass = createReadModelsGate({ ...readModels.deps, log });
    readModels.moveTo(10);
    await pass(10, never);
    expect(readModels.takeWaitedMs()).toBe(0);
    expect(log.lines).toEqual([]);
  });

  it('runs out once, and again only when they have moved since', async () => {
    const log = createKeptLog();
    const readModels = createReadModels();
    const pass = createReadModelsGate({ ...readModels.deps, log });
    await pass(10, never);
    expect(readModels.takeWaitedMs()).toBe(5_000);
    for (const position of [11, 12, 13]) await pass(position, never);
    expect(readModels.takeWaitedMs()).toBe(0);
    expect(log.lines).toHaveLength(1);
    readModels.moveTo(5);
    await pass(14, never);
    expect(readModels.takeWaitedMs()).toBe(5_000);
    await pass(15, never);
    expect(readModels.takeWaitedMs()).toBe(0);
    readModels.moveTo(16);
    await pass(16, never);
    expect(readModels.takeWaitedMs()).toBe(0);
    await pass(17, never);
    expect(readModels.takeWaitedMs()).toBe(5_000);
    expect(log.lines).toHaveLength(3);
  });

  it('ends with whoever waits', async () => {
    const log = createKeptLog();
    const stop = new AbortController();
    let waits = 0;
    const pass = createReadModelsGate({
      waitForReadModels: async () => {
        if ((waits += 1) === 2) stop.abort();
        return false;
      },
      readModelsPosition: async () => 0,
      log,
    });
    await pass(1, stop.signal);
    expect(waits).toBe(2);
    expect(log.lines).toEqual([]);
  });
});

describe('a relay beside read models', () => {
  let world: RelayWorld;
  beforeEach(async () => {
    world = await openRelayWorld();
  });
  afterEach(() => world.close());

  it('announces what they show, and asks for no more than the last announcement', async () => {
    const readModels = createReadModels();
    const asked: number[] = [];
    let produced = 0;
    const bus = {
      produce: async (topic: string, messages: Parameters<typeof world.bus.produce>[1]) => {
        produced += 1;
        await world.bus.produce(topic, messages);
      },
    };
    await world.webhook('one', created());
    const announcedAt = await world.announce(1);
    await world.append(`org-org_${'A'.repeat(21)}`, { type: 'OrgHidden.v1', data: { hiddenAt: 'now' } });
    const relay = world.start({
      bus,
      waitForReadModels: async (position, timeoutMs) => {
        asked.push(position);
        expect(produced).toBe(0);
        if (asked.length === 3) readModels.moveTo(announcedAt);
        return readModels.deps.waitForReadModels(position, timeoutMs);
      },
      readModelsPosition: readModels.deps.readModelsPosition,
    });
    await world.caughtUp(relay);
    expect(asked).toEqual([announcedAt, announcedAt, announcedAt]);
    expect(await world.deliveries()).toEqual([pair(1, 'one')]);
  });

  it('announces all the same when they stand still, and does not wait again', async () => {
    const readModels = createReadModels();
    await world.webhook('one', created());
    const relay = world.start(readModels.deps);
    for (const name of [1, 2, 3]) {
      await world.announce(name);
      await world.caughtUp(relay);
    }
    expect(readModels.takeWaitedMs()).toBe(5_000);
    expect(await world.deliveries()).toEqual([1, 2, 3].map((name) => pair(name, 'one')));
  });

  it('does not wait where nothing is announced', async () => {
    await world.append(`org-org_${'A'.repeat(21)}`, { type: 'OrgHidden.v1', data: { hiddenAt: 'now' } });
    await world.relayAll({ waitForReadModels: () => Promise.reject(new Error('nobody was to ask')) });
    expect(await world.on(registryEventsTopic)).toHaveLength(1);
  });

  it('is closed while it waits, and has sent nothing', async () => {
    const gate = createGate();
    let waits = 0;
    const relay = world.start({
      clock: systemClock,
      waitForReadModels: async () => {
        waits += 1;
        await gate.passed;
        await systemClock.sleep(1);
        return false;
      },
      readModelsPosition: async () => 0,
    });
    await world.webhook('one', created());
    await world.announce(1);
    await eventually('it waits', () => waits > 0);
    const closed = relay.close();
    gate.open();
    await closed;
    expect(waits).toBeLessThan(20);
    expect([await world.on(deliveriesTopic), await world.on(registryEventsTopic)]).toEqual([[], []]);
    await world.relayAll();
    expect(await world.deliveries()).toEqual([pair(1, 'one')]);
  });
});
