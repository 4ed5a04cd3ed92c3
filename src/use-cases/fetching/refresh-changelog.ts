import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Log } from '../../ports/log.ts';
import type { FetchState } from '../../records/fetch-state.ts';
import type { FetchTurns } from '../../records/fetching/fetch-turns.ts';

interface RefreshServices {
  readonly fetchTurns: Pick<FetchTurns, 'hasten'>;
  readonly wakeFetching: () => void;
  readonly log: Log;
}

/** Contract 5.4. */
const staleMs = 24 * 3_600_000;

const isOlder = (at: string | null, nowMs: number): boolean => at === null || nowMs - Date.parse(at) > staleMs;

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
  if (!isOlder(fetchedAt, nowMs)) return;
  const hasten = async () => {
    const [state] = await fetchStates([source.id]);
    // A file that has not changed keeps its time, so it counts when the source was last asked.
    if (isOlder(state?.lastPolledAt ?? null, nowMs) && (await fetchTurns.hasten(source.id))) wakeFetching();
  };
  hasten().catch((error: unknown) =>
    log.warn('a stale changelog could not be refreshed', { sourceId: source.id, error }),
  );
}
