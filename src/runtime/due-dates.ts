import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import type { ReadModel } from '../ports/read-models.ts';

/** A release dated at most this far ahead counts as out (contract 2.9). */
export const dueToleranceMs = 60_000;

const intervalMs = 60_000;
const leaseTtlMs = 90_000;
const stepSize = 200;

export interface DueDatesDeps {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  readonly pending: () => Promise<ReadModel | null>;
  /** Runs the command that dates one release; it decides anew whether the release is due. */
  readonly dateRelease: (releaseId: string) => Promise<void>;
}

/** Dates every release whose day has come. Answers how many were looked at. */
export async function dateDueReleases(deps: Pick<DueDatesDeps, 'clock' | 'pending' | 'dateRelease'>): Promise<number> {
  const model = await deps.pending();
  if (model === null) return 0;
  const to = deps.clock.nowMs() + dueToleranceMs;
  let after: readonly (string | number | null)[] | undefined;
  let count = 0;
  for (;;) {
    const rows = (await model.query({
      index: 'byDue',
      equals: {},
      to,
      limit: stepSize,
      ...(after && { after }),
    })) as (Document & {
      readonly publishedMs: number;
    })[];
    for (const row of rows) await deps.dateRelease(row.id);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < stepSize) return count;
    // The read model follows a moment later, so go on behind what was seen instead of asking for the first again.
    after = [last.publishedMs, last.id];
  }
}

export interface DueDates {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

/** The minute scheduler: one process at a time looks for releases that are due. */
export function startDueDates(deps: DueDatesDeps): DueDates {
  const { ops, clock, log, holder } = deps;
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const lease = await ops.leases.acquire('due-dates', holder, leaseTtlMs);
      if (lease !== null) {
        const count = await dateDueReleases(deps);
        if (count > 0) log.info('dated releases that are due', { count });
      }
      await clock.sleep(intervalMs, stopping.signal);
    }
  })();
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
