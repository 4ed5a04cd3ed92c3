import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgHistory } from '../../../queries/orgs/org-history.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  type SampleRegistry,
  sourceIdOf,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

const changes = 10;
const rename = async (source: string) => {
  for (let change = 0; change < changes; change += 1) await registry.source(source, { name: `Name ${change}` });
};

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.org('acme', { description: 'Shown' });
  for (const source of ['veiled', 'gone', 'noted']) await registry.addSource(source, 'acme');
  for (const source of ['veiled', 'gone']) await rename(source);
  await registry.source('veiled', 'Hidden');
  await registry.source('gone', 'Deleted');
  for (let change = 0; change < changes; change += 1) {
    await registry.source('noted', { metadata: { note: `For admins ${change}` } });
  }
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

/** One more than a page has tells whether there is another: no page can be made of less. */
const leastRows = 6;

const pageOf = (org: string, cursor: string | null, admin: boolean, rowsMax?: number) =>
  orgHistory(registry, { org: orgIdOf(org), limit: leastRows - 1, cursor, sent: {} }, admin, rowsMax);

/** How many items each page has, and what they are. */
const pagesOf = async (org: string, admin: boolean, rowsMax?: number) => {
  const sizes: number[] = [];
  const types: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(org, cursor, admin, rowsMax);
    sizes.push(page.items.length);
    types.push(...page.items.map(({ type }) => type));
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  return { sizes, types };
};

describe('a page of the history of an org', () => {
  it('reads none but those changes that it may tell of, whatever lies between', async () => {
    const shown = { sizes: [3], types: ['source.created', 'org.changed', 'org.created'] };
    expect(await pagesOf('acme', false, leastRows)).toEqual(shown);
    // Of the hidden one twelve, of the other one eleven, and the two of the org; of the deleted one nothing.
    expect((await pagesOf('acme', true, leastRows)).sizes).toEqual([5, 5, 5, 5, 5]);
  });

  it('tells what was told before once something is shown or restored again', async () => {
    await registry.addOrg('back');
    for (const source of ['unveiled', 'restored']) {
      await registry.record(...sourceStream(source, 'back'), { commandId: `create ${source}` });
    }
    await registry.catalogue.refresh();
    const before = await pagesOf('back', false, leastRows);
    await registry.source('unveiled', 'Hidden');
    await registry.source('unveiled', 'Unhidden');
    for (const step of ['Hidden', 'Deleted', 'Restored', 'Unhidden'] as const) await registry.source('restored', step);
    await registry.catalogue.refresh();
    expect(await pagesOf('back', false, leastRows)).toEqual(before);
    expect((await pagesOf('back', true, leastRows)).types).toHaveLength(9);
  });

  it('goes by what is known of an entity now, also before the history has heard of it', async () => {
    await registry.addOrg('late');
    await registry.addSource('later', 'late');
    await registry.catalogue.refresh();
    const source = registry.catalogue.source(sourceIdOf('later'))!;
    const hidden = { ...registry.catalogue, source: () => ({ ...source, hidden: true }) };
    const asked = { org: orgIdOf('late'), limit: 5, cursor: null, sent: {} };
    const { items } = await orgHistory({ ...registry, catalogue: hidden }, asked, false);
    expect(items.map(({ type }) => type)).toEqual(['org.created']);
  });

  it('looks no further than it may where changes tell of nothing but what is hidden, and goes on from there', async () => {
    await registry.addOrg('moved');
    for (const product of ['one', 'other']) await registry.addProduct(product, 'moved');
    await registry.addSource('mover', 'moved');
    for (let change = 0; change < changes; change += 1) {
      await registry.source('mover', { productId: productIdOf(change % 2 === 0 ? 'one' : 'other') });
    }
    for (const product of ['one', 'other']) await registry.product(product, 'Hidden');
    await registry.catalogue.refresh();
    const types = ['source.created', 'org.created'];
    expect(await pagesOf('moved', false, 4)).toEqual({ sizes: [0, 0, 2], types });
    expect(await pagesOf('moved', false, 11)).toEqual({ sizes: [1, 1], types });
    expect(await pagesOf('moved', false)).toEqual({ sizes: [2], types });
  });
});
