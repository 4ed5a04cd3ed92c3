import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FeedRow, releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { feedItem, itemParents, type ListedCoverage, listedRow } from '../../../queries/shape/release/feed-item.ts';
import { feedItemBytes } from '../../../queries/shape/release/item-text.ts';
import { fullReleaseItems, fullReleaseItemTexts } from '../../../queries/shape/release/release-items.ts';
import { publicSight } from '../../../src/catalogue/visibility.ts';
import {
  openSampleRegistry,
  productIdOf,
  releaseIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../../spec/worlds/sample-registry.ts';

const webBaseUrl = 'https://web.example';
const uncovered: ListedCoverage = { coverageCount: 0, coverageOf: null };

let registry: SampleRegistry;
let row: FeedRow;

beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addOrg, addProduct, addSource, addRelease } = registry;
  await addOrg('acme');
  await addProduct('rocket', 'acme', { kind: 'tool' });
  await addSource('code', 'acme', { productId: productIdOf('rocket') });
  await addRelease('one', 'code', {
    version: '1.0.0',
    media: [],
    summary: 'Said "so"\n\u2028',
    content: 'It "does"\n\u2028',
  });
});

beforeEach(async () => {
  [row] = (await registry.models.of(releaseFeedProjection).get([releaseIdOf('one')])) as [FeedRow];
});

afterAll(() => registry.close());

const parentsNow = async () => {
  await registry.catalogue.refresh();
  return itemParents(registry.catalogue, registry.catalogue.source(sourceIdOf('code'))!, publicSight);
};

const itemNow = async () => feedItem(webBaseUrl, listedRow(row), uncovered, await parentsNow());
const textNow = async (coverage = uncovered) => String(feedItemBytes(webBaseUrl, row, coverage, await parentsNow()));

describe('the text of an item', () => {
  it('is the JSON of the item, made anew or not', async () => {
    const expected = JSON.stringify(await itemNow());
    expect(await textNow()).toBe(expected);
    expect(await textNow()).toBe(expected);
  });

  it.each([
    { what: 'its org is renamed', change: () => registry.org('acme', { name: 'Acme Inc.' }) },
    { what: 'its product is renamed', change: () => registry.product('rocket', { name: 'Rocket 2' }) },
    { what: 'its product is hidden', change: () => registry.product('rocket', 'Hidden') },
    { what: 'its source is renamed', change: () => registry.source('code', { name: 'Code' }) },
  ])('is another one when $what', async ({ change }) => {
    const before = await textNow();
    await change();
    expect(await textNow()).not.toBe(before);
    expect(await textNow()).toBe(JSON.stringify(await itemNow()));
  });

  it('tells what covers it now, and the address of the web pages', async () => {
    const parents = await parentsNow();
    const covered = { coverageCount: 2, coverageOf: releaseIdOf('other') };
    expect(await textNow(covered)).toBe(JSON.stringify(feedItem(webBaseUrl, listedRow(row), covered, parents)));
    const coveredOnce = { ...covered, coverageCount: 1 };
    expect(await textNow(coveredOnce)).toBe(JSON.stringify(feedItem(webBaseUrl, listedRow(row), coveredOnce, parents)));
    const moved = 'https://moved.example';
    expect(String(feedItemBytes(moved, row, uncovered, parents))).toBe(
      JSON.stringify(feedItem(moved, listedRow(row), uncovered, parents)),
    );
  });

  it('is that of the item with its content, too', async () => {
    const { models, catalogue } = registry;
    const deps = { models, catalogue, webBaseUrl };
    const seen = { rows: [row], sight: publicSight, nowMs: row.fetchedMs };
    const items = await fullReleaseItems(deps, seen);
    expect(items[0]?.content).not.toBe('');
    expect(await fullReleaseItemTexts(deps, seen)).toEqual(items.map((item) => JSON.stringify(item)));
  });
});
