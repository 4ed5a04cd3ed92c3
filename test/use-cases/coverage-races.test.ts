import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedId } from '../../src/kernel/ids.ts';
import { isDomainError } from '../../src/kernel/errors.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { CoverageServices } from '../../src/use-cases/coverage-services.ts';
import { eraseRelease } from '../../src/use-cases/erase-release.ts';
import { linkCoverage } from '../../src/use-cases/link-coverage.ts';
import { gatedEventStore } from '../spec/gated-event-store.ts';
import { openInThreadEventStore } from '../spec/in-thread-event-store.ts';
import { createInterleaving } from '../spec/interleaving.ts';
import { createSeeded, type Seeded } from '../spec/seeded.ts';
import { seedsToRun } from '../spec/seeds.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { type CoverageWorld, openCoverageWorld } from '../spec/worlds/coverage-world.ts';

const folder = createTempFolder();
let store: EventStore;
let world: CoverageWorld;
let nowMs = Date.UTC(2026, 1, 1);
const clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeAll(() => {
  store = openInThreadEventStore(folder.path);
  world = openCoverageWorld(store, clock);
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

/** In the order of their ids. */
const addReleases = async (name: string, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, (_, index) => derivedId('rel', name, String(index))).sort();
  for (const id of ids) await world.addRelease(id);
  return ids;
};

const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | string> => {
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return error.code;
  }
};

/** No release covers one that covers another, and every link stands on a claim that its canonical knows of. */
const expectDepthOne = async (ids: readonly string[], what: string) => {
  for (const id of ids) {
    const link = (await world.stateOf(id))?.coverage.link;
    if (!link) continue;
    const canonical = await world.stateOf(link.canonicalId);
    expect(canonical?.coverage.link, `${what}: ${id} covers ${link.canonicalId}`).toBeNull();
    expect(canonical?.coverage.claims, what).toContainEqual(
      expect.objectContaining({ coverageId: id, claim: link.claim }),
    );
  }
};

/** Whatever was left behind, each of them can be the canonical of all others. */
const expectNothingHanging = async (ids: readonly string[]) => {
  const services = world.writer();
  for (const canonicalId of ids) {
    for (const id of ids) await world.unlink(services, id);
    const others = ids.filter((id) => id !== canonicalId);
    expect(await world.link(services, canonicalId, ...others)).toMatchObject({ linked: others.length });
    await expectDepthOne(ids, 'linked at last');
  }
};

describe('fifty writers at once', () => {
  it('of which half want the one to cover the other: one side wins', async () => {
    const [a = '', b = ''] = await addReleases('two', 2);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const [canonicalId, coverageId] = index % 2 === 0 ? [a, b] : [b, a];
        return attempt(() => world.link(world.writer(), canonicalId!, coverageId!)).then((outcome) => [
          canonicalId,
          outcome,
        ]);
      }),
    );
    const winners = new Set(outcomes.filter(([, outcome]) => typeof outcome === 'object').map(([id]) => id));
    expect(winners.size).toBe(1);
    expect([await world.canonicalOf(a), await world.canonicalOf(b)].filter((id) => id !== null)).toHaveLength(1);
    await expectDepthOne([a, b], 'after fifty');
    await expectNothingHanging([a, b]);
  });

  it('that all want to be the canonical of one: one is', async () => {
    const [shared = '', ...canonicals] = await addReleases('one', 51);
    const outcomes = await Promise.all(canonicals.map((id) => attempt(() => world.link(world.writer(), id, shared))));
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(49);
    await expectDepthOne([shared, ...canonicals], 'one of fifty');
  });
});

/** A writer that has claimed and is about to link. */
const stopBeforeLink = async (canonicalId: string, coverageId: string) => {
  let wasStopped = false;
  let isStopped = () => {};
  let goOn = () => {};
  const stopped = new Promise<void>((resolve) => (isStopped = resolve));
  const through = gatedEventStore(store, async (call, moment) => {
    if (call !== 'appendMany' || moment !== 'before' || wasStopped) return;
    wasStopped = true; // it goes on to its end then, also where it writes more than it should
    isStopped();
    await new Promise<void>((resolve) => (goOn = resolve));
  });
  const request = world.nextRequest();
  const links = { canonicalId, coverageIds: [coverageId], decidedBy: 'human:test' };
  const outcome = attempt(() => linkCoverage(world.writer(through), links, request));
  await stopped;
  return {
    goOn: () => {
      goOn();
      return outcome;
    },
    repeat: () => linkCoverage(world.writer(), links, request),
  };
};

it('a writer that is slow between the claim and the link finds its claim lost', async () => {
  const [a = '', b = '', c = ''] = await addReleases('slow', 3);
  const slow = await stopBeforeLink(a, b);
  expect(await world.link(world.writer(), c, a)).toMatchObject({ linked: 1 });
  expect(await slow.goOn()).toBe('conflict');
  await expectDepthOne([a, b, c], 'after the slow one');
  expect(await world.canonicalOf(a)).toBe(c);
});

describe('a writer that dies between the claim and the link', () => {
  it('is healed by its repeat', async () => {
    const [a = '', b = ''] = await addReleases('repeat', 2);
    const { repeat } = await stopBeforeLink(b, a);
    expect(await world.canonicalOf(a)).toBeNull();
    expect(await repeat()).toMatchObject({ linked: 1 });
    expect(await repeat()).toMatchObject({ linked: 1 });
    expect(await world.canonicalOf(a)).toBe(b);
    expect((await world.stateOf(b))?.coverage.claims).toHaveLength(1);
  });

  it('keeps the other way round waiting for a minute at most, and its repeat then loses', async () => {
    const [a = '', b = ''] = await addReleases('other way', 2);
    const { repeat } = await stopBeforeLink(b, a);
    expect(await attempt(() => world.link(world.writer(), a, b))).toBe('conflict');
    nowMs += 60_000;
    expect(await world.link(world.writer(), a, b)).toMatchObject({ linked: 1 });
    expect(await attempt(repeat)).toBe('conflict');
    await expectDepthOne([a, b], 'after the repeat');
    await expectNothingHanging([a, b]);
  });

  it('does not keep a release from being erased', async () => {
    const [a = '', b = ''] = await addReleases('erased', 2);
    const { repeat } = await stopBeforeLink(b, a);
    await eraseRelease(world.writer(), b, world.nextRequest());
    expect(await attempt(repeat)).toBe('not_found');
    expect(await world.canonicalOf(a)).toBeNull();
  });
});

const act = async (services: CoverageServices, random: Seeded, ids: readonly string[]): Promise<unknown> => {
  const [id, other] = [random.pick(ids), random.pick(ids)];
  const dice = random.int(1, 10);
  if (dice <= 7) return attempt(() => world.link(services, id, other));
  if (dice <= 9) return attempt(() => world.unlink(services, id));
  return attempt(() => eraseRelease(services, id, world.nextRequest()));
};

it.each(seedsToRun(40))('depth stays one, however writers interleave and crash (seed %i)', async (seed) => {
  const random = createSeeded(seed);
  const ids = await addReleases(`seed ${seed}`, 3);
  const interleaving = createInterleaving(random, {
    crashPercent: 2,
    beforeStep: () => {
      if (random.chance(4)) nowMs += 61_000;
    },
  });
  const actors = Array.from({ length: 4 }, (_, actor) => {
    const services = world.writer(gatedEventStore(store, interleaving.gateOf(actor)));
    return async () => {
      for (let count = 0; count < 3; count += 1) await act(services, random, ids);
    };
  });
  await interleaving.play(actors);
  await expectDepthOne(ids, `SEED=${seed}`);

  nowMs += 61_000;
  const states = await Promise.all(ids.map(async (id) => ({ id, state: await world.stateOf(id) })));
  const left = states.filter(({ state }) => state !== null).map(({ id }) => id);
  if (left.length > 1) await expectNothingHanging(left);
});
