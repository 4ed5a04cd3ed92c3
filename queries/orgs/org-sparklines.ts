import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { instantsOfProduct, instantsOfSources } from '../../src/catalogue/entity-numbers.ts';
import { recentDays, sparkline } from '../../src/catalogue/numbers.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { sightOn, visibleProductsOf, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { byName } from '../../src/domain/name-key.ts';
import { lastDays } from '../shape/day-range.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const orgSparklinesReads = catalogueReads;

/** Releases of each of the last 30 days, of the org and of each of its products and sources (contract 3.5). */
export const orgSparklines = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { org: identifier }: { readonly org: string },
  { nowMs, admin }: Asking,
) => {
  const org = resolveOrg(catalogue, identifier, admin);
  const sight = sightOn(admin, org.id);
  const sources = visibleSourcesOf(catalogue, org.id, sight).sort(byName);
  const products = visibleProductsOf(catalogue, org.id, sight).sort(byName);
  return {
    org: { slug: org.slug, name: org.name },
    range: lastDays(recentDays, nowMs),
    aggregate: sparkline(instantsOfSources(catalogue, sources), nowMs),
    sources: sources.map(({ id, slug, name }) => ({
      slug,
      name,
      sparkline: sparkline([catalogue.instantsOf(id)], nowMs),
    })),
    products: products.map(({ id, slug, name }) => ({
      slug,
      name,
      sparkline: sparkline(instantsOfProduct(catalogue, id, sight), nowMs),
    })),
  };
};
