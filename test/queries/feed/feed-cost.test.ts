import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionFeed } from '../../../queries/collections/collection-releases.ts';
import { releaseFeedAnswer } from '../../../queries/feed/release-feed-answer.ts';
import { productDetail } from '../../../queries/product-detail.ts';
import { searchScope } from '../../../queries/search/search-scope.ts';
import type { LatestReleasesInput } from '../../../queries/releases/latest-releases.ts';
import { orgFeed, orgReleases, type OrgReleasesInput } from '../../../queries/orgs/org-releases.ts';
import { readLatest } from '../../spec/reads/read-latest.ts';
import { placeUpTo } from '../../../src/catalogue/instants/newest-of-source.ts';
import { feedRunsOf } from '../../../src/domain/release/feed/feed-runs.ts';
import type { Category, SourceType } from '../../../src/domain/enumerations.ts';
import type { ReleaseGiven } from '../../../src/domain/release/events.ts';
import { collectionCreated, membersReplaced } from '../../spec/events/collection-events.ts';
import { countReads } from '../../spec/reads/counted-reads.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  releaseStream,
  type SampleRegistry,
  sourceIdOf,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

// 600 sources that are busy, 300 with prereleases only, 300 that fell asleep long ago: whoever asks for these must not be
// made to read the others. Those that are not busy are of one product, and one more that has no releases.
const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const minuteMs = 60_000;
const busyCount = 600;
const earlyCount = 300;
const asleepCount = 300;
const busyReleases = 6000;
const asking = { nowMs, admin: false };

let registry: SampleRegistry;
const { counts, beginAnew, deps } = countReads(() => registry);

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.addProduct('quiet', 'acme', { kind: 'docs', category: 'cloud' });
  const sourceOf = (name: string, type: SourceType) =>
    sourceStream(name, 'acme', { type, productId: type === 'github' ? null : productIdOf('quiet') });
  await registry.recordMany([
    ...Array.from({ length: busyCount }, (_, number) => sourceOf(`busy${number}`, 'github')),
    ...Array.from({ length: earlyCount }, (_, number) => sourceOf(`early${number}`, 'agent')),
    ...Array.from({ length: asleepCount }, (_, number) => sourceOf(`asleep${number}`, 'feed')),
    sourceOf('silent', 'feed'),
  ]);
  const collect = (slug: string, ...memberIds: string[]) => {
    const members = memberIds.map((id) => ({ id, position: null }));
    return registry.record(`collection-${slug}`, [collectionCreated({ slug }), membersReplaced(...members)]);
  };
  await registry.addOrg('small');
  await registry.addSource('lone', 'small', { type: 'github' });
  await registry.addRelease('l0', 'lone', {
    publishedAt: new Date(nowMs - (2 * busyReleases - 1) * minuteMs).toISOString(),
  });
  await collect('of-product', productIdOf('quiet'), orgIdOf('small'));
  await collect('only-product', productIdOf('quiet'));
  await collect('of-both', orgIdOf('acme'), productIdOf('quiet'));
  const release = (name: string, source: string, publishedMs: number, given: Partial<ReleaseGiven>) =>
    releaseStream(name, { source, org: 'acme' }, { publishedAt: new Date(publishedMs).toISOString(), ...given });
  await registry.recordMany([
    ...Array.from({ length: busyReleases }, (_, number) =>
      release(`b${number}`, `busy${number % busyCount}`, nowMs - number * minuteMs, {
        importance: number < busyReleases - 30 ? 1 : 5,
      }),
    ),
    ...Array.from({ length: earlyCount }, (_, number) =>
      release(`e${number}`, `early${number}`, nowMs - number * minuteMs, { prerelease: true, importance: 2 }),
    ),
    ...Array.from({ length: asleepCount }, (_, number) =>
      release(`a${number}`, `asleep${number}`, nowMs - (2 * busyReleases + number) * minuteMs, {
        importance: number < asleepCount - 20 ? 1 : 4,
      }),
    ),
  ]);
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

const noFilter = { sinceMs: null, untilMs: null, includePrereleases: false, includeCoverage: false };

const latest = async (input: Partial<LatestReleasesInput>, using = deps()): Promise<string[]> => {
  const all = { ...noFilter, source: null, org: null, count: 20, exclude: [], minImportance: null };
  return (await readLatest(using, { ...all, ...input }, asking)).releases.map(({ title }) => title);
};

const orgInput = (input: Partial<OrgReleasesInput>): OrgReleasesInput => {
  const everything = { ...noFilter, org: 'acme', sourceType: null, kind: null, product: null };
  return { ...everything, limit: 20, cursor: null, sent: {}, ...input };
};

const orgPage = (input: Partial<OrgReleasesInput>, using = deps()) => orgReleases(using, orgInput(input), asking);

const everywhere = { org: null, product: null, collection: null, kind: null, category: null };
const asleepIds = [...Array.from({ length: asleepCount }, (_, number) => `asleep${number}`), 'silent'].map(sourceIdOf);

const numbered = (letter: string, from: number, count = 20) =>
  Array.from({ length: count }, (_, index) => `${letter}${from + index}`);

/**
 * Far fewer than there are of others, and no more when these become more. A source whose important releases are wanted is
 * asked for each score.
 */
const expectCheap = () => {
  expect(counts.rows).toBeLessThan(900);
  expect(counts.queries).toBeLessThan(150);
};

describe('a page reads about what it shows', () => {
  it.each<[string, Partial<LatestReleasesInput>, string[]]>([
    ['of the important, of which all are old', { minImportance: 5 }, numbered('b', busyReleases - 30)],
    ['of the important of an org', { minImportance: 4, org: 'acme' }, numbered('b', busyReleases - 30)],
    ['of the important of a source', { minImportance: 5, source: 'busy599' }, ['b5999']],
    ['of hundreds of sources that are asleep', { exclude: ['github'] }, numbered('a', 0)],
    ['of those of an org', { exclude: ['github'], org: 'acme' }, numbered('a', 0)],
    ['of those with any score', { exclude: ['github'], minImportance: 1 }, numbered('a', 0)],
    ['of the important of them', { exclude: ['github'], minImportance: 3 }, numbered('a', asleepCount - 20)],
    ['of none that is so important', { exclude: ['github'], minImportance: 5 }, []],
    ['of those of an org with a score', { exclude: ['github'], minImportance: 2, org: 'acme' }, numbered('a', 280)],
    [
      'up to a moment',
      { exclude: ['github'], untilMs: nowMs - (2 * busyReleases + 100) * minuteMs },
      numbered('a', 100),
    ],
  ])('%s', async (_, input, titles) => {
    beginAnew();
    expect(await latest(input)).toEqual(titles);
    expectCheap();
  });

  it('also page after page', async () => {
    let cursor: string | null = null;
    const titles: string[] = [];
    do {
      beginAnew();
      const { releases, pagination } = await orgPage({ sourceType: 'feed', cursor });
      expectCheap();
      titles.push(...releases.map(({ title }) => title));
      cursor = pagination.nextCursor;
    } while (cursor !== null);
    expect(titles).toEqual(numbered('a', 0, asleepCount));
  });

  /** Counts the sources that a read looks at. */
  const lookingAtSources = () => {
    const { catalogue } = registry;
    const looked = { count: 0 };
    const noting =
      <Asked>(of: (id: string) => Asked, countOf: (asked: Asked) => number) =>
      (id: string): Asked => {
        const asked = of(id);
        looked.count += countOf(asked);
        return asked;
      };
    const noted = {
      ...catalogue,
      instantsOf: noting(catalogue.instantsOf, () => 1),
      sourcesOfOrg: noting(catalogue.sourcesOfOrg, ({ length }) => length),
      sourcesOfProduct: noting(catalogue.sourcesOfProduct, ({ length }) => length),
    };
    return { using: { ...deps(), catalogue: noted }, looked };
  };

  it.each<[string, Partial<OrgReleasesInput>]>([
    ['of a type', { sourceType: 'feed' }],
    ['of a kind', { kind: 'docs' }],
    ['of a product', { product: 'quiet' }],
    ['of a kind of a product', { product: 'quiet', kind: 'docs' }],
  ])('and looks at none of the sources of a large org that it does not show: %s', async (_, input) => {
    const { using, looked } = lookingAtSources();
    const { releases } = await orgPage(input, using);
    expect(releases.map(({ title }) => title)).toEqual(numbered('a', 0));
    expect(looked.count).toBeLessThan(100);
  });

  it('nor do the latest of the org', async () => {
    const { using, looked } = lookingAtSources();
    expect(await latest({ org: 'acme', exclude: ['github'] }, using)).toEqual(numbered('a', 0));
    expect(looked.count).toBeLessThan(100);
  });

  it('nor do those that say something: a search is told the same sources again', () => {
    const { using, looked } = lookingAtSources();
    const asked = orgInput({ kind: 'docs', sourceType: 'feed', words: { index: null, tokens: ['word'] } });
    const sourceIds = () => orgFeed(using, asked, asking).words?.sourceIds;
    const first = sourceIds();
    expect(first).toEqual(new Set(asleepIds));
    expect(sourceIds()).toBe(first);
    expect(looked.count).toBe(0);
  });

  const collectionInput = (collection: string) => ({ ...noFilter, collection, limit: 20, cursor: null, sent: {} });

  const collectionTitles = async (collection: string, using = deps()): Promise<string[]> => {
    const feed = collectionFeed(using, collectionInput(collection), asking);
    const { releases } = await releaseFeedAnswer(using, feed);
    return releases.map(({ title }) => title);
  };

  it('nor does the feed of a collection that a large product is in', async () => {
    const { using, looked } = lookingAtSources();
    expect(await collectionTitles('of-product', using)).toEqual(['l0', ...numbered('a', 0, 19)]);
    expect(looked.count).toBeLessThan(100);
  });

  it('nor one that a source is in by its org and by its product, which opens it once', async () => {
    const { using, looked } = lookingAtSources();
    expect(await collectionTitles('of-both', using)).toEqual(numbered('b', 0));
    expect(looked.count).toBeLessThan(100);
    const { sources } = collectionFeed(using, collectionInput('of-both'), asking).request;
    const newest = sources.newestFirst({ runs: feedRunsOf(['stable'], null), from: placeUpTo(nowMs) });
    const opened = Array.from(newest, ({ sourceId }) => sourceId);
    expect(opened).toHaveLength(busyCount + asleepCount);
    expect(new Set(opened).size).toBe(opened.length);
  });

  it('nor does the page of a product, besides those that it lists', async () => {
    const { using, looked } = lookingAtSources();
    const input = { ...noFilter, org: null, product: productIdOf('quiet'), limit: 20, cursor: null, sent: {} };
    const detail = await productDetail({ ...using, embeddedAt: async () => null }, input, asking);
    expect(detail.releases.map(({ title }) => title)).toEqual(numbered('a', 0));
    expect(looked.count - detail.sources.length).toBeLessThan(100);
  });

  it.each([
    ['an org', { org: 'acme', kind: 'docs' as const, category: 'cloud' as const }],
    ['a product', { product: productIdOf('quiet') }],
    ['a collection', { collection: 'only-product' }],
  ])('nor does a search in %s, which is told those without releases, too', (_, filters) => {
    const { using, looked } = lookingAtSources();
    const scope = () => searchScope(using.catalogue, { ...everywhere, ...filters }, false);
    const first = scope();
    const earlyIds = Array.from({ length: earlyCount }, (_, number) => sourceIdOf(`early${number}`));
    expect(first.sources).toEqual({ in: new Set([...earlyIds, ...asleepIds]) });
    expect(scope().sources).toEqual(first.sources);
    expect(looked.count).toBe(0);
  });

  it('and lets others have their turn meanwhile', async () => {
    let turns = 0;
    let done = false;
    const page = latest({ exclude: ['github'], count: 100 }).then(() => {
      done = true;
    });
    while (!done) {
      await nextTurn();
      turns += 1;
    }
    await page;
    expect(turns).toBeGreaterThan(1);
  });
});

it('the sources of a large org take over the kind of their product, as it is now and to whoever sees it', async () => {
  const first = async (input: Partial<OrgReleasesInput>, admin = false) => {
    const { releases } = await orgReleases(deps(), orgInput({ ...input, limit: 1 }), { nowMs, admin });
    return releases.map(({ title }) => title);
  };
  await registry.product('quiet', { kind: 'sdk' });
  await registry.catalogue.refresh();
  expect(await first({ kind: 'docs' })).toEqual([]);
  expect(await first({ kind: 'sdk' })).toEqual(['a0']);
  expect(await first({ kind: 'sdk', product: 'quiet' })).toEqual(['a0']);
  await registry.product('quiet', 'Hidden');
  await registry.catalogue.refresh();
  expect(await first({ kind: 'sdk' })).toEqual([]);
  expect(await first({ kind: 'sdk', product: 'quiet' }, true)).toEqual(['a0']);
});

it('and the category of their product, else of their org', async () => {
  const countOf = (category: Category, admin = false): number => {
    const { sources } = searchScope(registry.catalogue, { ...everywhere, org: 'acme', category }, admin);
    return 'in' in sources ? sources.in.size : Number.NaN;
  };
  const quietCount = earlyCount + asleepCount + 1;
  await registry.product('quiet', 'Unhidden');
  await registry.product('quiet', { category: 'design' });
  await registry.org('acme', { category: 'ai' });
  await registry.catalogue.refresh();
  expect([countOf('design'), countOf('ai'), countOf('cloud')]).toEqual([quietCount, busyCount, 0]);
  await registry.product('quiet', 'Hidden');
  await registry.catalogue.refresh();
  expect([countOf('design'), countOf('ai')]).toEqual([0, quietCount + busyCount]);
  await registry.org('acme', 'Hidden');
  await registry.catalogue.refresh();
  await registry.org('acme', { category: 'finance' });
  await registry.catalogue.refresh();
  expect([countOf('finance', true), countOf('ai', true)]).toEqual([quietCount + busyCount, 0]);
});
