import { type Deletion, deletionsProjection } from '../../../../projections/deletions/deletions.ts';
import { BackendUnavailable } from '../../../kernel/backend-unavailable.ts';
import type { KeyValue } from '../../../kernel/projection.ts';
import type { Lease } from '../../../ports/leases.ts';
import type { Log } from '../../../ports/log.ts';
import type { ReadModelSet } from '../../../ports/read-models.ts';
import type { PurgeJob, PurgeJobs } from '../../../records/purge-jobs.ts';
import { LeaseLost } from '../../resilience/held-leases.ts';
import { errorCharsMax } from '../eraser-progress.ts';
import { beginPurge, takeStray } from './begin-purge.ts';
import { completePurge, finishPurge } from './finish-purge.ts';
import type { PurgeDeps } from './purge-deps.ts';
import { type EntityPurge, isEntityPurge, newJob, purgeStep } from './purge-step.ts';

/** Of the list of what is due; so many are worked on before anybody else has a turn. */
const rowsPerPage = 100;
const rowsAtOnce = 4;

const firstRetryMs = 1_000;
const retryMsMax = 300_000;

export interface PurgeRoundDeps extends PurgeDeps {
  readonly jobs: PurgeJobs;
  readonly log: Log;
  /** Waits until those who follow the end of the log have caught up, but never for long. */
  readonly giveWay: (over: AbortSignal) => Promise<void>;
}

/**
 * What the eraser has to come to. Where the job does not tell, the step before its last one is the nearest that the eraser
 * has surely something to do for: the last one may have taken summaries away.
 */
const erasedPositionOf = ({ erasedPosition, positionBefore }: PurgeJob): number => erasedPosition ?? positionBefore;

interface Work {
  readonly deletion: Deletion;
  readonly job: PurgeJob | undefined;
}

/** A page of what is due, without what failed a moment ago. */
async function* dueWork(
  { jobs, clock }: Pick<PurgeRoundDeps, 'jobs' | 'clock'>,
  models: ReadModelSet,
): AsyncGenerator<Work[]> {
  const nowMs = clock.nowMs();
  let after: readonly KeyValue[] | undefined;
  for (;;) {
    const range = { index: 'byDue', equals: {}, from: 0, to: nowMs, limit: rowsPerPage, ...(after && { after }) };
    const rows = await models.of(deletionsProjection).query(range);
    if (rows.length > 0) {
      const known = await jobs.find(rows.map(({ id }) => id));
      const work = rows.map((deletion) => ({ deletion, job: known.get(deletion.id) }));
      yield work.filter(({ job }) => job === undefined || job.retryAtMs <= nowMs);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = [last.dueMs, last.id];
  }
}

/** Whether there is anything to do now. */
export async function isPurgeWaiting(deps: Pick<PurgeRoundDeps, 'jobs' | 'clock' | 'models'>): Promise<boolean> {
  const models = await deps.models();
  if (models === null) return false;
  for await (const work of dueWork(deps, models)) if (work.length > 0) return true;
  return false;
}

/**
 * Goes once through all that is due, a step each. One that fails is put off and does not stop the others; a back end that
 * is away ends the round. Answers whether anything was done.
 */
export async function purgeRound(deps: PurgeRoundDeps, over: AbortSignal, lease?: Lease): Promise<boolean> {
  const { jobs, clock, log } = deps;
  const models = await deps.models();
  if (models === null) return false;
  let isAnythingDone = false;

  const save = async (job: PurgeJob): Promise<void> => {
    if (!(await jobs.save([job], clock.nowMs(), lease))) throw new LeaseLost('purging');
  };

  async function putOff({ deletion, job }: Work, error: unknown): Promise<void> {
    if (error instanceof BackendUnavailable || error instanceof LeaseLost) throw error;
    const { id, kind } = deletion;
    const last = job ?? newJob(deletion, clock.nowMs());
    const failures = last.failures + 1;
    const retryAtMs = clock.nowMs() + Math.min(retryMsMax, firstRetryMs * 2 ** (failures - 1));
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, errorCharsMax);
    log.error('a purge cannot go on now and is tried again', { kind, id, failures, error });
    await save({ ...last, failures, lastError, retryAtMs });
  }

  /** Shows what it waits for; saved when that is another than before: there is a look every second. */
  async function waitForEraser(job: PurgeJob, known: PurgeJob | undefined): Promise<null> {
    const failure = await deps.eraserFailure();
    const lastError = failure === null ? null : `its texts cannot be erased yet: ${failure}`.slice(0, errorCharsMax);
    if (known?.lastError !== lastError) await save({ ...job, lastError });
    return null;
  }

  /** Answers the job when the entity itself is all that is left to scrub. */
  async function stepOf(deletion: EntityPurge, known: PurgeJob | undefined): Promise<PurgeJob | null> {
    const { id, kind } = deletion;
    if (known === undefined) log.info('a purge began', { kind, id });
    const job = { ...(known ?? newJob(deletion, clock.nowMs())), failures: 0, lastError: null, retryAtMs: 0 };
    if (job.phase === 'done') return null; // a moment ago: the read model is not there yet
    if (job.phase === 'finishing') {
      // It waits for the eraser without holding up others: those that come to their end together share a scrub.
      if (kind === 'source' && !(await deps.isErased(erasedPositionOf(job)))) return waitForEraser(job, known);
      return { ...job, position: await finishPurge(deps, deletion) };
    }
    await save(await purgeStep(deps, deletion, job));
    isAnythingDone = true;
    return null;
  }

  async function workOn({ deletion, job }: Work): Promise<PurgeJob | null> {
    if (deletion.state === 'purged' && isEntityPurge(deletion)) return stepOf(deletion, job);
    const isDone = isEntityPurge(deletion) ? await beginPurge(deps, deletion) : await takeStray(deps, deletion);
    if (job !== undefined && !(await jobs.remove(job.id, lease))) throw new LeaseLost('purging');
    isAnythingDone ||= isDone;
    return null;
  }

  interface Finished extends Work {
    readonly finished: PurgeJob;
  }

  /** One scrub for all of them. */
  async function complete(all: readonly Finished[]): Promise<void> {
    if (all.length === 0) return;
    await deps.scrub(Math.max(...all.map(({ finished }) => finished.position)));
    for (const { deletion, finished } of all) {
      if (!isEntityPurge(deletion)) continue;
      await completePurge(deps, deletion);
      await save({ ...finished, phase: 'done' });
      const { id, kind, done, sinceMs } = finished;
      log.info('a purge is done', { kind, id, streams: done, seconds: Math.round((clock.nowMs() - sinceMs) / 1_000) });
      isAnythingDone = true;
    }
  }

  const attempt = async <Result>(work: Work, act: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await act();
    } catch (error) {
      await putOff(work, error);
      return null;
    }
  };

  for await (const page of dueWork(deps, models)) {
    const finished: Finished[] = [];
    for (let from = 0; from < page.length && !over.aborted; from += rowsAtOnce) {
      const some = page.slice(from, from + rowsAtOnce);
      const steps = some.map(async (work) => {
        const job = await attempt(work, () => workOn(work));
        if (job !== null) finished.push({ ...work, finished: job });
      });
      await Promise.allSettled(steps);
      await Promise.all(steps);
      await deps.giveWay(over);
    }
    const [first] = finished;
    if (first !== undefined && !over.aborted) await attempt(first, () => complete(finished));
    if (over.aborted) break;
  }
  return isAnythingDone;
}
