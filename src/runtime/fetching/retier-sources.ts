import { sourceProjection, type SourceDocument } from '../../../projections/source/source.ts';
import { readInstants } from '../../catalogue/instants/stored-instants.ts';
import { medianGapDays } from '../../catalogue/numbers.ts';
import type { FetchPriority } from '../../domain/enumerations.ts';
import { dayMs } from '../../kernel/dates.ts';
import { isDomainError } from '../../kernel/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';

const sourcesPerPage = 200;
/** As far as the pause between two releases looks back. */
const lookBackMs = 180 * dayMs;
const normalDaysMax = 14;
const lowDaysMax = 90;

/** How often a source is worth asking (contract 15.3). Who has paused one has done so on purpose. */
export function priorityByGap(priority: FetchPriority, gapDays: number | null): FetchPriority {
  if (gapDays === null || gapDays > lowDaysMax || priority === 'paused') return priority;
  return gapDays <= normalDaysMax ? 'normal' : 'low';
}

export interface RetierDeps {
  /** Null while they are being filled, or are of other folds. */
  readonly models: () => Promise<ReadModelSet | null>;
  /** Decides anew by the stream. */
  readonly change: (sourceId: string, from: FetchPriority, to: FetchPriority) => Promise<unknown>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

const isConcerned = ({ type, fetchPriority, deletedAt }: SourceDocument): boolean =>
  deletedAt === null && type !== 'agent' && fetchPriority !== 'paused';

/** Looks at every source that is fetched by schedule. False when it could not look, or was stopped. */
export async function retierSources(deps: RetierDeps, stop?: AbortSignal): Promise<boolean> {
  const { change, clock, log } = deps;
  const models = await deps.models();
  if (models === null) return false;

  async function retier({ id, fetchPriority }: SourceDocument): Promise<void> {
    const nowMs = clock.nowMs();
    const instants = await readInstants(models!, id, nowMs - lookBackMs);
    const priority = priorityByGap(fetchPriority, medianGapDays([instants], nowMs));
    if (priority === fetchPriority) return;
    try {
      await change(id, fetchPriority, priority);
    } catch (error) {
      // It has changed meanwhile; another failure must not keep the others waiting, and is looked at again tomorrow.
      if (!isDomainError(error)) log.error('a source could not be given another priority', { sourceId: id, error });
    }
  }

  for (let after = ''; ; ) {
    const page = await models.of(sourceProjection).scan(after, sourcesPerPage);
    for (const { doc } of page) {
      if (stop?.aborted) return false;
      if (isConcerned(doc)) await retier(doc);
    }
    if (page.length < sourcesPerPage) return true;
    after = page.at(-1)!.doc.id;
  }
}
