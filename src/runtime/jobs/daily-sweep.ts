import { orgProjection } from '../../../projections/org/org.ts';
import { sourceProjection } from '../../../projections/source/source.ts';
import { dayMs } from '../../kernel/dates.ts';
import { isDomainError } from '../../kernel/errors.ts';
import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import { type MinuteJob, startEveryMinute } from './every-minute.ts';

const hourMs = 3_600_000;
/** 03:00 UTC (contract 15.3). */
const beginsAtMs = 3 * hourMs;
const leaseTtlMs = 60_000;
const orgsPerPage = 500;
const sourcesPerPage = 50;

/** Days are counted from one sweep to the next. */
const sweepDayOf = (nowMs: number): number => Math.floor((nowMs - beginsAtMs) / dayMs);

interface LastSweep extends Document {
  readonly day: number;
}

/** What a day's sweep has done is found in the events, so it is not moved to another store. */
const sweepsDeclaration = { name: 'daily-sweeps', indexes: {} };
const sweepId = 'orgs';

/** Whether an org has a source that is not deleted. */
export async function hasLiveSource(models: ReadModelSet, orgId: string): Promise<boolean> {
  let after: string | undefined;
  for (;;) {
    const range = { index: 'byOrg', equals: { orgId }, limit: sourcesPerPage, ...(after && { after: [after] }) };
    const rows = await models.of(sourceProjection).query(range);
    if (rows.some(({ deletedAt }) => deletedAt === null)) return true;
    if (rows.length < sourcesPerPage) return false;
    after = rows.at(-1)!.id;
  }
}

export interface SweepOrgsDeps {
  /** Null while they are being filled, or are of other folds. */
  readonly models: () => Promise<ReadModelSet | null>;
  /** Each decides anew by the streams. */
  readonly demote: (orgId: string) => Promise<unknown>;
  readonly promote: (orgId: string) => Promise<unknown>;
  readonly log: Log;
}

/**
 * Makes stubs of tracked orgs that have lost their last source and are known by a location, and mends what a killed
 * process has left: a stub with a source. False when it could not look.
 */
export async function sweepOrgs(
  { models: current, demote, promote, log }: SweepOrgsDeps,
  stop?: AbortSignal,
): Promise<boolean> {
  const models = await current();
  if (models === null) return false;
  const orgs = models.of(orgProjection);

  async function sweep(orgId: string, isStub: boolean): Promise<void> {
    if ((await hasLiveSource(models!, orgId)) !== isStub) return;
    try {
      await (isStub ? promote(orgId) : demote(orgId));
      log.info(isStub ? 'an org with a source is tracked again' : 'an org without sources is a stub now', { orgId });
    } catch (error) {
      // It has changed meanwhile; another failure must not keep the others waiting, and is looked at again tomorrow.
      if (!isDomainError(error)) log.error('an org could not be swept', { orgId, error });
    }
  }

  let after = '';
  for (;;) {
    const page = await orgs.scan(after, orgsPerPage);
    for (const { doc } of page) {
      if (stop?.aborted) return false;
      const { id, status, deletedAt, locations } = doc;
      const isStub = status === 'stub';
      if (deletedAt === null && (isStub || locations.length > 0)) await sweep(id, isStub);
    }
    if (page.length < orgsPerPage) return true;
    after = page.at(-1)!.doc.id;
  }
}

export interface DailySweepDeps extends SweepOrgsDeps {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly holder: string;
}

/**
 * Once a day, or as soon as a process runs after that. The lease spares work: each org is decided on by its own stream, so
 * two sweeps at once would do no harm.
 */
export async function startDailySweep(deps: DailySweepDeps): Promise<MinuteJob> {
  const { ops, clock, holder } = deps;
  const sweeps = await ops.collection<LastSweep>(sweepsDeclaration);
  const note = (day: number) => {
    const doc: LastSweep = { id: sweepId, day };
    return ops.transact([{ kind: 'put', collection: sweepsDeclaration.name, doc }]);
  };

  return startEveryMinute({ ...deps, failure: 'the daily sweep failed' }, async (stop) => {
    const day = sweepDayOf(clock.nowMs());
    const last = (await sweeps.get(sweepId))?.doc.day;
    if (last === day) return;
    const lease = await ops.leases.acquire('daily-sweep', holder, leaseTtlMs);
    if (lease === null) return;
    try {
      // A registry that was never swept has its first sweep when its first day is over.
      if (last === undefined || (await sweepOrgs(deps, stop))) await note(day);
    } finally {
      await ops.leases.release(lease);
    }
  });
}
