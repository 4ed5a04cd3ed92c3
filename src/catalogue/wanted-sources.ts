import type { SourceDocument } from '../../projections/source/source.ts';
import { type Category, type Kind, type SourceType, sourceTypes } from '../domain/enumerations.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { Catalogue, EntityReads } from './catalogue.ts';
import type { VisibleMember } from './collection-members.ts';
import {
  compareFeedPlaces,
  type NewestOfSource,
  newestOfSource,
  type WantedReleases,
} from './instants/newest-of-source.ts';
import type { LargeGroup } from './lists/large-groups.ts';
import type { PublicSources } from './lists/public-sources.ts';
import { isSourceVisible, publicSight, resolvedCategory, resolvedKind, type Sight } from './visibility.ts';

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

/** All that are seen. */
export const wholeOrg: WantedOfOrg = { types: sourceTypes, kind: null };

/** Of which sources searches find something. */
export interface SearchedOfOrg extends WantedOfOrg {
  /** Null: of whatever category. */
  readonly category: Category | null;
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

const largeGroupOf = (catalogue: Catalogue, { orgId, product }: OrgScope): LargeGroup | undefined =>
  product === null ? catalogue.largeOrg(orgId) : catalogue.largeProduct(product.id);

const wantedOneByOne = (catalogue: Catalogue, scope: OrgScope, wanted: WantedOfOrg): SourceDocument[] => {
  const { orgId, product } = scope;
  const sources = product === null ? catalogue.sourcesOfOrg(orgId) : catalogue.sourcesOfProduct(product.id);
  return sources.filter(isWantedOfOrg(catalogue, scope, wanted));
};

/** Those of an org, or of one of its products, that a search looks into: with releases or without. */
export const searchedSourcesOfOrg = (
  catalogue: Catalogue,
  scope: OrgScope,
  wanted: SearchedOfOrg,
): ReadonlySet<string> => {
  const { types, kind, category } = wanted;
  const large = largeGroupOf(catalogue, scope);
  if (large === undefined) {
    const sources = wantedOneByOne(catalogue, scope, wanted);
    const isOfCategory = (source: SourceDocument): boolean =>
      category === null || resolvedCategory(catalogue, source, scope.sight) === category;
    return new Set(sources.filter(isOfCategory).map(({ id }) => id));
  }
  return large.idsOf(
    `${types.join()} ${kind} ${category}`,
    (source) =>
      types.includes(source.type) &&
      (kind === null || source.kind === kind) &&
      (category === null || source.category === category),
  );
};

/** Those of an org, or of one of its products, that are wanted. */
export const sourcesOfOrg = (catalogue: Catalogue, scope: OrgScope, wanted: WantedOfOrg): ListedSources => {
  const { types, kind } = wanted;
  const large = largeGroupOf(catalogue, scope);
  if (large === undefined) return theseSources(catalogue, wantedOneByOne(catalogue, scope, wanted));
  const isWanted = isWantedOfOrg(catalogue, scope, wanted);
  return {
    ...large.those(({ type, topic }) => types.includes(type) && (kind === null || topic === kind)),
    has: (sourceId) => {
      const source = catalogue.source(sourceId);
      return source !== undefined && isWanted(source);
    },
    ids: () => searchedSourcesOfOrg(catalogue, scope, { ...wanted, category: null }),
  };
};

/** The newest of several lists, each of a source where it comes first. */
function* mergeNewest(lists: readonly Iterable<NewestOfSource>[]): Generator<NewestOfSource> {
  const reading = lists.map((list) => list[Symbol.iterator]());
  const heads = reading.map((list) => list.next());
  const found = new Set<string>();
  for (;;) {
    let first: { readonly at: number; readonly newest: NewestOfSource } | undefined;
    for (const [at, head] of heads.entries()) {
      if (!head.done && (first === undefined || compareFeedPlaces(head.value, first.newest) < 0)) {
        first = { at, newest: head.value };
      }
    }
    if (first === undefined) return;
    heads[first.at] = reading[first.at]!.next();
    if (found.has(first.newest.sourceId)) continue;
    found.add(first.newest.sourceId);
    yield first.newest;
  }
}

/** Whether everybody sees a source, and it is of a member of a collection. */
export const isOfMembers = (
  catalogue: EntityReads,
  members: readonly VisibleMember[],
): ((sourceId: string) => boolean) => {
  const memberIds = new Set(members.map(({ member }) => member.id));
  return (sourceId) => {
    const source = catalogue.source(sourceId);
    return (
      source !== undefined &&
      [source.orgId, source.productId].some((id) => id !== null && memberIds.has(id)) &&
      isSourceVisible(catalogue, source)
    );
  };
};

const scopeOfMember = ({ org, product }: VisibleMember): OrgScope => ({ orgId: org.id, product, sight: publicSight });

/** Those of all members of a collection that a search looks into. */
export const searchedSourcesOfMembers = (
  catalogue: Catalogue,
  members: readonly VisibleMember[],
  wanted: SearchedOfOrg,
): ReadonlySet<string> => {
  const found = members.map((member) => searchedSourcesOfOrg(catalogue, scopeOfMember(member), wanted));
  return found.length === 1 ? found[0]! : new Set(found.flatMap((ids) => [...ids]));
};

/** Those of all members of a collection, which everybody sees; of members with very many none is looked at here. */
export const sourcesOfMembers = (catalogue: Catalogue, members: readonly VisibleMember[]): WantedSources => {
  const large: PublicSources[] = [];
  const few: SourceDocument[] = [];
  for (const member of members) {
    const scope = scopeOfMember(member);
    const group = largeGroupOf(catalogue, scope);
    if (group === undefined) few.push(...wantedOneByOne(catalogue, scope, wholeOrg));
    else large.push(group.those(() => true));
  }
  const ofFew = theseSources(catalogue, few);
  return {
    // Those of a product twice, where its org is a member, too.
    count: large.reduce((sum, { count }) => sum + count, ofFew.count),
    has: isOfMembers(catalogue, members),
    newestFirst: (wanted) => mergeNewest([ofFew, ...large].map((list) => list.newestFirst(wanted))),
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
