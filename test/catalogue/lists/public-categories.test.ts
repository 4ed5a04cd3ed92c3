import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogueReads } from '../../../src/catalogue/catalogue.ts';
import { placeUpTo } from '../../../src/catalogue/instants/newest-of-source.ts';
import { publicProductFilter, publicSourceFilter } from '../../../src/catalogue/lists/part-facets.ts';
import { sourcesOfCategory } from '../../../src/catalogue/wanted-sources.ts';
import type { Category } from '../../../src/domain/enumerations.ts';
import { feedRunsOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { openSampleRegistry, productIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
  const { addOrg, addProduct, addSource, addRelease } = registry;
  await addOrg('acme', { category: 'ai' });
  await addProduct('rocket', 'acme', { category: 'crm' });
  await addProduct('anvil', 'acme');
  await addSource('blog', 'acme');
  await addSource('code', 'acme', { productId: productIdOf('rocket') });
  await addSource('shop', 'acme', { productId: productIdOf('anvil') });
  for (const source of ['blog', 'code', 'shop']) await addRelease(`${source}1`, source);
});
afterEach(() => registry.close());

const runs = feedRunsOf(['stable'], null);
const from = placeUpTo(Number.POSITIVE_INFINITY);

const sourcesIn = async (category: Category) => {
  await registry.catalogue.refresh();
  const wanted = sourcesOfCategory(registry.catalogue, category);
  const found = [...wanted.newestFirst({ runs, from })].map(({ sourceId }) => sourceId).sort();
  expect(wanted.count).toBe(found.length);
  for (const id of found) expect(wanted.has(id)).toBe(true);
  return found.map((id) => ['blog', 'code', 'shop'].find((name) => sourceIdOf(name) === id));
};
const productsIn = async (category: Category | null) => {
  await registry.catalogue.refresh();
  return registry.catalogue
    .productList()
    .all(publicProductFilter(category))
    .map(({ slug }) => slug);
};

describe('the sources of a category', () => {
  it('have the category of their product, else of their org', async () => {
    expect([await sourcesIn('ai'), await sourcesIn('crm')]).toEqual([['blog', 'shop'], ['code']]);
  });

  it('follow their product as it changes, is hidden, deleted and left', async () => {
    const { product, source } = registry;
    await sourcesIn('ai');
    await product('rocket', { category: 'cloud' });
    expect([await sourcesIn('crm'), await sourcesIn('cloud')]).toEqual([[], ['code']]);
    await product('rocket', 'Hidden');
    expect([await sourcesIn('cloud'), await sourcesIn('ai')]).toEqual([[], ['blog', 'code', 'shop']]);
    await product('rocket', 'Unhidden');
    expect(await sourcesIn('cloud')).toEqual(['code']);
    await product('rocket', 'Deleted');
    expect(await sourcesIn('cloud')).toEqual([]);
    await product('rocket', 'Restored');
    await source('code', { productId: null });
    expect([await sourcesIn('cloud'), await sourcesIn('ai')]).toEqual([[], ['blog', 'code', 'shop']]);
  });

  it('follow their org as it changes and is hidden', async () => {
    const { org } = registry;
    await sourcesIn('ai');
    await org('acme', { category: 'cloud' });
    expect([await sourcesIn('ai'), await sourcesIn('cloud'), await sourcesIn('crm')]).toEqual([
      [],
      ['blog', 'shop'],
      ['code'],
    ]);
    await org('acme', { category: null });
    expect([await sourcesIn('cloud'), await sourcesIn('crm')]).toEqual([[], ['code']]);
    await org('acme', 'Hidden');
    expect(await sourcesIn('crm')).toEqual([]);
    await org('acme', 'Unhidden');
    expect(await sourcesIn('crm')).toEqual(['code']);
  });
});

describe('the products of a category', () => {
  it('are those that everybody sees, by name', async () => {
    const { org, product } = registry;
    expect([await productsIn(null), await productsIn('crm')]).toEqual([['anvil', 'rocket'], ['rocket']]);
    await product('anvil', { name: 'Zebra', category: 'crm' });
    expect([await productsIn(null), await productsIn('crm')]).toEqual([
      ['rocket', 'anvil'],
      ['rocket', 'anvil'],
    ]);
    await product('rocket', 'Hidden');
    expect(await productsIn('crm')).toEqual(['anvil']);
    await org('acme', 'Hidden');
    expect([await productsIn(null), await productsIn('crm')]).toEqual([[], []]);
    await org('acme', 'Unhidden');
    expect(await productsIn(null)).toEqual(['anvil']);
  });
});

it('all sources that everybody sees are listed by name, also those without releases', async () => {
  const { addSource, source, org, catalogue } = registry;
  const names = async () => {
    await catalogue.refresh();
    return catalogue
      .sourceList()
      .all(publicSourceFilter)
      .map(({ slug }) => slug);
  };
  await addSource('empty', null, { name: 'A first' });
  expect(await names()).toEqual(['empty', 'blog', 'code', 'shop']);
  await source('code', 'Hidden');
  await source('shop', { name: 'aa' });
  expect(await names()).toEqual(['empty', 'shop', 'blog']);
  await org('acme', 'Deleted');
  expect(await names()).toEqual(['empty']);
});
