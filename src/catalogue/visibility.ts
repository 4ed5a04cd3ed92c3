import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { Kind } from '../domain/enumerations.ts';
import type { Catalogue } from './catalogue.ts';

/** Who looks (contract 2.9). What is deleted nobody sees. */
export interface Sight {
  /** Hidden entities are seen like any other. */
  readonly includeHidden: boolean;
  /** Hidden entities that are addressed directly: they are seen, what is hidden below them is not. */
  readonly unveiled: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export const publicSight: Sight = { includeHidden: false, unveiled: none };
export const allSight: Sight = { includeHidden: true, unveiled: none };

/** What an admin sees who addresses these entities, and what anybody else does. */
export const sightOn = (admin: boolean, ...ids: readonly (string | null)[]): Sight =>
  admin ? { includeHidden: false, unveiled: new Set(ids.filter((id) => id !== null)) } : publicSight;

interface Hideable {
  readonly id: string;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

const isSeen = ({ id, hidden, deletedAt }: Hideable, { includeHidden, unveiled }: Sight): boolean =>
  deletedAt === null && (!hidden || includeHidden || unveiled.has(id));

export const isOrgVisible = (org: OrgDocument, sight: Sight = publicSight): boolean => isSeen(org, sight);

const isOrgIdVisible = (catalogue: Catalogue, orgId: string | null, sight: Sight): boolean => {
  if (orgId === null) return true;
  const org = catalogue.org(orgId);
  return org !== undefined && isSeen(org, sight);
};

export const isProductVisible = (catalogue: Catalogue, product: ProductDocument, sight = publicSight): boolean =>
  isSeen(product, sight) && isOrgIdVisible(catalogue, product.orgId, sight);

/** A source does not depend on its product: without it, it simply has none. */
export const isSourceVisible = (catalogue: Catalogue, source: SourceDocument, sight = publicSight): boolean =>
  isSeen(source, sight) && isOrgIdVisible(catalogue, source.orgId, sight);

export const visibleProductsOf = (catalogue: Catalogue, orgId: string, sight = publicSight): ProductDocument[] =>
  catalogue.productsOfOrg(orgId).filter((product) => isProductVisible(catalogue, product, sight));

export const visibleSourcesOf = (catalogue: Catalogue, orgId: string, sight = publicSight): SourceDocument[] =>
  catalogue.sourcesOfOrg(orgId).filter((source) => isSourceVisible(catalogue, source, sight));

export const visibleSourcesOfProduct = (
  catalogue: Catalogue,
  productId: string,
  sight = publicSight,
): SourceDocument[] =>
  catalogue.sourcesOfProduct(productId).filter((source) => isSourceVisible(catalogue, source, sight));

/** The product that is shown with a source and its releases. */
export const shownProduct = (
  catalogue: Catalogue,
  { productId }: SourceDocument,
  sight = publicSight,
): ProductDocument | null => {
  const product = productId === null ? undefined : catalogue.product(productId);
  return product !== undefined && isProductVisible(catalogue, product, sight) ? product : null;
};

/** The kind of a source, else of its product (contract 2.8). */
export const resolvedKind = (catalogue: Catalogue, source: SourceDocument, sight = publicSight): Kind | null =>
  source.kind ?? shownProduct(catalogue, source, sight)?.kind ?? null;
