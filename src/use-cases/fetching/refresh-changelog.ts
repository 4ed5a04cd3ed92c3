import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Log } from '../../ports/log.ts';
import { type FetchState, neverFetched } from '../../records/fetch-state.ts';
import type { FetchTurns } from '../../records/fetching/fetch-turns.ts';

interface RefreshServices {
  readonly fetchTurns: Pick<FetchTurns, 'hasten'>;
  readonly wakeFetching: () => void;
  readonly log: Log;
}

const hourMs = 3_600_000;
/** Contract 5.4. */
const staleMs = 24 * hourMs;
/** A repository that does not tell its stars is asked no more often than one that has something new each time. */
const pollEveryMs = 4 * hourMs;

const isOlder = (at: string | null, ageMs: number, nowMs: number): boolean =>
  at === null || nowMs - Date.parse(at) > ageMs;

/** A file that has not changed keeps its time, so it counts when the stars were read, which are read with it. */
const isNeglected = ({ starsFetchedAt, lastPolledAt, consecutiveErrors }: FetchState, nowMs: number): boolean =>
  isOlder(starsFetchedAt, staleMs, nowMs) &&
  // Who fails is asked again when its schedule says so.
  isOlder(lastPolledAt, consecutiveErrors > 0 ? staleMs : pollEveryMs, nowMs);

/**
 * Somebody reads a changelog file: one that nobody has looked after for a day is fetched soon, by the schedule of its
 * source. Who reads does not wait for it.
 */
export function refreshChangelog(
  { fetchTurns, wakeFetching, log }: RefreshServices,
  source: Pick<SourceDocument, 'id'>,
  {
    fetchedAt,
    nowMs,
    fetchStates,
  }: {
    readonly fetchedAt: string;
    readonly nowMs: number;
    readonly fetchStates: (ids: readonly string[]) => Promise<readonly FetchState[]>;
  },
): void {
  if (!isOlder(fetchedAt, staleMs, nowMs)) return;
  const hasten = async () => {
    const [state] = await fetchStates([source.id]);
    if (isNeglected(state ?? neverFetched, nowMs) && (await fetchTurns.hasten(source.id))) wakeFetching();
  };
  hasten().catch((error: unknown) =>
    log.warn('a stale changelog could not be refreshed', { sourceId: source.id, error }),
  );
}
