import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { allSight, sightOn, visibleProductsOf } from '../../src/catalogue/visibility.ts';
import type { Kind } from '../../src/domain/enumerations.ts';
import { byName } from '../../src/domain/name-key.ts';
import { pageOf } from '../../src/kernel/paging/page.ts';
import { shownProducts } from '../shape/product-record.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export interface OrgProductsInput {
  readonly org: string;
  /** The product's own. */
  readonly kind: Kind | null;
  /** Those that only admins see. */
  readonly includeHidden: boolean;
  readonly page: number;
  readonly limit: number;
}

export const orgProductsReads = catalogueReads;

export const orgProducts = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { org, kind, includeHidden, ...paging }: OrgProductsInput,
  { admin }: Pick<Asking, 'admin'>,
) => {
  const { id } = resolveOrg(catalogue, org, admin);
  const sight = includeHidden ? allSight : sightOn(admin, id);
  const products = visibleProductsOf(catalogue, id, sight)
    .filter((product) => kind === null || product.kind === kind)
    .sort(byName);
  const { items, pagination } = pageOf(products, paging);
  return { items: shownProducts(catalogue, items, sight), pagination };
};
