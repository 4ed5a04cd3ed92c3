import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { productFilter, type SourceFilters, sourceFilter } from '../../../src/catalogue/lists/part-facets.ts';
import { openSampleRegistry, productIdOf, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeEach(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme', { category: 'ai' });
  await registry.addProduct('rocket', 'acme', { category: 'crm', kind: 'sdk' });
  await registry.addSource('code', 'acme', { productId: productIdOf('rocket'), type: 'github' });
  await registry.addSource('blog', 'acme', { type: 'feed' });
  await registry.addSource('alone', null, { metadata: { feedUrl: 'https://x.example/feed' }, type: 'scrape' });
});
afterEach(() => registry.close());

const everything = { part: '', page: 1, limit: 10 };
const noFilter = { independent: false, hasFeed: false, type: null, kind: null, category: null, includeHidden: false };

const sources = async (filters: Partial<SourceFilters> = {}): Promise<string[]> => {
  await registry.catalogue.refresh();
  const filter = sourceFilter({ ...noFilter, ...filters });
  return registry.catalogue
    .sourceList()
    .page({ ...everything, filter })
    .items.map(({ slug }) => slug);
};

const products = async (includeHidden = false): Promise<string[]> => {
  await registry.catalogue.refresh();
  const filter = productFilter({ kind: null, includeHidden });
  return registry.catalogue
    .productList()
    .page({ ...everything, filter })
    .items.map(({ slug }) => slug);
};

describe('the lists of products and sources', () => {
  it('know what each one is', async () => {
    expect(await sources()).toEqual(['alone', 'blog', 'code']);
    expect(await sources({ independent: true })).toEqual(['alone']);
    expect(await sources({ hasFeed: true })).toEqual(['alone', 'blog']);
    expect(await sources({ type: 'github' })).toEqual(['code']);
    expect(await sources({ category: 'crm' })).toEqual(['code']);
    expect(await sources({ category: 'ai' })).toEqual(['blog']);
    expect(await products()).toEqual(['rocket']);
  });

  it('follow an org that is hidden, shown, deleted, restored or gets another category', async () => {
    expect(await sources()).toHaveLength(3);
    await registry.org('acme', 'Hidden');
    expect([await sources(), await products()]).toEqual([['alone'], []]);
    expect([await sources({ includeHidden: true }), await products(true)]).toEqual([
      ['alone', 'blog', 'code'],
      ['rocket'],
    ]);
    await registry.org('acme', 'Unhidden');
    expect(await sources()).toHaveLength(3);
    await registry.org('acme', 'Deleted');
    expect([await sources({ includeHidden: true }), await products(true)]).toEqual([['alone'], []]);
    await registry.org('acme', 'Restored');
    expect([await sources(), await products()]).toEqual([['alone', 'blog', 'code'], ['rocket']]);
    await registry.org('acme', { category: 'devops' });
    expect(await sources({ category: 'devops' })).toEqual(['blog']);
    expect(await sources({ category: 'ai' })).toEqual([]);
  });

  it('take the category of a product only from those who see it', async () => {
    expect(await sources({ category: 'crm' })).toEqual(['code']);
    await registry.product('rocket', 'Hidden');
    expect(await sources({ category: 'crm' })).toEqual([]);
    expect(await sources({ category: 'ai' })).toEqual(['blog', 'code']);
    expect(await sources({ category: 'crm', includeHidden: true })).toEqual(['code']);
    await registry.product('rocket', 'Deleted');
    expect(await sources({ category: 'crm', includeHidden: true })).toEqual([]);
    await registry.product('rocket', 'Restored');
    await registry.product('rocket', 'Unhidden');
    expect(await sources({ category: 'crm' })).toEqual(['code']);
  });

  it('follow a source that is renamed, hidden or deleted', async () => {
    expect(await sources()).toEqual(['alone', 'blog', 'code']);
    await registry.source('alone', { name: 'Zed' });
    expect(await sources()).toEqual(['blog', 'code', 'alone']);
    await registry.source('blog', 'Hidden');
    expect(await sources()).toEqual(['code', 'alone']);
    await registry.source('code', 'Deleted');
    expect(await sources({ includeHidden: true })).toEqual(['blog', 'alone']);
  });
});
