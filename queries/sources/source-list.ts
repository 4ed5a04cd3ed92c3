import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../../src/catalogue/catalogue.ts';
import { type SourceFilters, sourceFilter } from '../../src/catalogue/lists/part-facets.ts';
import { findOrg } from '../../src/catalogue/resolve.ts';
import { allSight, isProductVisible, publicSight, type Sight } from '../../src/catalogue/visibility.ts';
import { isId } from '../../src/kernel/ids.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceRecord } from '../shape/source/source-record.ts';

export interface SourceListInput extends SourceFilters {
  /** Any identifier of an org. */
  readonly org: string | null;
  /** Its id, and nothing else. */
  readonly orgId: string | null;
  /** A slug, of whatever org, or an id. */
  readonly product: string | null;
  readonly slug: string | null;
  /** Substring of name, slug or URL, in any case. */
  readonly q: string | null;
  readonly page: number;
  readonly limit: number;
}

export const sourceListReads = catalogueReads;

const productIdsOf = (catalogue: Catalogue, identifier: string, sight: Sight): Set<string> => {
  const found = isId('prod', identifier) ? [catalogue.product(identifier)] : catalogue.productsBySlug(identifier);
  const isSeen = (product: ProductDocument | undefined): product is ProductDocument =>
    product !== undefined && isProductVisible(catalogue, product, sight);
  return new Set(found.filter(isSeen).map(({ id }) => id));
};

/** Those that one of the names leads to, each of which leads to few; null when none is given. */
const namedSources = (
  catalogue: Catalogue,
  { org, orgId, product, slug, includeHidden }: SourceListInput,
): readonly SourceDocument[] | null => {
  const orgIds = new Set(orgId === null ? [] : [orgId]);
  if (org !== null) {
    const found = findOrg(catalogue, org, includeHidden);
    if (found === undefined) return [];
    orgIds.add(found.id);
  }
  const [only] = orgIds;
  if (orgIds.size > 1) return [];
  const productIds = product === null ? null : productIdsOf(catalogue, product, includeHidden ? allSight : publicSight);
  const isNamed = (source: SourceDocument): boolean =>
    (only === undefined || source.orgId === only) &&
    (productIds === null || (source.productId !== null && productIds.has(source.productId))) &&
    (slug === null || source.slug === slug);
  if (slug !== null) return catalogue.sourcesBySlug(slug).filter(isNamed);
  if (productIds !== null) return [...productIds].flatMap(catalogue.sourcesOfProduct).filter(isNamed);
  return only === undefined ? null : catalogue.sourcesOfOrg(only);
};

/** Sources by name (contract 5.1). */
export const sourceList = async (
  deps: Pick<QueryDeps, 'catalogue' | 'fetchStates'>,
  input: SourceListInput,
  asking: Asking,
) => {
  const { catalogue } = deps;
  const { page, limit, q, includeHidden } = input;
  const wanted = { filter: sourceFilter(input), part: q?.toLowerCase() ?? '', page, limit };
  const named = namedSources(catalogue, input);
  const list = catalogue.sourceList();
  const { items, pagination } = named === null ? list.page(wanted) : list.pageAmong(named, wanted);
  const states = await deps.fetchStates(items.map(({ id }) => id));
  const sight = includeHidden ? allSight : publicSight;
  const records = items.map((source, index) => sourceRecord(deps, { source, fetched: states[index]! }, sight, asking));
  return { items: records, pagination };
};
