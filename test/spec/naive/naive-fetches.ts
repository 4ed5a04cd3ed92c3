import { type FetchState, neverFetched } from '../../../src/records/fetch-state.ts';

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
