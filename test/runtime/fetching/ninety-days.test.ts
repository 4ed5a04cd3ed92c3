import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeFetchPriority } from '../../../commands/source/change-fetch-priority.ts';
import { readInstants } from '../../../src/catalogue/instants/stored-instants.ts';
import { medianGapDays } from '../../../src/catalogue/numbers.ts';
import { source as sourceModel } from '../../../src/domain/source/state.ts';
import { FetchFailed } from '../../../src/ingest/fetch-failed.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import { streamOf } from '../../../src/kernel/stream-name.ts';
import { retierSources } from '../../../src/runtime/fetching/retier-sources.ts';
import { createScriptedFetcher, fetchedOf, itemOf } from '../../spec/scripted-fetcher.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { type FetchWorld, openFetchWorld } from '../../spec/worlds/fetch-world.ts';
import { createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
let empty: TempFolder;
let world: FetchWorld;
let script: ReturnType<typeof createScriptedFetcher>;

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());
beforeEach(async () => {
  script = createScriptedFetcher();
  world = await openFetchWorld({ feed: script.fetcher }, empty);
});
afterEach(() => world.close());

/** What contract 15.2 and 15.3 say of one source, kept by hand. */
interface NaiveSource {
  priority: 'normal' | 'low' | 'paused';
  noChange: number;
  errors: number;
  erringSinceMs: number | null;
  nextMs: number | null;
  releases: number;
}

type Outcome =
  | { readonly kind: 'success' | 'no_change' }
  | { readonly kind: 'error'; readonly retryAfterMs: number | null };

function naiveFetch(known: NaiveSource, outcome: Outcome, nowMs: number, fraction: number): void {
  const periodMs = known.priority === 'normal' ? 4 * hourMs : 24 * hourMs;
  let delayMs: number;
  if (outcome.kind === 'error') {
    known.errors += 1;
    known.erringSinceMs ??= nowMs;
    delayMs = 15 * minuteMs;
    for (let error = 1; error < known.errors && delayMs < 72 * hourMs; error += 1) delayMs *= 2;
    delayMs = Math.min(delayMs, 72 * hourMs);
  } else {
    known.errors = 0;
    known.erringSinceMs = null;
    known.noChange = outcome.kind === 'success' ? 0 : known.noChange + 1;
    let hours = 1;
    for (let time = 1; time < known.noChange && hours < 48; time += 1) hours *= 2;
    delayMs = outcome.kind === 'success' ? periodMs : Math.max(periodMs, Math.min(hours, 48) * hourMs);
  }
  delayMs = Math.round(delayMs * (0.9 + 0.2 * fraction));
  if (outcome.kind === 'error' && outcome.retryAfterMs !== null) {
    delayMs = Math.max(delayMs, Math.min(outcome.retryAfterMs, 72 * hourMs));
  }
  known.nextMs = nowMs + delayMs;
  const isGivenUp = known.errors >= 20 && nowMs - known.erringSinceMs! >= 14 * dayMs;
  if (isGivenUp) [known.priority, known.nextMs] = ['paused', null];
}

const priorityOf = async (sourceId: string) =>
  foldEvents(sourceModel, (await world.store.read(streamOf('source', sourceId))).events).fetchPriority;

/** The last of them only ever fails, and is given up. */
const moods = [
  { success: 70, error: 10 },
  { success: 10, error: 10 },
  { success: 2, error: 1 },
  { success: 30, error: 60 },
  { success: 0, error: 100 },
] as const;

describe('ninety days', () => {
  it.each(seedsToRun(1))('go as the contract says (seed %i)', { timeout: 120_000 }, async (seed) => {
    const chance = createSeeded(seed);
    const naive = new Map<string, NaiveSource>();
    const moodOf = new Map<string, (typeof moods)[number]>();
    for (const mood of moods) {
      const id = await world.addSource();
      moodOf.set(id, mood);
      const nextMs = world.clock.nowMs();
      naive.set(id, { priority: 'normal', noChange: 0, errors: 0, erringSinceMs: null, nextMs, releases: 0 });
    }
    const outcomes = new Map<string, Outcome>();
    script.answerWith(({ id }) => {
      const mood = moodOf.get(id)!;
      const known = naive.get(id)!;
      if (chance.chance(mood.error)) {
        const retryAfterMs = chance.chance(30) ? chance.int(1, 100) * hourMs : null;
        outcomes.set(id, { kind: 'error', retryAfterMs });
        throw new FetchFailed('limited', 429, { retryAfterMs });
      }
      const isNew = chance.chance(mood.success);
      outcomes.set(id, { kind: isNew ? 'success' : 'no_change' });
      if (isNew) known.releases += 1;
      const publishedAt = new Date(world.clock.nowMs()).toISOString();
      return fetchedOf({ items: isNew ? [itemOf(`1.${known.releases}.0`, { publishedAt })] : [] });
    });

    const compare = async (sourceId: string) => {
      const known = naive.get(sourceId)!;
      const state = await world.stateOf(sourceId);
      expect({
        consecutiveNoChange: state.consecutiveNoChange,
        consecutiveErrors: state.consecutiveErrors,
        nextFetchAfter: state.nextFetchAfter,
        priority: await priorityOf(sourceId),
      }).toEqual({
        consecutiveNoChange: known.noChange,
        consecutiveErrors: known.errors,
        nextFetchAfter: known.nextMs === null ? null : new Date(known.nextMs).toISOString(),
        priority: known.priority,
      });
    };

    const rounds = world.roundsOf({ atOnceMax: 1 });
    const startMs = world.clock.nowMs();
    let sweepMs = startMs + 3 * hourMs;
    let fetches = 0;
    for (;;) {
      const nextMs = (await rounds.nextMs()) ?? Number.POSITIVE_INFINITY;
      expect(nextMs).toBe(Math.min(...[...naive.values()].map((known) => known.nextMs ?? Number.POSITIVE_INFINITY)));
      const untilMs = Math.min(nextMs, sweepMs);
      if (untilMs > startMs + 90 * dayMs) break;
      world.clock.advance(Math.max(0, untilMs - world.clock.nowMs()));
      if (untilMs === sweepMs) {
        await world.follow();
        for (const [id, known] of naive) {
          if (known.priority === 'paused') continue;
          const gap = medianGapDays([await readInstants(world.models, id)], world.clock.nowMs());
          if (gap !== null && gap <= 90) known.priority = gap <= 14 ? 'normal' : 'low';
        }
        await retierSources({
          models: async () => world.models,
          change: (sourceId, from, to) =>
            world.commands.run(changeFetchPriority, { sourceId, from, to }, world.nextRequest()),
          clock: world.clock,
          log: world.log,
        });
        sweepMs += dayMs;
        continue;
      }
      expect(await rounds.begin()).toBe(1);
      await rounds.settled();
      fetches += 1;
      const sourceId = script.asked.at(-1)!.id;
      naiveFetch(naive.get(sourceId)!, outcomes.get(sourceId)!, world.clock.nowMs(), world.fractions.at(-1)!);
      await world.settle(sourceId);
      await compare(sourceId);
    }
    expect(fetches).toBeGreaterThan(400);
    expect([...naive.values()].at(-1)).toMatchObject({ priority: 'paused', nextMs: null });
    for (const id of naive.keys()) await compare(id);
  });
});
