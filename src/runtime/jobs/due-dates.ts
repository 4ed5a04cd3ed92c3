import type { PendingRow } from '../../../projections/pending/pending.ts';
import { dueUntilMs } from '../../domain/release/visible.ts';
import type { KeyValue } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { ReadModel } from '../../ports/read-models.ts';
import { type MinuteJob, startEveryMinute } from './every-minute.ts';

const leaseTtlMs = 60_000;
const stepSize = 200;

interface DueReleases {
  readonly clock: Clock;
  readonly pending: () => Promise<ReadModel<PendingRow> | null>;
  /** Runs the command that dates one release; it decides anew whether the release is due. */
  readonly dateRelease: (releaseId: string) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface DueDatesDeps extends Omit<DueReleases, 'signal'> {
  readonly ops: OperationalStore;
  readonly log: Log;
  readonly holder: string;
}

/** Dates every release whose day has come. Answers how many were looked at. */
export async function dateDueReleases({ clock, pending, dateRelease, signal }: DueReleases): Promise<number> {
  const model = await pending();
  if (model === null) return 0;
  const to = dueUntilMs(clock.nowMs());
  let after: readonly KeyValue[] | undefined;
  let count = 0;
  for (;;) {
    const range = { index: 'byDue', equals: {}, to, limit: stepSize, ...(after && { after }) };
    const rows = await model.query(range);
    for (const row of rows) {
      if (signal?.aborted) return count;
      await dateRelease(row.id);
      count += 1;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < stepSize) return count;
    // The read model follows a moment later, so go on behind what was seen instead of asking for the first again.
    after = [last.publishedMs, last.id];
  }
}

/**
 * The minute scheduler. The lease is there to spare work, and so it is held for one look only: if it runs out in a long
 * one and another process looks too, each release is still dated once, because the command decides by its stream.
 */
export function startDueDates(deps: DueDatesDeps): MinuteJob {
  const { ops, log, holder } = deps;

  const dateRelease = async (releaseId: string): Promise<void> => {
    try {
      await deps.dateRelease(releaseId);
    } catch (error) {
      // It must not keep the others waiting; it stays in the list and is tried again with the next look.
      log.error('a release that is due could not be dated', { releaseId, error });
    }
  };

  return startEveryMinute({ ...deps, failure: 'the look for releases that are due failed' }, async (stop) => {
    const lease = await ops.leases.acquire('due-dates', holder, leaseTtlMs);
    if (lease === null) return;
    try {
      const count = await dateDueReleases({ ...deps, dateRelease, signal: stop });
      if (count > 0) log.info('looked at releases that are due', { count });
    } finally {
      await ops.leases.release(lease);
    }
  });
}
