import type { OrgDocument } from '../../../projections/org/org.ts';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import {
  categories,
  type Category,
  type Kind,
  kinds,
  type SourceType,
  sourceTypes,
} from '../../domain/enumerations.ts';
import { inheritedCategory } from '../../domain/inherited-category.ts';
import { isVisible, isVisibleInOrg } from '../../domain/release/visible.ts';
import { type FacetField, facetFields } from './facet-fields.ts';
import type { FacetFilter, Facets } from './faceted-list.ts';

const maskOf = ({ shift, bits }: FacetField): Facets => ((1 << bits) - 1) << shift;

const { hidden, kind, type, standalone, hasFeed, category, categoryToAll } = facetFields({
  hidden: 1,
  kind: kinds.length,
  type: sourceTypes.length,
  standalone: 1,
  hasFeed: 1,
  category: categories.length,
  /** As those see it who see what is hidden: a hidden product gives its sources a category, too. */
  categoryToAll: categories.length,
});

const numberIn = <Value>(values: readonly Value[], value: Value | null): number =>
  value === null ? 0 : values.indexOf(value) + 1;

const put = ({ shift }: FacetField, value: number): Facets => value << shift;

/** Only the fields that are given are looked at. */
const filterOf = (...fields: readonly (readonly [FacetField, number] | null)[]): FacetFilter => {
  const asked = fields.filter((field) => field !== null);
  return {
    mask: asked.reduce((mask, [field]) => mask | maskOf(field), 0),
    value: asked.reduce((facets, [field, value]) => facets | put(field, value), 0),
  };
};

type Entity = OrgDocument | ProductDocument | SourceDocument;
type Part = ProductDocument | SourceDocument;

const isSeenBy = (part: Part, org: OrgDocument | undefined, seesHidden: boolean): boolean =>
  isVisibleInOrg<Entity>(part, org, (entity) => isVisible(entity, seesHidden));

const hiddenness = (part: Part, org: OrgDocument | undefined): Facets =>
  put(hidden, isSeenBy(part, org, false) ? 0 : 1);

/** Null: nobody sees it. */
export const productFacets = (product: ProductDocument, org: OrgDocument | undefined): Facets | null =>
  isSeenBy(product, org, true)
    ? hiddenness(product, org) |
      put(kind, numberIn(kinds, product.kind)) |
      put(category, numberIn(categories, product.category))
    : null;

export interface ProductFilters {
  readonly kind: Kind | null;
  /** Its own. */
  readonly category?: Category | null;
  readonly includeHidden: boolean;
}

export const productFilter = (wanted: ProductFilters): FacetFilter =>
  filterOf(
    wanted.includeHidden ? null : [hidden, 0],
    wanted.kind === null ? null : [kind, numberIn(kinds, wanted.kind)],
    wanted.category == null ? null : [category, numberIn(categories, wanted.category)],
  );

/** Those that everybody sees. */
export const publicProductFilter = (category: Category | null): FacetFilter =>
  productFilter({ kind: null, category, includeHidden: false });

const categoryOf = (org: OrgDocument | undefined, product: ProductDocument | undefined): number =>
  numberIn(categories, inheritedCategory(product?.category, org?.category));

interface Parents {
  readonly org: OrgDocument | undefined;
  readonly product: ProductDocument | undefined;
}

export const sourceFacets = (source: SourceDocument, { org, product }: Parents): Facets | null => {
  if (!isSeenBy(source, org, true)) return null;
  const productSeen = (seesHidden: boolean) =>
    product !== undefined && isSeenBy(product, org, seesHidden) ? product : undefined;
  const isFed = source.type === 'feed' || typeof source.metadata['feedUrl'] === 'string';
  return (
    hiddenness(source, org) |
    put(kind, numberIn(kinds, source.kind)) |
    put(type, numberIn(sourceTypes, source.type)) |
    put(standalone, source.orgId === null ? 1 : 0) |
    put(hasFeed, isFed ? 1 : 0) |
    put(category, categoryOf(org, productSeen(false))) |
    put(categoryToAll, categoryOf(org, productSeen(true)))
  );
};

export interface SourceFilters {
  /** Only those without an org. */
  readonly independent: boolean;
  readonly hasFeed: boolean;
  readonly type: SourceType | null;
  /** Its own. */
  readonly kind: Kind | null;
  readonly category: Category | null;
  readonly includeHidden: boolean;
}

export const sourceFilter = (wanted: SourceFilters): FacetFilter =>
  filterOf(
    wanted.includeHidden ? null : [hidden, 0],
    wanted.kind === null ? null : [kind, numberIn(kinds, wanted.kind)],
    wanted.type === null ? null : [type, numberIn(sourceTypes, wanted.type)],
    wanted.independent ? [standalone, 1] : null,
    wanted.hasFeed ? [hasFeed, 1] : null,
    wanted.category === null
      ? null
      : [wanted.includeHidden ? categoryToAll : category, numberIn(categories, wanted.category)],
  );

/** Those that everybody sees. */
export const publicSourceFilter: FacetFilter = filterOf([hidden, 0]);
