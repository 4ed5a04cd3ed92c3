import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryEventsTopic } from '../../../src/delivery/topics.ts';
import { streamOf } from '../../../src/kernel/stream-name.ts';
import { readRelayCheckpoint } from '../../../src/runtime/relay/relay-checkpoint.ts';
import { createMortal } from './mortal.ts';
import { announcement, created, deleted, idOf, openRelayWorld, pair, type RelayWorld } from './relay-world.ts';

let world: RelayWorld;

beforeEach(async () => {
  world = await openRelayWorld();
});

afterEach(() => world.close());

const daysAgo = (days: number): { recordedAt: string } => ({
  recordedAt: new Date(Date.now() - days * 24 * 3_600_000).toISOString(),
});
const announceAt = (name: string, days: number) =>
  world.append(streamOf('release', idOf('rel', name)), announcement(name), daysAgo(days));

/** On a bus that nobody reads any more. */
const elsewhere = { bus: { produce: async () => undefined }, busId: 'the bus before' };

describe('a relay on another bus than before', () => {
  beforeEach(async () => {
    await world.webhook('early', created());
    await announceAt('old', 8);
    await announceAt('recent', 2);
    await world.webhook('late', created());
    await world.webhook('early', deleted);
    await announceAt('new', 0);
    await world.relayAll(elsewhere);
  });

  it('publishes the last seven days again, to whom it concerned then', async () => {
    expect(await world.deliveries()).toEqual([]);
    await world.relayAll();
    expect(await world.deliveries()).toEqual([pair('new', 'late'), pair('recent', 'early')]);
    expect(await world.on(registryEventsTopic)).toHaveLength(2);
    expect(await readRelayCheckpoint(world.ops)).toMatchObject({ position: await world.store.head(), busId: 'bus' });
    expect(world.log.lines.filter(({ sentence }) => sentence.includes('another one than before'))).toHaveLength(1);
  });

  it('does so once', async () => {
    await world.relayAll();
    await world.relayAll({ holder: 'b' });
    expect(await world.deliveries()).toEqual([pair('new', 'late'), pair('recent', 'early')]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('loses nothing when it is killed at its call %i', async (call) => {
    const { over, isDead } = createMortal(call, 'after');
    const relay = world.start({ ops: over(world.ops) });
    await Promise.race([world.caughtUp(relay), relay.done, untilDead(isDead)]);
    await relay.close();
    await world.relayAll(); // by the same holder, who need not wait for the lease to run out
    const got = new Set(await world.deliveries());
    expect([...got].sort()).toEqual([pair('new', 'late'), pair('recent', 'early')]);
  });
});

const untilDead = async (isDead: () => boolean): Promise<void> => {
  while (!isDead()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a relay without a checkpoint', () => {
  it('remembers that when it starts again before it has come to the end', async () => {
    await world.webhook('one', created());
    await announceAt('first', 0);
    const mortal = createMortal(1, 'before');
    const relay = world.start({ bus: mortal.over(world.bus) }); // its first start saves where it begins, and dies then
    await Promise.race([relay.done, untilDead(mortal.isDead)]);
    await relay.close();
    expect(await readRelayCheckpoint(world.ops)).toMatchObject({ position: 0 });
    await announceAt('old', 8);
    await announceAt('recent', 2);
    await world.relayAll();
    expect(await world.deliveries()).toEqual([pair('first', 'one'), pair('recent', 'one')]);
  });

  it('publishes everything, but delivers nothing of long ago: nothing tells whether that was sent', async () => {
    await world.webhook('one', created());
    await announceAt('old', 8);
    await announceAt('recent', 2);
    await world.relayAll();
    expect(await world.deliveries()).toEqual([pair('recent', 'one')]);
    expect(await world.on(registryEventsTopic)).toHaveLength(2);
  });
});
