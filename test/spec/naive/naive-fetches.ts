import { fetchStatuses } from '../../../src/ingest/fetch-delay.ts';
import type { FetchLogEntry } from '../../../src/records/fetch-log.ts';
import { type FetchState, neverFetched } from '../../../src/records/fetch-state.ts';
import type { Seeded } from '../seeded.ts';

/** Nobody fetches in a history: what is known of fetches is made up, for each source something else. */
export const madeUpFetchState = (sourceId: string): FetchState => {
  const number = [...sourceId].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0);
  if (number % 4 === 0) return neverFetched;
  const at = (minutes: number): string => new Date(Date.UTC(2029, 0, 1) + minutes * 60_000).toISOString();
  return {
    lastFetchedAt: at(number),
    lastPolledAt: at(2 * number),
    changeDetectedAt: number % 3 === 0 ? null : at(number + 1),
    consecutiveNoChange: number % 5,
    consecutiveErrors: number % 7,
    nextFetchAfter: at(number + 2),
    lastRetieredAt: at(number + 3),
    stars: number,
    starsFetchedAt: at(number + 4),
  };
};

/** Nor are vectors events; this says of which sources it is asked. */
export const madeUpEmbeddedAt = (sourceIds: readonly string[]): string | null =>
  sourceIds.length === 0 ? null : `with ${[...sourceIds].sort().join(' ')}`;

const newest = (texts: readonly (string | null)[]): string | null =>
  texts
    .filter((text) => text !== null)
    .sort()
    .at(-1) ?? null;

/** Contract 2.12. */
export const newestFetches = (states: readonly FetchState[]) => ({
  lastFetchedAt: newest(states.map(({ lastFetchedAt }) => lastFetchedAt)),
  lastPolledAt: newest(states.map(({ lastPolledAt }) => lastPolledAt)),
});

/** More than are shown, of sources that are seen and of others, the newest first. */
export const madeUpFetchLog = (sourceIds: readonly string[], random: Seeded): FetchLogEntry[] =>
  sourceIds.length === 0
    ? []
    : Array.from({ length: random.int(0, 60) }, (_, index) => {
        const createdMs = Date.UTC(2029, 0, 1) - index * 1_000;
        return {
          id: `fet_${index}`,
          sourceId: random.pick(sourceIds),
          releasesFound: random.int(0, 9),
          releasesInserted: random.int(0, 9),
          totalReleases: random.int(0, 99),
          status: random.pick(fetchStatuses),
          durationMs: random.pick([null, random.int(0, 9_999)]),
          error: random.pick([null, 'It did not answer.']),
          createdMs,
          createdAt: new Date(createdMs).toISOString(),
        };
      });
