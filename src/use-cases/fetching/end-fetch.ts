import type { IngestResult } from '../../../commands/release/ingest-releases.ts';
import { changeFetchPriority } from '../../../commands/source/change-fetch-priority.ts';
import type { SourceState } from '../../domain/source/state.ts';
import type { ContactStatus, FetchStatus } from '../../ingest/fetch-delay.ts';
import type { FetchMemory } from '../../ingest/source-fetcher.ts';
import { toTimestamp } from '../../kernel/dates.ts';
import type { FetchLogEntry } from '../../records/fetch-log.ts';
import { type Contact, isGivenUp } from '../../records/fetching/contact-after.ts';
import type { TakenTurn } from '../../records/fetching/fetch-turns.ts';
import { LeaseLost } from '../../runtime/resilience/held-leases.ts';
import { fetchRequest, type FetchServices } from './fetch-services.ts';

/** A fetch that is under way. */
export interface FetchRun {
  readonly taken: TakenTurn;
  readonly source: SourceState;
  readonly startedMs: number;
  /** Where the source is asked for; null where nobody is. */
  readonly host: string | null;
}

/** As the fetch log has it. */
export type FetchReport = Pick<FetchLogEntry, 'status' | 'releasesFound' | 'releasesInserted' | 'error'> & {
  readonly releasesRevised: number;
};

interface Told {
  readonly status: FetchStatus;
  readonly error: string | null;
  readonly found?: number;
  readonly results?: readonly IngestResult[];
  /** Of what was stored. */
  readonly position?: number;
}

const countOf = (results: readonly IngestResult[], wanted: IngestResult['result']): number =>
  results.filter(({ result }) => result === wanted).length;

async function entryOf(
  { clock, countReleases }: FetchServices,
  { taken: { sourceId, runId }, startedMs }: FetchRun,
  { status, error, found = 0, results = [], position = 0 }: Told,
): Promise<FetchLogEntry> {
  const totalReleases = await countReleases(sourceId, position);
  const endedMs = clock.nowMs();
  return {
    id: runId,
    sourceId,
    releasesFound: found,
    releasesInserted: countOf(results, 'inserted'),
    totalReleases,
    status,
    durationMs: status === 'skipped' ? null : Math.max(0, endedMs - startedMs),
    error,
    createdMs: endedMs,
    createdAt: toTimestamp(endedMs),
  };
}

const reportOf = (
  { status, releasesFound, releasesInserted, error }: FetchLogEntry,
  results: readonly IngestResult[],
): FetchReport => ({ status, releasesFound, releasesInserted, releasesRevised: countOf(results, 'revised'), error });

const lost = ({ taken }: FetchRun): LeaseLost => new LeaseLost(`the fetch of ${taken.sourceId}`);

/** Nothing is stored but that it was. */
export async function endUnstored(services: FetchServices, run: FetchRun, told: Told): Promise<FetchReport> {
  const entry = await entryOf(services, run, told);
  if ((await services.outcomes.end(run.taken, { entry, contact: null, memory: null, host: run.host })) === null)
    throw lost(run);
  return reportOf(entry, []);
}

export const endSkipped = (services: FetchServices, run: FetchRun, error: string): Promise<FetchReport> =>
  endUnstored(services, run, { status: 'skipped', error });

interface Ended extends Required<Told>, Pick<Contact, 'isClientError' | 'retryAfterMs' | 'stars'> {
  readonly status: ContactStatus;
  /** Replaces the one before; null keeps it. */
  readonly memory: FetchMemory | null;
}

/** All that was found is stored by now. */
export async function endFetch(services: FetchServices, run: FetchRun, told: Ended): Promise<FetchReport> {
  const { random, outcomes, commands } = services;
  const { taken, source, host } = run;
  const { status, error, isClientError, retryAfterMs, stars, memory, results } = told;
  const entry = await entryOf(services, run, told);
  const { createdMs: endedMs } = entry;
  const { fetchPriority: priority } = source;
  const fraction = random.fraction();
  const contact = { status, error, isClientError, retryAfterMs, stars, endedMs, priority, fraction };
  const standing = await outcomes.end(taken, { entry, contact, memory, host });
  if (standing === null) throw lost(run);
  // Killed before this, the next failure comes here again.
  if (priority !== 'paused' && isGivenUp(standing.state.consecutiveErrors, standing.trouble, endedMs)) {
    const change = { sourceId: taken.sourceId, from: priority, to: 'paused' };
    await commands.run(changeFetchPriority, change, fetchRequest(services, taken, 'system'));
  }
  return reportOf(entry, results);
}
