import { instantsOfProduct, instantsOfSource } from '../src/catalogue/entity-numbers.ts';
import { recentReleaseCount, releaseCount } from '../src/catalogue/numbers.ts';
import { resolveProduct } from '../src/catalogue/resolve.ts';
import { sightOn } from '../src/catalogue/visibility.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';
import { trackingSince } from './shape/tracking-since.ts';

/** What the detail of a product does not tell, and its document does. */
export interface ProductNumbers {
  readonly releaseCount: number;
  readonly releasesLast30Days: number;
  readonly trackingSince: string;
  readonly releaseCountOf: (sourceId: string) => number;
}

export const productNumbers = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  productId: string,
  { nowMs, admin }: Asking,
): ProductNumbers => {
  const product = resolveProduct(catalogue, productId, admin);
  const sight = sightOn(admin, product.id, product.orgId);
  const instants = instantsOfProduct(catalogue, product.id, sight);
  return {
    releaseCount: releaseCount(instants, nowMs),
    releasesLast30Days: recentReleaseCount(instants, nowMs),
    trackingSince: trackingSince(instants, product, nowMs),
    releaseCountOf: (sourceId) => {
      const source = catalogue.source(sourceId);
      return source === undefined ? 0 : releaseCount(instantsOfSource(catalogue, source, sight), nowMs);
    },
  };
};
