import type { Deletion } from '../../../../projections/deletions/deletions.ts';
import type { ReadModelSet } from '../../../ports/read-models.ts';
import type { PurgeJob } from '../../../records/purge-jobs.ts';
import type { PurgeDeps } from './purge-deps.ts';
import { stepStreams, type Walk, walks } from './walks.ts';

/** Pages that are counted in one step: they cost far less than taking one away. */
const countedPagesMax = 20;

/** A purge, of an entity only. */
export type EntityPurge = Deletion & { readonly kind: keyof typeof walks };

export const isEntityPurge = (deletion: Deletion): deletion is EntityPurge => Object.hasOwn(walks, deletion.kind);

export const newJob = ({ id, kind, orgId }: Deletion, nowMs: number): PurgeJob => ({
  id,
  kind,
  orgId,
  sinceMs: nowMs,
  phase: 'counting',
  walk: 0,
  after: null,
  done: 0,
  total: 0,
  position: 0,
  positionBefore: 0,
  erasedPosition: 0,
  failures: 0,
  lastError: null,
  retryAtMs: 0,
});

const nextWalk = (job: PurgeJob): PurgeJob => ({ ...job, walk: job.walk + 1, after: null });

async function count(models: ReadModelSet, walk: Walk, job: PurgeJob): Promise<PurgeJob> {
  let { after, total } = job;
  for (let pages = 0; pages < countedPagesMax; pages += 1) {
    const rows = await walk.page(models, job.id, after);
    total += rows.length;
    if (rows.length < stepStreams) return nextWalk({ ...job, total });
    after = rows.at(-1)!.after;
  }
  return { ...job, after, total };
}

/**
 * Takes a page away. Rows leave a read model a moment after their events are stored, and some may have moved before the
 * page: so a walk is gone through again until there is nothing at its beginning, once the read model has seen all.
 */
async function take(
  deps: PurgeDeps,
  { models, walk, deletion }: { readonly models: ReadModelSet; readonly walk: Walk; readonly deletion: EntityPurge },
  job: PurgeJob,
): Promise<PurgeJob> {
  const isBeginning = job.after === null;
  if (isBeginning) await deps.passed(walk.reads, Math.max(deletion.position, job.position));
  const rows = await walk.page(models, job.id, job.after);
  if (rows.length === 0) return isBeginning ? nextWalk(job) : { ...job, after: null };
  // The eraser has other releases to erase, too, so never more than two steps of this wait before them.
  if (walk.isErasing) await deps.truncated(job.positionBefore);
  const { count: taken, position } = await walk.take(deps, rows, job.id);
  return {
    ...job,
    after: rows.at(-1)!.after,
    done: job.done + taken,
    position: Math.max(position, job.position),
    positionBefore: job.position,
    ...(walk.isErasing && { erasedPosition: position }),
  };
}

/** One bounded step; doing it again after a crash is harmless. Answers how far the job is then. */
export async function purgeStep(deps: PurgeDeps, deletion: EntityPurge, job: PurgeJob): Promise<PurgeJob> {
  const models = await deps.models();
  if (models === null) throw new Error('the read models are being filled');
  const walk = walks[deletion.kind][job.walk];
  if (job.phase === 'counting') {
    if (walk !== undefined) return count(models, walk, job);
    return { ...job, phase: 'taking', walk: 0, after: null };
  }
  if (walk === undefined) return { ...job, phase: 'finishing' };
  return take(deps, { models, walk, deletion }, job);
}
