import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryEventsTopic } from '../../../src/delivery/topics.ts';
import type { Backend } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import type { OperationalChange, OperationalStore } from '../../../src/ports/operational-store.ts';
import { readRelayCheckpoint, relayPosition } from '../../../src/runtime/relay/relay-checkpoint.ts';
import type { RelayDeps } from '../../../src/runtime/relay/relay.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createOutage, type Outage } from '../../spec/servers/outage.ts';
import { created, deleted, openRelayWorld, pair, type RelayWorld } from './relay-world.ts';

let world: RelayWorld;

beforeEach(async () => {
  world = await openRelayWorld();
});

afterEach(() => world.close());

/** The operational store, with what happens before each transaction. */
const withTransact = (before: (changes: readonly OperationalChange[]) => void): OperationalStore => ({
  ...world.ops,
  transact: async (changes, lease) => {
    before(changes);
    return world.ops.transact(changes, lease);
  },
});

describe('a relay that starts again', () => {
  it('goes on behind what it has relayed', async () => {
    await world.webhook('one', created());
    await world.announce(1);
    await world.relayAll();
    await world.announce(2);
    await world.relayAll({ holder: 'b' });
    await world.relayAll();
    expect(await world.deliveries()).toEqual([pair(1, 'one'), pair(2, 'one')]);
    expect(await world.on(registryEventsTopic)).toHaveLength(2);
    expect(await relayPosition(world.ops)).toBe(await world.store.head());
  });

  it('repeats what it had produced but not saved, and loses nothing', async () => {
    await world.webhook('one', created());
    await world.announce(1);
    await world.relayAll();
    await world.announce(2);
    let failures = 1;
    const forgetful = withTransact(() => {
      if ((failures -= 1) >= 0) throw new Error('killed');
    });
    await world.relayAll({ ops: forgetful });
    expect(await world.deliveries()).toEqual([pair(1, 'one'), pair(2, 'one'), pair(2, 'one')]);
    expect(world.log.lines).toEqual([{ level: 'error', sentence: 'relaying failed and is tried again' }]);
  });

  it('knows no subscription whose event it has not passed', async () => {
    await world.webhook('one', created());
    await world.relayAll();
    await world.announce(1);
    await world.webhook('two', created());
    await world.webhook('one', deleted);
    let failures = 3;
    const forgetful = withTransact(() => {
      if ((failures -= 1) >= 0) throw new Error('killed');
    });
    await world.relayAll({ ops: forgetful });
    expect(new Set(await world.deliveries())).toEqual(new Set([pair(1, 'one')]));
  });

  it('saves what changed together with how far it is', async () => {
    const saved: (readonly OperationalChange[])[] = [];
    await world.relayAll();
    const shown = withTransact((changes) => void saved.push(changes));
    await world.webhook('one', created());
    await world.webhook('one', deleted);
    const position = await world.webhook('two', created());
    await world.relayAll({ ops: shown });
    expect(saved.map((changes) => changes.map(({ kind, collection }) => `${kind} ${collection}`))).toEqual([
      ['delete relay-subscriptions', 'put relay-subscriptions', 'put checkpoints'],
    ]);
    expect(await readRelayCheckpoint(world.ops)).toMatchObject({ position, generation: 1 });
  });

  it('publishes everything when none has ever run', async () => {
    for (const name of [1, 2, 3]) await world.announce(name);
    expect(await readRelayCheckpoint(world.ops)).toBeNull();
    await world.relayAll();
    expect(await world.on(registryEventsTopic)).toHaveLength(3);
  });
});

describe('events that concern nobody', () => {
  const passing = { type: 'TokenRevoked.v1', data: { revokedAt: '2026-01-01T00:00:00.000Z' } };

  it('move the checkpoint only now and then', async () => {
    const clock = createFakeClock();
    let saved = 0;
    const relay = world.start({ clock, ops: withTransact(() => void (saved += 1)) });
    await world.announce(1);
    await world.caughtUp(relay);
    const [savedBefore, positionBefore] = [saved, await relayPosition(world.ops)];
    for (const name of ['a', 'b', 'c']) {
      await world.append(`token-${name}`, passing);
      await world.caughtUp(relay);
    }
    expect([saved, await relayPosition(world.ops)]).toEqual([savedBefore, positionBefore]);
    clock.advance(10_000);
    const last = await world.append('token-d', passing);
    await world.caughtUp(relay);
    expect([saved, await relayPosition(world.ops)]).toEqual([savedBefore + 1, last]);
  });
});

describe('a back end that is away', () => {
  const cutOff: Readonly<Record<string, [Backend, (outage: Outage) => Partial<RelayDeps>]>> = {
    bus: ['Kafka', (outage) => ({ bus: outage.over(world.bus) })],
    'operational store': ['MongoDB', (outage) => ({ ops: outage.over(world.ops) })],
    'read models': [
      'MongoDB',
      (outage) => ({
        waitForReadModels: outage.over({ wait: async () => true }).wait,
      }),
    ],
  };

  it.each(Object.keys(cutOff))('loses nothing and is told of once at either end: %s', async (name) => {
    const [backend, over] = cutOff[name]!;
    const outage = createOutage(backend);
    await world.webhook('one', created());
    const relay = world.start(over(outage));
    await world.announce('before');
    await world.caughtUp(relay);
    outage.begin();
    await world.announce('during');
    await world.webhook('two', created());
    await world.announce('during2');
    await eventually('it has tried again and again', () => outage.met() > 5);
    outage.end();
    await world.announce('after');
    await world.caughtUp(relay);
    const expected = [
      pair('before', 'one'),
      pair('during', 'one'),
      pair('during2', 'one'),
      pair('during2', 'two'),
      pair('after', 'one'),
      pair('after', 'two'),
    ];
    expect([...new Set(await world.deliveries())]).toEqual(expected.sort());
    expect(world.log.lines).toEqual([
      { level: 'warn', sentence: `relaying waits: ${backend} cannot be reached` },
      { level: 'info', sentence: 'relaying goes on' },
    ]);
  });

  it('keeps a new generation waiting when it is the event store', async () => {
    await world.webhook('one', created());
    await world.relayAll({ generation: 1 });
    await world.announce(1);
    const outage = createOutage('EventStoreDB');
    outage.begin();
    const { readAll } = outage.over(world.store);
    const relay = world.start({ generation: 2, store: { ...world.store, readAll } });
    await eventually('it has tried again and again', () => outage.met() > 5);
    outage.end();
    await world.caughtUp(relay);
    expect(await world.deliveries()).toEqual([pair(1, 'one')]);
    expect(world.log.lines).toEqual([
      { level: 'warn', sentence: 'relaying waits: EventStoreDB cannot be reached' },
      { level: 'info', sentence: 'relaying goes on' },
    ]);
  });

  it('is told of when the event store drops the connection', async () => {
    let drop = (): void => {};
    const dropping: EventStore = {
      ...world.store,
      subscribe: (options) => {
        drop = () => options.onDrop?.(new Error('dropped'));
        return world.store.subscribe(options);
      },
    };
    const relay = world.start({ store: dropping });
    await world.announce(1);
    await world.caughtUp(relay);
    drop();
    drop();
    await world.announce(2);
    await world.caughtUp(relay);
    expect(world.log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});

describe('a failure that is no outage', () => {
  it('is told and tried again', async () => {
    let failures = 3;
    const reluctant: Pick<MessageBus, 'produce'> = {
      produce: async (topic, messages) => {
        if ((failures -= 1) >= 0) throw new Error('a topic is not there');
        await world.bus.produce(topic, messages);
      },
    };
    await world.webhook('one', created());
    await world.announce(1);
    await world.relayAll({ bus: reluctant });
    expect(await world.deliveries()).toEqual([pair(1, 'one')]);
    expect(world.log.lines.map(({ level }) => level)).toEqual(['error', 'error', 'error']);
  });
});
