import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { Category, Kind } from '../domain/enumerations.ts';
import { inheritedCategory } from '../domain/inherited-category.ts';
import { isVisible, isVisibleInOrg } from '../domain/release/visible.ts';
import type { EntityReads } from './catalogue.ts';

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

type Part = ProductDocument | SourceDocument;
type Entity = OrgDocument | Part;

/** By itself, whatever its org is. */
export const isSeen = (entity: Entity, { includeHidden, unveiled }: Sight): boolean =>
  isVisible(entity, includeHidden || unveiled.has(entity.id));

const orgOf = (catalogue: EntityReads, { orgId }: Part): OrgDocument | undefined =>
  orgId === null ? undefined : catalogue.org(orgId);

const isPartVisible = (catalogue: EntityReads, part: Part, sight: Sight): boolean =>
  isVisibleInOrg<Entity>(part, orgOf(catalogue, part), (entity) => isSeen(entity, sight));

export const isOrgVisible = (org: OrgDocument, sight: Sight = publicSight): boolean => isSeen(org, sight);

export const isProductVisible = (catalogue: EntityReads, product: ProductDocument, sight = publicSight): boolean =>
  isPartVisible(catalogue, product, sight);

/** A source does not depend on its product: without it, it simply has none. */
export const isSourceVisible = (catalogue: EntityReads, source: SourceDocument, sight = publicSight): boolean =>
  isPartVisible(catalogue, source, sight);

/** Of what belongs to one org: it is looked up once for all of them. */
const visibleParts = <P extends Part>(parts: readonly P[], org: OrgDocument | undefined, sight: Sight): P[] =>
  org !== undefined && isSeen(org, sight) ? parts.filter((part) => isSeen(part, sight)) : [];

export const visibleProductsOf = (catalogue: EntityReads, orgId: string, sight = publicSight): ProductDocument[] =>
  visibleParts(catalogue.productsOfOrg(orgId), catalogue.org(orgId), sight);

export const visibleSourcesOf = (catalogue: EntityReads, orgId: string, sight = publicSight): SourceDocument[] =>
  visibleParts(catalogue.sourcesOfOrg(orgId), catalogue.org(orgId), sight);

export const visibleSourcesOfProduct = (
  catalogue: EntityReads,
  productId: string,
  sight = publicSight,
): SourceDocument[] =>
  catalogue.sourcesOfProduct(productId).filter((source) => isSourceVisible(catalogue, source, sight));

/** The product that is shown with a source and its releases. */
export const shownProduct = (
  catalogue: EntityReads,
  { productId }: SourceDocument,
  sight = publicSight,
): ProductDocument | null => {
  const product = productId === null ? undefined : catalogue.product(productId);
  return product !== undefined && isProductVisible(catalogue, product, sight) ? product : null;
};

/** The kind of a source, else of its product (contract 2.8). */
export const resolvedKind = (catalogue: EntityReads, source: SourceDocument, sight = publicSight): Kind | null =>
  source.kind ?? shownProduct(catalogue, source, sight)?.kind ?? null;

export const resolvedCategory = (
  catalogue: EntityReads,
  source: SourceDocument,
  sight = publicSight,
): Category | null =>
  inheritedCategory(shownProduct(catalogue, source, sight)?.category, orgOf(catalogue, source)?.category);
