import { publicProductFilter } from '../../src/catalogue/lists/part-facets.ts';
import { listedOrg, listedProduct } from '../shape/listed-entities.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { categoryCard, resolveCategory } from './category-card.ts';

/** A category with the orgs and products that say they belong to it, by name (contract 10.3). */
export const categoryDetail = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { category: slug }: { readonly category: string },
  { nowMs }: Pick<Asking, 'nowMs'>,
) => {
  const category = resolveCategory(slug);
  return {
    ...categoryCard(category),
    orgs: catalogue.publicOrgs(category, nowMs).all.map(listedOrg),
    products: catalogue
      .productList()
      .all(publicProductFilter(category))
      .map((product) => listedProduct(catalogue, product)),
  };
};
