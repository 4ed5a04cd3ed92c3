import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgReleases } from '../../queries/orgs/org-releases.ts';
import { productDetail } from '../../queries/product-detail.ts';
import type { QueryDeps } from '../../queries/shape/query-deps.ts';
import { releaseDetail } from '../../queries/releases/release-detail.ts';
import { isDomainError } from '../../src/kernel/errors.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  releaseIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';
import { readLatest } from '../spec/reads/read-latest.ts';
import { neverFetched } from '../../src/records/fetch-state.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const everybody = { nowMs, admin: false };
const admin = { nowMs, admin: true };
const sha256 = 'a'.repeat(64);
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

let registry: SampleRegistry;
let deps: QueryDeps;

// One story for all: nothing below writes.
beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addOrg, addProduct, addSource, addRelease, record, source, product, catalogue, models } = registry;
  await addOrg('acme', { category: 'devops', avatarUrl: 'https://acme.example/a.png' });
  await addOrg('zeta');
  await addProduct('rocket', 'acme', { kind: 'tool', category: 'ai' });
  await addProduct('secret', 'acme', { kind: 'sdk' });
  await product('secret', 'Hidden');
  await addSource('blog', 'acme', { type: 'feed' });
  await addSource('code', 'acme', { type: 'github', productId: productIdOf('rocket') });
  await addSource('store', 'acme', {
    type: 'appstore',
    kind: 'mobile',
    productId: productIdOf('secret'),
    metadata: { appStore: { platform: 'ios' } },
  });
  await addSource('hidden', 'acme');
  await source('hidden', 'Hidden');
  await addSource('news', 'zeta');
  await addRelease('one', 'blog', { publishedAt: day(1), content: 'First text', importance: 3 });
  await addRelease('two', 'code', { publishedAt: day(2), version: '2.0.0', migrationNotes: 'Mind the gap' });
  await addRelease('three', 'code', { publishedAt: day(3), prerelease: true });
  await addRelease('four', 'store', { publishedAt: day(4), importance: 5 });
  await addRelease('five', 'hidden', { publishedAt: day(5) });
  await addRelease('six', 'news', { publishedAt: day(6) });
  await addRelease('seven', 'blog', { publishedAt: day(25) });
  await addRelease('eight', 'blog', { content: { sha256, chars: 8, parts: 2 } });
  const part = (number: number, text: string) => ({
    type: 'BodyPartStored.v1',
    data: { part: number, parts: 2, text },
  });
  await record(`body-${releaseIdOf('eight')}-${sha256}`, [part(0, 'long'), part(1, 'text')]);
  await catalogue.refresh();
  deps = {
    models,
    catalogue,
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl: 'https://web.example',
  };
});
afterAll(() => registry.close());

const failure = async (run: Promise<unknown>): Promise<string> => {
  try {
    await run;
  } catch (error) {
    if (isDomainError(error)) return error.code;
    throw error;
  }
  throw new Error('it did not fail');
};

describe('the feed of an org', () => {
  const defaults = {
    org: 'acme',
    sourceType: null,
    kind: null,
    product: null,
    sinceMs: null,
    untilMs: null,
    includePrereleases: false,
    includeCoverage: false,
    limit: 20,
    cursor: null,
    sent: {},
  } as const;
  const titles = async (input: Partial<Parameters<typeof orgReleases>[1]>, asking = everybody) =>
    (await orgReleases(deps, { ...defaults, ...input }, asking)).releases.map(({ title }) => title);

  it('is newest first, undated last, with the content of each', async () => {
    const { releases, pagination } = await orgReleases(deps, defaults, everybody);
    expect(releases.map(({ title, content }) => [title, content])).toEqual([
      ['four', ''],
      ['two', ''],
      ['one', 'First text'],
      ['eight', 'longtext'],
    ]);
    expect(pagination).toEqual({ nextCursor: null, limit: 20 });
  });

  it('is filtered by type, resolved kind, product and date', async () => {
    expect(await titles({ sourceType: 'github' })).toEqual(['two']);
    expect(await titles({ kind: 'tool' })).toEqual(['two']);
    expect(await titles({ kind: 'mobile' })).toEqual(['four']);
    expect(await titles({ kind: 'sdk' })).toEqual([]);
    expect(await titles({ product: 'rocket', includePrereleases: true })).toEqual(['three', 'two']);
    expect(await titles({ sinceMs: Date.parse(day(2)) })).toEqual(['four', 'two']);
    expect(await titles({ untilMs: Date.parse(day(2)) })).toEqual(['two', 'one']);
  });

  it('shows a hidden product only to an admin who names it', async () => {
    expect(await failure(titles({ product: 'secret' }))).toBe('not_found');
    expect(await titles({ product: 'secret' }, admin)).toEqual(['four']);
    expect(await titles({}, admin)).not.toContain('five');
  });

  it('is walked by cursors that hold for the same filters only', async () => {
    const sent = { kind: undefined, limit: '1' };
    const first = await orgReleases(deps, { ...defaults, limit: 1, sent }, everybody);
    const cursor = first.pagination.nextCursor;
    expect(await titles({ cursor, limit: 2, sent: { limit: '2' } })).toEqual(['two', 'one']);
    expect(await failure(titles({ cursor, kind: 'tool', sent: { kind: 'tool' } }))).toBe('invalid_cursor');
    expect(await failure(titles({ cursor, org: 'zeta', sent }))).toBe('invalid_cursor');
    expect(await failure(titles({ cursor: 'x', sent }))).toBe('invalid_cursor');
  });
});

describe('the latest releases', () => {
  const defaults = {
    source: null,
    org: null,
    count: 10,
    exclude: [],
    minImportance: null,
    sinceMs: null,
    untilMs: null,
    includePrereleases: false,
    includeCoverage: false,
  } as const;
  const titles = async (input: Partial<Parameters<typeof readLatest>[1]>, asking = everybody) =>
    (await readLatest(deps, { ...defaults, ...input }, asking)).releases.map(({ title }) => title);

  it('are those of all visible sources, of an org, or of a source', async () => {
    expect(await titles({})).toEqual(['six', 'four', 'two', 'one', 'eight']);
    expect(await titles({ count: 2 })).toEqual(['six', 'four']);
    expect(await titles({ org: 'zeta' })).toEqual(['six']);
    expect(await titles({ source: 'code', includePrereleases: true })).toEqual(['three', 'two']);
    expect(await failure(titles({ source: 'hidden' }))).toBe('not_found');
    expect(await titles({ source: 'hidden' }, admin)).toEqual(['five']);
    expect(await failure(titles({ source: 'code', org: 'acme' }))).toBe('conflicting_parameters');
  });

  it('leave out types and what is not important enough', async () => {
    expect(await titles({ exclude: ['scrape', 'github'] })).toEqual(['four', 'one', 'eight']);
    expect(await titles({ minImportance: 3 })).toEqual(['four', 'one']);
    expect(await titles({ minImportance: 4 })).toEqual(['four']);
  });

  it('appear when their date comes', async () => {
    const dueMs = Date.parse(day(25)) - 60_000;
    expect((await titles({}, { nowMs: dueMs, admin: false }))[0]).toBe('seven');
    expect((await titles({}, { nowMs: dueMs - 1, admin: false }))[0]).toBe('six');
  });

  it('carry all that a list shows, and no content', async () => {
    const { releases } = await readLatest(deps, { ...defaults, source: 'code' }, everybody);
    expect(releases).toEqual([
      {
        id: releaseIdOf('two'),
        version: '2.0.0',
        title: 'two',
        summary: '',
        description: '',
        publishedAt: day(2),
        fetchedAt: '2026-02-20T08:00:00.000Z',
        url: null,
        webUrl: `https://web.example/release/${releaseIdOf('two')}-two`,
        media: [],
        type: 'feature',
        prerelease: false,
        titleGenerated: null,
        titleShort: null,
        breaking: 'unknown',
        importance: null,
        composition: null,
        contentChars: null,
        contentTokens: null,
        coverageCount: 0,
        coverageOf: null,
        orgId: orgIdOf('acme'),
        productId: productIdOf('rocket'),
        sourceId: sourceIdOf('code'),
        source: {
          id: sourceIdOf('code'),
          slug: 'code',
          name: 'code',
          type: 'github',
          kind: 'tool',
          orgSlug: 'acme',
          orgName: 'acme',
        },
        org: {
          id: orgIdOf('acme'),
          slug: 'acme',
          name: 'acme',
          avatarUrl: 'https://acme.example/a.png',
          githubHandle: null,
        },
        product: { id: productIdOf('rocket'), slug: 'rocket', name: 'rocket', kind: 'tool' },
        groupSlug: 'rocket',
        groupName: 'rocket',
      },
    ]);
  });

  it('show the store of an app, and no product that is hidden', async () => {
    const { releases } = await readLatest(deps, { ...defaults, source: 'store' }, everybody);
    expect(releases[0]).toMatchObject({
      productId: null,
      product: null,
      groupSlug: 'store',
      source: { kind: 'mobile', appStore: { platform: 'ios', iconUrl: null } },
    });
  });
});

describe('a release', () => {
  const detail = (name: string, asking = everybody) => releaseDetail(deps, { release: name }, asking);

  it('is shown whole, by its id with or without words', async () => {
    const release = await detail(`${releaseIdOf('two')}-two-and-more`);
    expect(release).toMatchObject({
      title: 'two',
      content: '',
      contentHash: null,
      migrationNotes: 'Mind the gap',
      revision: 1,
      sourceName: 'code',
      sourceSlug: 'code',
      sourceType: 'github',
      sourceIsHidden: false,
      effectiveCategory: 'ai',
      appStore: null,
      video: null,
      org: { slug: 'acme', discovery: 'curated', isHidden: false },
    });
    expect(release).not.toHaveProperty('suppressed');
    expect(await detail(releaseIdOf('two'), admin)).toMatchObject({ suppressed: false, suppressedReason: null });
    expect((await detail(releaseIdOf('one'))).effectiveCategory).toBe('devops');
    expect((await detail(releaseIdOf('eight'))).content).toBe('longtext');
  });

  it('of a hidden source or a later date is shown to admins only, an unknown one to nobody', async () => {
    for (const name of ['five', 'seven']) {
      expect(await failure(detail(releaseIdOf(name)))).toBe('not_found');
      expect((await detail(releaseIdOf(name), admin)).title).toBe(name);
    }
    for (const name of [releaseIdOf('nobody'), 'rel_x', ''])
      expect(await failure(detail(name, admin))).toBe('not_found');
  });
});

it('a product shows its sources and their releases', async () => {
  const input = { includePrereleases: true, includeCoverage: false, limit: 1, cursor: null, sent: {} };
  const product = await productDetail(deps, { ...input, org: 'acme', product: 'rocket' }, everybody);
  expect(product).toMatchObject({
    id: productIdOf('rocket'),
    orgId: orgIdOf('acme'),
    sourceCount: 1,
    embeddedAt: null,
    deletedAt: null,
    sources: [{ slug: 'code', metadata: null }],
    tags: [],
    aliases: [],
    notice: null,
    releases: [{ title: 'three' }],
    pagination: { limit: 1 },
  });
  const next = { ...input, org: null, product: productIdOf('rocket'), cursor: product.pagination.nextCursor };
  const second = await productDetail(deps, next, everybody);
  expect(second.releases.map(({ title }) => title)).toEqual(['two']);
  expect(second.pagination.nextCursor).toBe(null);
});
