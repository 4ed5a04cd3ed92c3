import { orgProjection } from '../../../projections/org/org.ts';
import { sourceProjection } from '../../../projections/source/source.ts';
import { isDomainError } from '../../kernel/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import { startEveryDay } from './every-day.ts';
import type { MinuteJob } from './every-minute.ts';

const orgsPerPage = 500;
const sourcesPerPage = 50;

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

/** Each org is decided on by its own stream, so two sweeps at once would do no harm. */
export const startDailySweep = (deps: DailySweepDeps): Promise<MinuteJob> =>
  startEveryDay({ ...deps, id: 'orgs', leaseName: 'daily-sweep', failure: 'the daily sweep failed' }, (stop) =>
    sweepOrgs(deps, stop),
  );
