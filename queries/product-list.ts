import { catalogueReads } from '../src/catalogue/catalogue.ts';
import { type ProductFilters, productFilter } from '../src/catalogue/lists/part-facets.ts';
import { findOrg } from '../src/catalogue/resolve.ts';
import { allSight, publicSight } from '../src/catalogue/visibility.ts';
import { shownProducts } from './shape/product-record.ts';
import type { QueryDeps } from './shape/query-deps.ts';

export interface ProductListInput extends ProductFilters {
  /** Any identifier; one that names no org has no products. */
  readonly org: string | null;
  readonly page: number;
  readonly limit: number;
}

export const productListReads = catalogueReads;

/** Products by name (contract 4). */
export const productList = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { org, page, limit, ...filters }: ProductListInput,
) => {
  const wanted = { filter: productFilter(filters), part: '', page, limit };
  const productsOf = (identifier: string) => {
    const found = findOrg(catalogue, identifier, filters.includeHidden);
    return found === undefined ? [] : catalogue.productsOfOrg(found.id);
  };
  const list = catalogue.productList();
  const { items, pagination } = org === null ? list.page(wanted) : list.pageAmong(productsOf(org), wanted);
  const sight = filters.includeHidden ? allSight : publicSight;
  return { items: shownProducts(catalogue, items, sight), pagination };
};
