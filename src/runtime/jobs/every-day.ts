import { dayMs } from '../../kernel/dates.ts';
import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { type MinuteJob, startEveryMinute } from './every-minute.ts';

const hourMs = 3_600_000;
/** 03:00 UTC (contract 15.3). */
const beginsAtMs = 3 * hourMs;
const leaseTtlMs = 60_000;

/** Days are counted from one sweep to the next. */
const sweepDayOf = (nowMs: number): number => Math.floor((nowMs - beginsAtMs) / dayMs);

interface LastSweep extends Document {
  readonly day: number;
}

/** What a day's sweep has done is found in the events, so it is not moved to another store. */
const sweepsDeclaration = { name: 'daily-sweeps', indexes: {} };

interface EveryDayDeps {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** By which its last day is known. */
  readonly id: string;
  readonly leaseName: string;
  readonly failure: string;
}

/**
 * Once a day, or as soon as a process runs after that; again in a minute when it answers false. The lease spares work: it
 * may run out while the work goes on, so two at once must do no harm.
 */
export async function startEveryDay(
  deps: EveryDayDeps,
  sweep: (stop: AbortSignal) => Promise<boolean>,
): Promise<MinuteJob> {
  const { ops, clock, holder, id, leaseName } = deps;
  const sweeps = await ops.collection<LastSweep>(sweepsDeclaration);
  const note = (day: number) => {
    const doc: LastSweep = { id, day };
    return ops.transact([{ kind: 'put', collection: sweepsDeclaration.name, doc }]);
  };

  return startEveryMinute(deps, async (stop) => {
    const day = sweepDayOf(clock.nowMs());
    const last = (await sweeps.get(id))?.doc.day;
    if (last === day) return;
    const lease = await ops.leases.acquire(leaseName, holder, leaseTtlMs);
    if (lease === null) return;
    try {
      // A registry that was never swept has its first sweep when its first day is over.
      if (last === undefined || (await sweep(stop))) await note(day);
    } finally {
      await ops.leases.release(lease);
    }
  });
}
