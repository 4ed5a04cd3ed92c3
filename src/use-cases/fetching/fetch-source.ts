import type { IngestResult } from '../../../commands/release/ingest-releases.ts';
import { foldStream } from '../../concurrency/stream-pages.ts';
import { org } from '../../domain/org/state.ts';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { isFetchedBySchedule, isSourceThere } from '../../domain/source/fetchable.ts';
import { type SourceState, source } from '../../domain/source/state.ts';
import { FetchFailed, isOwnPause } from '../../ingest/fetch-failed.ts';
import { fetchFailureOf, ownFailure } from '../../ingest/fetch-failure.ts';
import { fetchHostOf } from '../../ingest/fetch-host.ts';
import { fetchWayOf, type RoutedFetcher } from '../../ingest/fetch-routing.ts';
import { rememberedPlace } from '../../ingest/remembered-place.ts';
import type { FetchedSource, LeftOutEntry } from '../../ingest/source-fetcher.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { isDomainError } from '../../kernel/errors.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import { type TakenTurn, turnTtlMs } from '../../records/fetching/fetch-turns.ts';
import { runTogether } from '../../concurrency/run-together.ts';
import { keepRenewing, LeaseLost } from '../../runtime/resilience/held-leases.ts';
import { FetchStopped, fetchFromThirdParty } from './ask-third-party.ts';
import { endFetch, endSkipped, endUnstored, type FetchReport, type FetchRun } from './end-fetch.ts';
import type { FetchServices } from './fetch-services.ts';
import { acceptedItems, previewFetched, takeIn, tellLeftOut } from './take-in.ts';
import { dayMs } from '../../kernel/dates.ts';

/** What a fetch has found, before anything of it is stored. */
export interface FoundReleases {
  readonly items: readonly ReleaseItem[];
  /** What would come of each. */
  readonly results: readonly IngestResult[];
  readonly leftOut: readonly LeftOutEntry[];
}

export interface FetchOptions {
  readonly onFound?: (found: FoundReleases) => void;
  /** Ends the waiting for the third party; the turn is given back. */
  readonly stop?: AbortSignal;
  /** A host at which whoever calls keeps a place for it. */
  readonly heldHost?: string;
}

/** A source that the schedule has, but that is not to be fetched: whoever follows the events takes it out. */
const soonMs = 60_000;

/**
 * One fetch of a source whose turn was taken, to its end: what it finds is stored first, and that it is done last, all at
 * once. Killed in between, the next one does it again, and nothing is there twice. Null when nothing was to be done, or the
 * turn was lost.
 */
export async function fetchSource(
  services: FetchServices,
  taken: TakenTurn,
  options: FetchOptions = {},
): Promise<FetchReport | null> {
  const { clock, log, turns } = services;
  const { sourceId } = taken;
  let report: FetchReport | null = null;
  const orLost = (isHeld: boolean): void => {
    if (!isHeld) throw new LeaseLost(`the fetch of ${sourceId}`);
  };
  const renew = async () => orLost(await turns.keep(taken));
  const work = async (over: AbortSignal): Promise<void> => {
    const stillHeld = async () => orLost(!over.aborted && (await turns.holds(taken)));
    report = await fetchHeld(services, { taken, options, stillHeld });
  };
  try {
    await runTogether(new AbortController().signal, [keepRenewing({ ttlMs: turnTtlMs, clock }, renew), work]);
  } catch (error) {
    if (error instanceof FetchStopped) await turns.giveBack(taken);
    else if (error instanceof LeaseLost) log.warn(error.message, { sourceId });
    else throw error;
    return null;
  }
  return report;
}

interface HeldFetch {
  readonly taken: TakenTurn;
  readonly options: FetchOptions;
  readonly stillHeld: () => Promise<void>;
}

interface LoadedSource {
  readonly source: SourceState;
  readonly isThere: boolean;
  readonly isOrgPaused: boolean;
  readonly isScheduled: boolean;
}

async function loadSource({ eventStore }: FetchServices, sourceId: string): Promise<LoadedSource> {
  const { state } = await foldStream(eventStore, source, streamOf('source', sourceId));
  const { orgId } = state;
  const parent = orgId === null ? null : (await foldStream(eventStore, org, streamOf('org', orgId))).state;
  return {
    source: state,
    isThere: isSourceThere(state, parent),
    isOrgPaused: parent?.fetchPaused === true,
    isScheduled: isFetchedBySchedule(state, parent),
  };
}

const goneSentence = 'The source is not there any more.';

/** Why a source is not fetched though somebody asked; null when it can be. */
function reasonToSkip({ isThere, isOrgPaused }: LoadedSource, fetcher: RoutedFetcher | null): string | null {
  if (!isThere) return goneSentence;
  if (isOrgPaused) return 'Fetching is paused for the org of this source.';
  return fetcher === null ? 'Sources of this type are not fetched.' : null;
}

async function fetchHeld(services: FetchServices, held: HeldFetch): Promise<FetchReport | null> {
  const { clock, fetchers, hosts, turns } = services;
  const { taken } = held;
  const startedMs = clock.nowMs();
  const loaded = await loadSource(services, taken.sourceId);
  const way = fetchWayOf(loaded.source);
  const fetcher = way === null ? null : (fetchers[way] ?? null);
  const skip = reasonToSkip(loaded, fetcher);
  const host = way === null ? null : fetchHostOf(way, loaded.source);
  const run = { ...held, startedMs, source: loaded.source, host };
  if (taken.isAsked && skip !== null) return endSkipped(services, run, skip);
  if (host === null || fetcher === null || !(taken.isAsked || loaded.isScheduled)) {
    await turns.giveBack(taken, startedMs + (loaded.isScheduled ? dayMs : soonMs));
    return null;
  }
  const leave = host === held.options.heldHost ? () => {} : hosts.enter(host);
  if (leave === null) {
    // From now on it is known where it is asked for: nobody takes it before there is a place.
    await turns.giveBack(taken, undefined, host);
    return null;
  }
  try {
    return await fetchBy(services, run, fetcher);
  } finally {
    leave();
  }
}

async function fetchBy(
  services: FetchServices,
  run: FetchRun & HeldFetch,
  fetcher: RoutedFetcher,
): Promise<FetchReport | null> {
  const { clock, log, memories, outcomes, turns } = services;
  const { taken, source } = run;
  const { sourceId } = taken;
  const standing = await outcomes.standingOf(sourceId);
  try {
    const known = await memories.recall(sourceId);
    const memory = taken.force ? rememberedPlace(known ?? {}) : (known ?? {});
    const asked = { sourceId, source, memory, trouble: standing.trouble };
    const fetched = await fetchFromThirdParty({ clock, fetcher, log, stop: run.options.stop }, asked);
    // What a lookup brought in was no fetch of ours: it has read a part, and left nothing to remember.
    const isFirst = known === null || standing.state.changeDetectedAt === null;
    return await storeFetched(services, run, { fetched, isFirst });
  } catch (error) {
    if ([BackendUnavailable, LeaseLost, FetchStopped].some((kind) => error instanceof kind)) throw error;
    // It was deleted meanwhile.
    if (isDomainError(error, 'not_found')) return endSkipped(services, run, goneSentence);
    if (!(error instanceof FetchFailed)) log.error('a fetch failed', { sourceId, error });
    const failure = error instanceof FetchFailed ? fetchFailureOf(error) : ownFailure;
    const isPause = error instanceof FetchFailed && isOwnPause(error);
    // It is no contact with the source; but who asked for it is told.
    if (taken.dryRun || (isPause && taken.isAsked)) return endUnstored(services, run, failure);
    if (isPause) {
      await turns.giveBack(taken, clock.nowMs() + (failure.retryAfterMs ?? soonMs));
      return null;
    }
    return endFetch(services, run, { ...failure, stars: null, memory: null, found: 0, results: [], position: 0 });
  }
}

async function storeFetched(
  services: FetchServices,
  run: FetchRun & HeldFetch,
  { fetched, isFirst }: { readonly fetched: FetchedSource; readonly isFirst: boolean },
): Promise<FetchReport> {
  const { taken, source, stillHeld, options } = run;
  const { accepted: items, refused } = acceptedItems(fetched);
  tellLeftOut(services, taken, refused);
  const intake = { taken, source, fetched, items, isFirst, stillHeld };
  if (taken.dryRun || options.onFound !== undefined) {
    const results = await previewFetched(services, intake);
    options.onFound?.({ items, results, leftOut: refused });
    if (taken.dryRun) return endUnstored(services, run, { status: 'dry_run', error: null, found: items.length });
  }
  const { results, position } = await takeIn(services, intake);
  const isNew = results.some(({ result }) => result === 'inserted' || result === 'revised');
  const { memory, stars } = fetched;
  return endFetch(services, run, {
    status: isNew ? 'success' : 'no_change',
    error: null,
    isClientError: false,
    retryAfterMs: null,
    stars,
    memory,
    found: items.length,
    results,
    position,
  });
}
