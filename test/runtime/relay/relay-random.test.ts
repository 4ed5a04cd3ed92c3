import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { registryEventsTopic } from '../../../src/delivery/topics.ts';
import { breakingVerdicts, releaseTypes } from '../../../src/domain/enumerations.ts';
import type { AnnouncedRelease } from '../../../src/domain/release/events.ts';
import type { WebhookCreated } from '../../../src/domain/webhook/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';
import { createMortal } from './mortal.ts';
import { created, deleted, disabled, idOf, openRelayWorld, pair, type RelayWorld } from './relay-world.ts';

type Filters = WebhookCreated['data'];
type Release = Pick<AnnouncedRelease, 'orgId' | 'sourceId' | 'productId' | 'type' | 'importance' | 'breaking'>;

const orgs = [idOf('org', 1), idOf('org', 2)];
const sources = [idOf('src', 1), idOf('src', 2)];
const products = [idOf('prod', 1), idOf('prod', 2)];

const sometimes = <Value>(random: Seeded, percent: number, value: () => Value): Value | null =>
  random.chance(percent) ? value() : null;

const randomFilters = (random: Seeded): Filters =>
  created({
    orgId: random.pick(orgs),
    sourceId: sometimes(random, 25, () => random.pick(sources)),
    productId: sometimes(random, 25, () => random.pick(products)),
    releaseType: sometimes(random, 25, () => random.pick(releaseTypes)),
    minImportance: sometimes(random, 25, () => random.int(1, 5)),
    breaking: sometimes(random, 25, () => breakingVerdicts.filter(() => random.chance(50))),
    enabled: random.chance(90),
  }).data;

const randomRelease = (random: Seeded): Release => ({
  orgId: sometimes(random, 90, () => random.pick(orgs)),
  sourceId: random.pick(sources),
  productId: sometimes(random, 60, () => random.pick(products)),
  type: random.pick(releaseTypes),
  importance: sometimes(random, 70, () => random.int(1, 5)),
  breaking: random.pick(breakingVerdicts),
});

/** Contract 13.6, once more and as plainly as can be. */
function concerns(filters: Filters, release: Release): boolean {
  if (filters.orgId !== release.orgId) return false;
  if (filters.sourceId !== null && filters.sourceId !== release.sourceId) return false;
  if (filters.productId !== null && filters.productId !== release.productId) return false;
  if (filters.releaseType !== null && filters.releaseType !== release.type) return false;
  if (filters.minImportance !== null && (release.importance ?? 0) < filters.minImportance) return false;
  return filters.breaking === null || filters.breaking.includes(release.breaking);
}

/** Events that come at random, and who must get them. */
function createHistory(world: RelayWorld, random: Seeded) {
  const subscriptions = new Map<number, Filters>();
  const expected: string[] = [];
  let names = 0;
  let announcements = 0;

  const subscribe = async (): Promise<void> => {
    const filters = randomFilters(random);
    subscriptions.set((names += 1), filters);
    await world.webhook(names, created(filters));
  };
  const announce = async (): Promise<void> => {
    const release = randomRelease(random);
    await world.announce((announcements += 1), release);
    for (const [name, filters] of subscriptions) {
      if (filters.enabled && concerns(filters, release)) expected.push(pair(announcements, name));
    }
  };
  const change = async (): Promise<void> => {
    if (subscriptions.size === 0) return subscribe();
    const name = random.pick([...subscriptions.keys()]);
    const filters = subscriptions.get(name)!;
    const isDeleted = !filters.enabled || random.chance(50);
    if (isDeleted) subscriptions.delete(name);
    else subscriptions.set(name, { ...filters, enabled: false });
    await world.webhook(name, isDeleted ? deleted : disabled);
  };

  return {
    step: () => random.pick([subscribe, subscribe, announce, announce, announce, change])(),
    expected: () => [...expected].sort(),
    announcements: () => announcements,
  };
}

/** Runs a relay until it dies or has come to the end; some are of another version of the code. */
async function runMortal(world: RelayWorld, random: Seeded): Promise<boolean> {
  const mortal = createMortal(random.int(1, 25), random.pick(['before', 'after'] as const));
  const { store, ops, bus } = world;
  const relay = world.start({
    store: mortal.over(store),
    ops: mortal.over(ops),
    bus: mortal.over(bus),
    clock: systemClock,
    generation: random.chance(70) ? 1 : random.int(2, 3),
  });
  const head = await store.head();
  await eventually('it is dead or at the end', () => mortal.isDead() || relay.position() >= head, { everyMs: 1 });
  await relay.close();
  return mortal.isDead();
}

const seeds = seedsToRun(10);

describe('subscriptions and announcements in any order, relayed by processes that are killed anywhere', () => {
  it.each(seeds)('give exactly the pairs that were to be: seed %d', async (seed) => {
    const random = createSeeded(seed);
    const world = await openRelayWorld();
    try {
      const history = createHistory(world, random);
      let deaths = 0;
      for (let round = 0; round < 25; round += 1) {
        for (let steps = random.int(0, 6); steps > 0; steps -= 1) await history.step();
        if (await runMortal(world, random)) deaths += 1;
      }
      await world.relayAll({ generation: 1 });
      expect([...new Set(await world.deliveries())]).toEqual(history.expected());
      const published = new Set((await world.on(registryEventsTopic)).map(({ value }) => value));
      expect(published.size).toBe(history.announcements());
      // Else the seed has shown nothing.
      expect(deaths).toBeGreaterThan(3);
      expect(history.expected().length).toBeGreaterThan(3);
    } finally {
      await world.close();
    }
  });
});
