import type { SourceDocument } from '../../projections/source/source.ts';
import type { Category } from '../domain/enumerations.ts';
import { byName } from '../domain/name-key.ts';
import type { Catalogue, NumberedEntities } from './catalogue.ts';
import { type InstantsList, releaseCount } from './numbers.ts';
import { isSourceVisible, publicSight, visibleProductsOf, visibleSourcesOfProduct } from './visibility.ts';

const topProductsMax = 3;

export const instantsOfSources = (catalogue: NumberedEntities, sources: readonly SourceDocument[]): InstantsList =>
  sources.map(({ id }) => catalogue.instantsOf(id));

export const instantsOfProduct = (catalogue: NumberedEntities, productId: string, sight = publicSight): InstantsList =>
  instantsOfSources(catalogue, visibleSourcesOfProduct(catalogue, productId, sight));

export const instantsOfSource = (
  catalogue: NumberedEntities,
  source: SourceDocument,
  sight = publicSight,
): InstantsList => (isSourceVisible(catalogue, source, sight) ? [catalogue.instantsOf(source.id)] : []);

/** Names of the products with the most releases. */
export const topProducts = (catalogue: Catalogue, orgId: string, nowMs: number, sight = publicSight): string[] => {
  const products = visibleProductsOf(catalogue, orgId, sight);
  // Most orgs have one, which comes first however many releases it has.
  if (products.length <= 1) return products.map(({ name }) => name);
  return products
    .map((product) => ({ product, count: releaseCount(instantsOfProduct(catalogue, product.id, sight), nowMs) }))
    .sort((a, b) => b.count - a.count || byName(a.product, b.product))
    .slice(0, topProductsMax)
    .map(({ product }) => product.name);
};

/** Visible orgs without a counted release, of one category or of all. */
export const emptyOrgCount = (catalogue: Catalogue, category: Category | null, nowMs: number): number => {
  const { all, withReleases } = catalogue.publicOrgs(category, nowMs);
  return all.length - withReleases.length;
};
