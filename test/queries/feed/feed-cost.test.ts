import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LatestReleasesInput } from '../../../queries/releases/latest-releases.ts';
import { orgFeed, orgReleases, type OrgReleasesInput } from '../../../queries/orgs/org-releases.ts';
import { readLatest } from '../../spec/reads/read-latest.ts';
import type { SourceType } from '../../../src/domain/enumerations.ts';
import type { ReleaseGiven } from '../../../src/domain/release/events.ts';
import { countReads } from '../../spec/reads/counted-reads.ts';
import {
  openSampleRegistry,
  productIdOf,
  releaseStream,
  type SampleRegistry,
  sourceIdOf,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

// 600 sources that are busy, 300 with prereleases only, 300 that fell asleep long ago: whoever asks for these must not be
// made to read the others. Those that are not busy are of one product.
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
  await registry.addProduct('quiet', 'acme', { kind: 'docs' });
  const sourceOf = (name: string, type: SourceType) =>
    sourceStream(name, 'acme', { type, productId: type === 'github' ? null : productIdOf('quiet') });
  await registry.recordMany([
    ...Array.from({ length: busyCount }, (_, number) => sourceOf(`busy${number}`, 'github')),
    ...Array.from({ length: earlyCount }, (_, number) => sourceOf(`early${number}`, 'agent')),
    ...Array.from({ length: asleepCount }, (_, number) => sourceOf(`asleep${number}`, 'feed')),
  ]);
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
    expect(first).toEqual(new Set(Array.from({ length: asleepCount }, (_, number) => sourceIdOf(`asleep${number}`))));
    expect(sourceIds()).toBe(first);
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
