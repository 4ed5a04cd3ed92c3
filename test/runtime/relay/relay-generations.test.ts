import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryEventsTopic } from '../../../src/delivery/topics.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { readRelayCheckpoint } from '../../../src/runtime/relay/relay-checkpoint.ts';
import { eventually } from '../../spec/eventually.ts';
import { created, deleted, disabled, idOf, openRelayWorld, pair, type RelayWorld } from './relay-world.ts';

let world: RelayWorld;

beforeEach(async () => {
  world = await openRelayWorld();
  await world.webhook('stays', created());
  await world.webhook('left', created());
  await world.webhook('gone', created());
  await world.announce(1);
  await world.webhook('left', deleted);
  await world.webhook('gone', disabled);
  await world.relayAll({ generation: 1 });
});

afterEach(() => world.close());

const atFirst = ['gone', 'left', 'stays'].map((name) => pair(1, name));

const storedIds = async (): Promise<string[]> => {
  const collection = await world.ops.collection<Document>({ name: 'relay-subscriptions', indexes: {} });
  return (await collection.scan('', 5_000)).map(({ doc }) => doc.id);
};
const storedAs = (generation: number, ...names: string[]) =>
  names.map((name) => `${generation}:${idOf('whk', name)}`).sort();

/** Fails with every transaction after so many. */
const dyingAfter = (transactions: number): { readonly ops: OperationalStore; readonly isDead: () => boolean } => {
  let left = transactions;
  const ops: OperationalStore = {
    ...world.ops,
    transact: async (changes, lease) => {
      if ((left -= 1) < 0) throw new Error('killed');
      return world.ops.transact(changes, lease);
    },
  };
  return { ops, isDead: () => left < 0 };
};

describe('a new generation', () => {
  it('publishes nothing again, matches as before and leaves nothing of the old one', async () => {
    expect(await storedIds()).toEqual(storedAs(1, 'gone', 'stays'));
    await world.relayAll({ generation: 2 });
    expect(await storedIds()).toEqual(storedAs(2, 'gone', 'stays'));
    expect(await readRelayCheckpoint(world.ops)).toMatchObject({ generation: 2 });
    await world.announce(2);
    await world.relayAll({ generation: 2 });
    expect(await world.deliveries()).toEqual([...atFirst, pair(2, 'stays')]);
    expect(await world.on(registryEventsTopic)).toHaveLength(2);
  });

  it('takes no subscription from behind the checkpoint', async () => {
    await world.announce(2);
    await world.webhook('late', created());
    await world.webhook('stays', deleted);
    await world.announce(3);
    await world.relayAll({ generation: 2 });
    expect(await world.deliveries()).toEqual([...atFirst, pair(2, 'stays'), pair(3, 'late')]);
  });

  it.each([0, 1, 2])('is begun again when it was killed after %d transactions', async (transactions) => {
    const { ops, isDead } = dyingAfter(transactions);
    const killed = world.start({ generation: 2, ops });
    await eventually('it was killed', isDead);
    await killed.close();
    // Meanwhile an older process goes on, and what the killed one had filled grows stale.
    const isSwitched = (await readRelayCheckpoint(world.ops))?.generation === 2;
    expect(isSwitched).toBe(transactions === 2);
    await world.webhook('stays', disabled);
    await world.webhook('gone', deleted);
    await world.webhook('late', created());
    if (!isSwitched) await world.relayAll({ generation: 1 });
    await world.relayAll({ generation: 2 });
    expect(await storedIds()).toEqual(storedAs(2, 'late', 'stays'));
    await world.announce(2);
    await world.relayAll({ generation: 2 });
    expect(await world.deliveries()).toEqual([...atFirst, pair(2, 'late')]);
    expect(await world.on(registryEventsTopic)).toHaveLength(2);
  });

  it('gives way to an older one that runs after it', async () => {
    await world.relayAll({ generation: 10 });
    await world.announce(2);
    await world.relayAll({ generation: 1 });
    expect(await storedIds()).toEqual(storedAs(1, 'gone', 'stays'));
    expect(await world.deliveries()).toEqual([...atFirst, pair(2, 'stays')]);
  });

  it('is filled in bounded transactions', async () => {
    for (let name = 0; name < 1_100; name += 1) await world.webhook(`w${name}`, created());
    await world.relayAll({ generation: 1 });
    const sizes: number[] = [];
    const measured: OperationalStore = {
      ...world.ops,
      transact: (changes, lease) => {
        sizes.push(changes.length);
        return world.ops.transact(changes, lease);
      },
    };
    await world.relayAll({ generation: 2, ops: measured });
    expect(Math.max(...sizes)).toBe(500);
    expect(await storedIds()).toHaveLength(1_102);
    await world.announce(2);
    await world.relayAll({ generation: 2 });
    expect(await world.deliveries()).toHaveLength(atFirst.length + 1_101);
  });
});
