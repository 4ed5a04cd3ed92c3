import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import {
  resolveCollection,
  resolveOrg,
  resolveProduct,
  resolveProductOf,
  resolveProductSlug,
} from '../../src/catalogue/resolve.ts';
import { isSourceVisible, publicSight, type Sight, sightOn } from '../../src/catalogue/visibility.ts';
import {
  isOfMembers,
  searchedSourcesOfMembers,
  searchedSourcesOfOrg,
  wholeOrg,
} from '../../src/catalogue/wanted-sources.ts';
import type { Category, Kind } from '../../src/domain/enumerations.ts';
import { isId } from '../../src/kernel/ids.ts';
import type { SearchFilter } from '../../src/ports/search-index.ts';

/** What hits are filtered by, besides their dates (contract 7.1). */
export interface ScopeFilters {
  readonly kind: Kind | null;
  readonly org: string | null;
  /** A slug or an id; of the org, if one is given. */
  readonly product: string | null;
  readonly category: Category | null;
  readonly collection: string | null;
}

/** The sources whose hits are wanted, and how they are seen. */
export interface SearchScope {
  readonly sources: SearchFilter['sources'];
  readonly sight: Sight;
  /** As of now; the index may be a moment behind. */
  readonly hasSource: (sourceId: string) => boolean;
}

const productOf = (catalogue: Catalogue, orgId: string | null, product: string, admin: boolean) => {
  if (orgId !== null) return resolveProductOf(catalogue, orgId, product, admin);
  return isId('prod', product)
    ? resolveProduct(catalogue, product, admin)
    : resolveProductSlug(catalogue, product, admin);
};

interface Named {
  /** Null where no name narrows them. */
  readonly sources: ReadonlySet<string> | null;
  readonly sight: Sight;
}

/** Those that org, product and collection lead to, of the kind and category. */
function namedSources(catalogue: Catalogue, filters: ScopeFilters, admin: boolean): Named {
  const org = filters.org === null ? null : resolveOrg(catalogue, filters.org, admin);
  const product = filters.product === null ? null : productOf(catalogue, org?.id ?? null, filters.product, admin);
  const collection = filters.collection === null ? null : resolveCollection(catalogue, filters.collection);
  const orgId = org?.id ?? product?.orgId ?? null;
  const sight = sightOn(admin, orgId, product?.id ?? null);
  const wanted = { ...wholeOrg, kind: filters.kind, category: filters.category };
  const owned = orgId === null ? null : searchedSourcesOfOrg(catalogue, { orgId, product, sight }, wanted);
  if (collection === null) return { sources: owned, sight };
  const members = catalogue.membersOf(collection);
  if (owned === null) return { sources: searchedSourcesOfMembers(catalogue, members, wanted), sight };
  return { sources: new Set([...owned].filter(isOfMembers(catalogue, members))), sight };
}

const both = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> => {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  return new Set([...few].filter((id) => many.has(id)));
};

/** Nothing here goes through all sources: the catalogue keeps these sets. */
function keptSources(catalogue: Catalogue, { kind, category }: ScopeFilters): SearchFilter['sources'] {
  const { unseen, ofKind, ofCategory } = catalogue.sourceSets();
  if (kind !== null && category !== null) return { in: both(ofKind(kind), ofCategory(category)) };
  if (kind !== null) return { in: ofKind(kind) };
  return category === null ? { notIn: unseen() } : { in: ofCategory(category) };
}

export function searchScope(catalogue: Catalogue, filters: ScopeFilters, admin: boolean): SearchScope {
  const { sources: named, sight } = namedSources(catalogue, filters, admin);
  if (named !== null) return { sources: { in: named }, sight, hasSource: (sourceId) => named.has(sourceId) };
  const sources = keptSources(catalogue, filters);
  const hasSource = (sourceId: string) => {
    if ('in' in sources) return sources.in.has(sourceId);
    const source = catalogue.source(sourceId);
    return source !== undefined && isSourceVisible(catalogue, source);
  };
  return { sources, sight: publicSight, hasSource };
}
