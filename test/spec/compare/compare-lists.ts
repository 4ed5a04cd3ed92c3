import { productList } from '../../../queries/product-list.ts';
import { sourceList } from '../../../queries/sources/source-list.ts';
import { categories, kinds, sourceTypes } from '../../../src/domain/enumerations.ts';
import { naiveProductList, naiveSourceList } from '../naive/naive-lists.ts';
import { asAdmin, type Comparison, publicly, same } from './comparison.ts';

const roundsOfSources = 12;
const someKinds = kinds.slice(0, 3);

/** Pages of any size, one of them past the end; the total holds for each. */
const samePages = async (
  what: string,
  expected: readonly object[],
  limit: number,
  ask: (paging: { readonly page: number; readonly limit: number }) => unknown,
): Promise<void> => {
  for (let page = 1; (page - 1) * limit <= expected.length; page += 1) {
    const items = expected.slice((page - 1) * limit, page * limit);
    const pagination = {
      page,
      pageSize: limit,
      returned: items.length,
      totalItems: expected.length,
      totalPages: Math.max(1, Math.ceil(expected.length / limit)),
      hasMore: page * limit < expected.length,
    };
    same(`${what}, page ${page} of ${limit}`, { items, pagination }, await ask({ page, limit }));
  }
};

export const compareProductList = async ({ reading, view, random }: Comparison): Promise<void> => {
  const orgIds = view.registry.orgs.map(({ id }) => id);
  for (const orgId of [null, ...orgIds]) {
    const kind = random.pick([null, null, ...someKinds]);
    const includeHidden = random.chance(30);
    const expected = naiveProductList(view, { orgId, kind, includeHidden });
    await samePages(`products of ${orgId}, ${kind}`, expected, random.pick([1, 3, 500]), async (paging) =>
      productList(reading, { org: orgId, kind, includeHidden, ...paging }),
    );
  }
};

/** Mostly one or two filters at once, of values that there are. */
const randomFilters = ({ view, random }: Comparison) => {
  const { orgs, products, sources } = view.registry;
  const maybe = <Value>(values: readonly Value[]): Value | null =>
    values.length === 0 || random.chance(75) ? null : random.pick(values);
  const partOf = (text: string): string => {
    const from = random.int(0, Math.max(0, text.length - 1));
    return text.slice(from, from + random.int(1, 6));
  };
  const texts = sources.flatMap(({ name, slug, url }) => [name, slug, url, name.toUpperCase()]);
  return {
    independent: random.chance(10),
    hasFeed: random.chance(15),
    type: maybe(sourceTypes),
    kind: maybe(someKinds),
    category: maybe(categories.slice(0, 3)),
    includeHidden: random.chance(20),
    orgId: maybe(orgs.map(({ id }) => id)),
    product: maybe(products.flatMap(({ id, slug }) => [id, slug])),
    slug: maybe(sources.map(({ slug }) => slug)),
    q: maybe(texts.map(partOf)),
  };
};

export const compareSourceList = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  for (let round = 0; round < roundsOfSources; round += 1) {
    const filters = randomFilters(comparison);
    const asking = filters.includeHidden ? asAdmin(comparison) : publicly(comparison);
    // The two ways to name an org are one filter.
    const [org, orgId] = random.chance(50) ? [filters.orgId, null] : [null, filters.orgId];
    const expected = naiveSourceList(view, filters);
    await samePages(`sources by ${JSON.stringify(filters)}`, expected, random.pick([1, 5, 500]), (paging) =>
      sourceList(reading, { ...filters, org, orgId, ...paging }, asking),
    );
  }
};
