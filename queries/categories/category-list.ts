import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { publicProductFilter } from '../../src/catalogue/lists/part-facets.ts';
import { categories } from '../../src/domain/enumerations.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { categoryCard } from './category-card.ts';

export const categoryReads = catalogueReads;

/** All categories, with how many orgs and products everybody sees in them (contract 10.3). */
export const categoryList = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, { nowMs }: Pick<Asking, 'nowMs'>) => ({
  items: categories.map((category) => ({
    ...categoryCard(category),
    orgCount: catalogue.publicOrgs(category, nowMs).all.length,
    productCount: catalogue.productList().count(publicProductFilter(category)),
  })),
});
