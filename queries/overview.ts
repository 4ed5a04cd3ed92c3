import { overviewsProjection } from '../projections/overviews/overviews.ts';
import { orgOverview, productOverview } from './shape/overview.ts';
import type { QueryDeps } from './shape/query-deps.ts';

/** Of an org or product, by its id; null when none was written. */
export const overviewOf = async ({ models, catalogue }: Pick<QueryDeps, 'models' | 'catalogue'>, ownerId: string) => {
  const [written] = await models.of(overviewsProjection).get([ownerId]);
  if (written === undefined) return null;
  const org = catalogue.org(ownerId);
  if (org !== undefined) return orgOverview(org, written);
  const product = catalogue.product(ownerId);
  return product === undefined ? null : productOverview(product, catalogue.org(product.orgId), written);
};
