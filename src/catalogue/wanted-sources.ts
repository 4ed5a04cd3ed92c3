import type { SourceDocument } from '../../projections/source/source.ts';
import type { Category, Kind, SourceType } from '../domain/enumerations.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { Catalogue, EntityReads } from './catalogue.ts';
import {
  compareFeedPlaces,
  type NewestOfSource,
  newestOfSource,
  type WantedReleases,
} from './instants/newest-of-source.ts';
import type { SourceGroup } from './lists/public-sources.ts';
import { isSourceVisible, resolvedCategory, resolvedKind, type Sight } from './visibility.ts';

/** The sources whose releases a feed shows. */
export interface WantedSources {
  readonly count: number;
  readonly has: (sourceId: string) => boolean;
  /** Those that have something of what is wanted, by the newest of it. */
  readonly newestFirst: (wanted: WantedReleases) => Iterable<NewestOfSource>;
}

/** Those of which searches are told each one. */
export interface ListedSources extends WantedSources {
  /** Read at once, and not changed. */
  readonly ids: () => ReadonlySet<string>;
}

export const theseSources = (catalogue: Catalogue, sources: readonly Pick<SourceDocument, 'id'>[]): ListedSources => {
  const ids = new Set(sources.map(({ id }) => id));
  return {
    count: ids.size,
    has: (sourceId) => ids.has(sourceId),
    ids: () => ids,
    newestFirst: (wanted) =>
      [...ids].flatMap((id) => newestOfSource(id, catalogue.instantsOf(id), wanted) ?? []).sort(compareFeedPlaces),
  };
};

/** Who looks at which org, and there maybe at one product only; both are seen. */
export interface OrgScope {
  readonly orgId: string;
  readonly product: ProductDocument | null;
  readonly sight: Sight;
}

export interface WantedOfOrg {
  readonly types: readonly SourceType[];
  /** Null: of whatever kind. */
  readonly kind: Kind | null;
}

/** Whether a source is seen there and wanted. */
export const isWantedOfOrg =
  (catalogue: EntityReads, { orgId, product, sight }: OrgScope, { types, kind }: WantedOfOrg) =>
  (source: SourceDocument): boolean =>
    source.orgId === orgId &&
    types.includes(source.type) &&
    (product === null || source.productId === product.id) &&
    isSourceVisible(catalogue, source, sight) &&
    (kind === null || resolvedKind(catalogue, source, sight) === kind);

/** Those of an org, or of one of its products, that are wanted. */
export const sourcesOfOrg = (catalogue: Catalogue, scope: OrgScope, wanted: WantedOfOrg): ListedSources => {
  const { orgId, product } = scope;
  const { types, kind } = wanted;
  const isWanted = isWantedOfOrg(catalogue, scope, wanted);
  const large = product === null ? catalogue.largeOrg(orgId) : catalogue.largeProduct(product.id);
  if (large === undefined) {
    const sources = product === null ? catalogue.sourcesOfOrg(orgId) : catalogue.sourcesOfProduct(product.id);
    return theseSources(catalogue, sources.filter(isWanted));
  }
  const isWantedGroup = ({ type, topic }: SourceGroup<Kind>): boolean =>
    types.includes(type) && (kind === null || topic === kind);
  return {
    ...large.those(isWantedGroup),
    has: (sourceId) => {
      const source = catalogue.source(sourceId);
      return source !== undefined && isWanted(source);
    },
    ids: () => large.idsOf(`${types.join()} ${kind}`, isWantedGroup),
  };
};

/** All that everybody sees and that have releases, but for some types. */
export const allPublicSources = (catalogue: Catalogue, exclude: readonly SourceType[]): WantedSources => ({
  ...catalogue.publicSources(exclude),
  has: (sourceId) => {
    const source = catalogue.source(sourceId);
    return source !== undefined && !exclude.includes(source.type) && isSourceVisible(catalogue, source);
  },
});

/** All that everybody sees whose releases belong to a category. */
export const sourcesOfCategory = (catalogue: Catalogue, category: Category): WantedSources => ({
  ...catalogue.publicSourcesOfCategory(category),
  has: (sourceId) => {
    const source = catalogue.source(sourceId);
    return (
      source !== undefined && isSourceVisible(catalogue, source) && resolvedCategory(catalogue, source) === category
    );
  },
});
