import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgDetail } from '../../queries/orgs/org-detail.ts';
import { type OrgListInput, orgList } from '../../queries/orgs/org-list.ts';
import type { QueryDeps } from '../../queries/shape/query-deps.ts';
import { type FetchState, neverFetched } from '../../src/records/fetch-state.ts';
import { sourceDetail } from '../../queries/sources/source-detail.ts';
import { tokenDetail, tokensList } from '../../queries/tokens-list.ts';
import { isDomainError } from '../../src/kernel/errors.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const everybody = { nowMs, admin: false };
const admin = { nowMs, admin: true };
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const fetched: FetchState = { ...neverFetched, lastFetchedAt: day(9), consecutiveErrors: 2, stars: 7 };

let registry: SampleRegistry;
let deps: QueryDeps;

// One story for all: nothing below writes.
beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addOrg, addProduct, addSource, addRelease, source, org, catalogue } = registry;
  await addOrg('acme', {
    name: 'Acme',
    category: 'devops',
    featured: true,
    tags: ['b', 'A'],
    aliases: ['z.example', 'a.example'],
    notice: { message: 'Hello' },
    locations: [
      {
        id: 'loc_1',
        file: 'https://acme.example/CHANGES',
        title: null,
        canonical: false,
        basis: 'curator',
        productId: null,
        sourceId: null,
      },
      {
        id: 'loc_2',
        feed: 'https://acme.example/hidden.xml',
        title: 'Hidden',
        canonical: true,
        basis: 'curator',
        productId: null,
        sourceId: sourceIdOf('hidden'),
      },
    ],
  });
  await addOrg('empty', { name: 'empty', category: 'devops' });
  await addOrg('dark', { name: 'Dark' });
  await org('dark', 'Hidden');
  await addProduct('rocket', 'acme', { kind: 'tool' });
  await addSource('blog', 'acme', {
    name: 'Blog',
    isPrimary: true,
    metadata: { secret: 1, feedUrl: 'https://f.example' },
  });
  await addSource('code', 'acme', {
    name: 'code',
    type: 'github',
    url: 'https://github.com/Acme/Rocket',
    productId: productIdOf('rocket'),
    packages: [{ ecosystem: 'npm', name: 'rocket' }],
  });
  await addSource('hidden', 'acme');
  await source('hidden', 'Hidden');
  await addSource('shadow', 'dark');
  await addRelease('one', 'blog', { publishedAt: day(1), version: '1.0' }, { fetchedAt: day(10) });
  await addRelease('two', 'blog', { publishedAt: day(8), version: '2.0' });
  await addRelease('three', 'blog', { publishedAt: day(10), version: '3.0-rc', prerelease: true });
  await addRelease('four', 'code', { publishedAt: day(11), version: '0.1-rc', prerelease: true });
  await addRelease('five', 'code', { publishedAt: day(30), version: '9.0' });
  await addRelease('six', 'hidden', { publishedAt: day(2) });
  await addRelease('seven', 'shadow', { publishedAt: day(2) });
  await catalogue.refresh();
  deps = {
    models: registry.models,
    catalogue,
    fetchStates: async (ids) => ids.map((id) => (id === sourceIdOf('blog') ? fetched : neverFetched)),
    embeddedAt: async () => null,
    webBaseUrl: 'https://web.example',
  };
});
afterAll(() => registry.close());

describe('the list of orgs', () => {
  const defaults: OrgListInput = {
    q: null,
    category: null,
    featured: false,
    includeEmpty: false,
    includeHidden: false,
    page: 1,
    limit: 500,
  };
  const slugs = (input: Partial<OrgListInput>, asking = everybody) =>
    orgList(deps, { ...defaults, ...input }, asking).items.map(({ slug }) => slug);

  it('shows the numbers of each', () => {
    const { items, pagination, meta } = orgList(deps, defaults, everybody);
    expect(items).toEqual([
      {
        id: orgIdOf('acme'),
        slug: 'acme',
        name: 'Acme',
        domain: null,
        description: null,
        category: 'devops',
        avatarUrl: null,
        featured: true,
        status: 'tracked',
        aliasDomains: ['a.example', 'z.example'],
        sourceCount: 2,
        releaseCount: 4,
        recentReleaseCount: 4,
        lastActivity: day(11),
        topProducts: ['rocket'],
        sparkline: expect.any(Array),
      },
    ]);
    expect(items[0]?.sparkline.flatMap((count, index) => (count > 0 ? [[index, count]] : []))).toEqual([
      [15, 1],
      [22, 1],
      [24, 1],
      [25, 1],
    ]);
    expect(pagination).toEqual({ page: 1, pageSize: 500, returned: 1, totalItems: 1, totalPages: 1, hasMore: false });
    expect(meta).toEqual({ emptyOrgCount: 1 });
  });

  it('is filtered, and takes empty and hidden orgs in when asked', () => {
    expect(slugs({ includeEmpty: true })).toEqual(['acme', 'empty']);
    expect(slugs({ includeEmpty: true, featured: true })).toEqual(['acme']);
    expect(slugs({ includeEmpty: true, q: 'MPT' })).toEqual(['empty']);
    expect(slugs({ includeEmpty: true, category: 'ai' })).toEqual([]);
    expect(slugs({ includeEmpty: true, page: 2, limit: 1 })).toEqual(['empty']);
    expect(slugs({ page: 9, limit: 1 })).toEqual([]);
    expect(slugs({ includeHidden: true }, admin)).toEqual(['acme', 'dark']);
    expect(orgList(deps, { ...defaults, category: 'ai' }, everybody).meta.emptyOrgCount).toBe(0);
  });
});

describe('an org', () => {
  it('shows its numbers, products, sources and locations', async () => {
    const org = await orgDetail(deps, { org: 'ACME' }, everybody);
    expect(org).toMatchObject({
      id: orgIdOf('acme'),
      isHidden: false,
      tags: ['A', 'b'],
      aliases: ['a.example', 'z.example'],
      accounts: [],
      sourceCount: 2,
      releaseCount: 4,
      releasesLast30Days: 4,
      avgReleasesPerWeek: 1.9,
      lastFetchedAt: day(9),
      lastPolledAt: null,
      trackingSince: day(1),
      overview: null,
      notice: { message: 'Hello' },
      products: [{ slug: 'rocket', sourceCount: 1, releaseCount: 1, kind: 'tool' }],
    });
    expect(org.sources.map(({ slug, latestVersion, latestDate }) => [slug, latestVersion, latestDate])).toEqual([
      ['blog', '2.0', day(8)],
      ['code', '0.1-rc', day(11)],
    ]);
    expect(org.sources[0]).toMatchObject({
      orgSlug: 'acme',
      orgName: 'Acme',
      productSlug: null,
      isPrimary: true,
      isHidden: false,
      metadata: '{"feedUrl":"https://f.example"}',
      releaseCount: 3,
      latestAddedAt: day(10),
      medianGapDays: 4.5,
      lastFetchedAt: day(9),
      consecutiveErrors: 2,
      stars: 7,
    });
    expect(org.locations).toEqual([
      {
        feed: 'https://f.example',
        title: 'Blog',
        canonical: true,
        basis: 'generated',
        productId: null,
        sourceId: sourceIdOf('blog'),
      },
      {
        github: 'Acme/Rocket',
        title: 'code',
        canonical: false,
        basis: 'generated',
        productId: productIdOf('rocket'),
        sourceId: sourceIdOf('code'),
      },
      {
        file: 'https://acme.example/CHANGES',
        title: null,
        canonical: false,
        basis: 'curator',
        productId: null,
        sourceId: null,
      },
    ]);
  });

  it('that is hidden is whole to an admin and unknown to others', async () => {
    const org = await orgDetail(deps, { org: 'dark' }, admin);
    expect(org).toMatchObject({ isHidden: true, sourceCount: 1, releaseCount: 1, sources: [{ slug: 'shadow' }] });
    const refusal = await orgDetail(deps, { org: 'dark' }, everybody).catch((error: unknown) => error);
    expect(isDomainError(refusal, 'not_found')).toBe(true);
  });

  it('shows an admin all metadata', async () => {
    const org = await orgDetail(deps, { org: 'acme' }, admin);
    expect(JSON.parse(org.sources[0]?.metadata ?? '')).toEqual({ secret: 1, feedUrl: 'https://f.example' });
  });
});

describe('a source', () => {
  const input = { includePrereleases: false, includeCoverage: false, limit: 20, cursor: null, sent: {} };

  it('shows its numbers and its releases, below its org and bare', async () => {
    const below = await sourceDetail(deps, { ...input, org: 'acme', source: 'code' }, everybody);
    expect(below).toMatchObject({
      id: sourceIdOf('code'),
      orgId: orgIdOf('acme'),
      productId: productIdOf('rocket'),
      productSlug: 'rocket',
      metadata: '{}',
      packages: [{ ecosystem: 'npm', name: 'rocket' }],
      changelogUrl: null,
      hasChangelogFile: false,
      org: { id: orgIdOf('acme'), slug: 'acme', name: 'Acme' },
      releaseCount: 1,
      releasesLast30Days: 1,
      avgReleasesPerWeek: 1,
      latestVersion: '0.1-rc',
      trackingSince: day(11),
      releases: [],
      pagination: { nextCursor: null, limit: 20 },
      summaries: { rolling: null, monthly: [] },
    });
    expect(await sourceDetail(deps, { ...input, org: null, source: sourceIdOf('code') }, everybody)).toEqual(below);
  });

  it('that is hidden is whole to an admin', async () => {
    const source = await sourceDetail(deps, { ...input, org: null, source: 'hidden' }, admin);
    expect(source).toMatchObject({ isHidden: true, releaseCount: 1, releases: [{ title: 'six' }] });
  });
});

it('tokens are listed with the newest first', async () => {
  const { record, models } = registry;
  const issue = (name: string, createdAt: string, expiresAt: string | null = null) => ({
    type: 'TokenIssued.v1',
    data: {
      name,
      scopes: ['read'],
      principalType: 'internal',
      principalId: null,
      start: 'relk_a',
      secretSha256: 'x',
      expiresAt,
      createdBy: 'root',
      createdAt,
    },
  });
  await record('token-tok_a', [issue('old', day(1))]);
  await record('token-tok_b', [issue('expired', day(2), new Date(nowMs).toISOString())]);
  await record('token-tok_c', [issue('revoked', day(2)), { type: 'TokenRevoked.v1', data: { revokedAt: day(3) } }]);
  const tokenDeps = {
    models,
    lastUses: async (ids: readonly string[]) => ids.map((id) => (id === 'tok_a' ? day(4) : null)),
  };
  const { tokens } = await tokensList(tokenDeps, { nowMs });
  expect(tokens.map(({ name, active, lastUsedAt }) => [name, active, lastUsedAt])).toEqual([
    ['revoked', false, null],
    ['expired', false, null],
    ['old', true, day(4)],
  ]);
  expect(await tokenDetail(tokenDeps, { id: 'tok_a' }, { nowMs })).toEqual(tokens[2]);
  expect(JSON.stringify(tokens)).not.toContain('secret');
  const refusal = await tokenDetail(tokenDeps, { id: 'tok_z' }, { nowMs }).catch((error: unknown) => error);
  expect(isDomainError(refusal, 'not_found')).toBe(true);
});
