import { overviewsProjection, type OverviewDocument } from '../projections/overviews/overviews.ts';
import { releaseFeedProjection } from '../projections/release-feed/release-feed.ts';
import { isShownToAll } from '../src/domain/release/visible.ts';
import { orgOverview, productOverview } from './shape/overview.ts';
import type { QueryDeps } from './shape/query-deps.ts';

export const overviewReads = [overviewsProjection, releaseFeedProjection];

type OverviewDeps = Pick<QueryDeps, 'models' | 'catalogue'>;

/** A generated text goes with what it was made of: until it is written anew there is none. */
export const unlessWithdrawn = async (
  { models, catalogue }: OverviewDeps,
  overview: OverviewDocument | undefined,
  nowMs: number,
): Promise<OverviewDocument | undefined> => {
  const releaseIds = overview?.toldReleaseIds ?? [];
  if (releaseIds.length === 0) return overview;
  const rows = await models.of(releaseFeedProjection).get(releaseIds);
  const shown = rows.filter((row) => isShownToAll(row, catalogue.source(row.sourceId), nowMs));
  return shown.length === releaseIds.length ? overview : undefined;
};

/** The one that was written about an org or product, as it is stored. */
export const shownOverview = async (
  deps: OverviewDeps,
  ownerId: string,
  nowMs: number,
): Promise<OverviewDocument | undefined> => {
  const [written] = await deps.models.of(overviewsProjection).get([ownerId]);
  return unlessWithdrawn(deps, written, nowMs);
};

/** Of an org or product, by its id; null when none was written. */
export const overviewOf = async (deps: OverviewDeps, ownerId: string, nowMs: number) => {
  const { catalogue } = deps;
  const overview = await shownOverview(deps, ownerId, nowMs);
  if (overview === undefined) return null;
  const org = catalogue.org(ownerId);
  if (org !== undefined) return orgOverview(org, overview);
  const product = catalogue.product(ownerId);
  return product === undefined ? null : productOverview(product, catalogue.org(product.orgId), overview);
};
