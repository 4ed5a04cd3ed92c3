import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgDetail } from '../../../queries/orgs/org-detail.ts';
import { orgReleases } from '../../../queries/orgs/org-releases.ts';
import { productDetail } from '../../../queries/product-detail.ts';
import { productNumbers } from '../../../queries/product-numbers.ts';
import { releaseDetail } from '../../../queries/releases/release-detail.ts';
import type { QueryDeps } from '../../../queries/shape/query-deps.ts';
import { sourceDetail } from '../../../queries/sources/source-detail.ts';
import { feedMarkdown } from '../../../src/forms/markdown/feed-markdown.ts';
import { orgMarkdown } from '../../../src/forms/markdown/org-markdown.ts';
import { productMarkdown } from '../../../src/forms/markdown/product-markdown.ts';
import { excerpted } from '../../../src/forms/markdown/sections.ts';
import { releaseMarkdown } from '../../../src/forms/markdown/release-markdown.ts';
import { sourceMarkdown } from '../../../src/forms/markdown/source-markdown.ts';
import { createBusyClock } from '../../spec/busy-clock.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  releaseIdOf,
  type SampleRegistry,
} from '../../spec/worlds/sample-registry.ts';

const webBaseUrl = 'https://registry.example';
const everybody = { nowMs: Date.parse('2026-03-15T12:00:00.000Z'), admin: false };
const page = { cursor: null, sent: {}, includePrereleases: false, includeCoverage: false };
const webPathOf = ({ slug }: { readonly slug: string }) => (slug === 'acme' ? '/acme' : `/acme/${slug}`);
const golden = (name: string): string => readFileSync(`test/fixtures/forms/${name}.md`, 'utf8');

let registry: SampleRegistry;
let deps: QueryDeps;

beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addOrg, addProduct, addSource, addRelease, record, models, catalogue } = registry;
  await addOrg('acme', {
    name: 'Acme *Labs*',
    description: 'Rockets,\nand what flies with them.',
    domain: 'acme.example',
    category: 'devops',
    tags: ['yes', 'Rockets'],
    aliases: ['acme.test'],
  });
  const overview = {
    content: 'Acme ships **often**.\n',
    releaseCount: 2,
    lastContributingReleaseAt: null,
    generatedAt: '',
  };
  await record(`overview-${orgIdOf('acme')}`, [
    { type: 'OverviewWritten.v1', data: { ...overview, citations: [], updatedAt: '2026-03-01T00:00:00.000Z' } },
  ]);
  await addProduct('rocket', 'acme', { name: 'Rocket', kind: 'tool', description: '# not a heading' });
  await addSource('code', 'acme', { name: 'Code [main]', type: 'github', productId: productIdOf('rocket') });
  await addSource('blog', 'acme', { name: 'Blog' });
  await addRelease('second', 'code', {
    title: 'Second stage',
    version: '2.0.0',
    content: '## Changes\n\n- It flies.\n\n```sh\nrocket launch\n```\n',
    publishedAt: '2026-03-02T10:00:00.000Z',
    url: 'https://code.example/releases/2.0.0',
    breaking: 'major',
    importance: 4,
    migrationNotes: 'Fill the *tank* first.',
  });
  await addRelease('first', 'blog', {
    title: 'v1.0.0 is out',
    version: '1.0.0',
    publishedAt: '2026-02-01T00:00:00.000Z',
  });
  await addRelease('draft', 'blog', {
    title: 'Some day',
    content: `${'A long line of words. '.repeat(40)}\n\nThe end.`,
  });
  await catalogue.refresh();
  deps = {
    models,
    catalogue,
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl,
  };
});
afterAll(() => registry.close());

const releasesOfAcme = async (limit: number) =>
  orgReleases(
    deps,
    { ...page, limit, org: 'acme', sourceType: null, kind: null, product: null, sinceMs: null, untilMs: null },
    everybody,
  );

describe('a document', () => {
  it('tells of an org, byte for byte', async () => {
    const org = await orgDetail(deps, { org: 'acme' }, everybody);
    const { releases } = await releasesOfAcme(10);
    expect(orgMarkdown({ org, webPathOf, releases: releases.map(excerpted), webBaseUrl })).toBe(golden('org'));
  });

  it('tells of a release, byte for byte', async () => {
    const release = await releaseDetail(deps, { release: releaseIdOf('second') }, everybody);
    expect(releaseMarkdown(release)).toBe(golden('release'));
  });

  it('tells of a product, byte for byte', async () => {
    const product = await productDetail(deps, { ...page, limit: 20, org: 'acme', product: 'rocket' }, everybody);
    const numbers = productNumbers(deps, product.id, everybody);
    const releases = product.releases.map(excerpted);
    const input = { product, releases, orgSlug: 'acme', webPathOf, numbers, overview: null, webBaseUrl };
    expect(productMarkdown(input)).toBe(golden('product'));
  });

  it('tells of a source, byte for byte', async () => {
    const source = await sourceDetail(deps, { ...page, limit: 20, org: 'acme', source: 'blog' }, everybody);
    const releases = source.releases.map(excerpted);
    expect(sourceMarkdown({ source, releases, webUrl: `${webBaseUrl}/acme/blog` })).toBe(golden('source'));
  });

  it('tells of a page of a feed, byte for byte', async () => {
    const { releases } = await releasesOfAcme(2);
    expect(await feedMarkdown({ of: { org: 'acme' }, releases, nextCursor: 'abc' }, createFakeClock())).toBe(
      golden('feed'),
    );
  });

  it('lets others have a turn between the releases of a feed', async () => {
    const { releases } = await releasesOfAcme(2);
    const busy = createBusyClock();
    await feedMarkdown({ of: { org: 'acme' }, releases, nextCursor: null }, busy);
    expect(busy.turns()).toBe(2);
  });

  it('is its front matter alone when there is nothing in a feed', async () => {
    expect(await feedMarkdown({ of: { collection: 'tools' }, releases: [], nextCursor: null }, createFakeClock())).toBe(
      '---\ncollection: tools\nreturned: 0\nnext_cursor: null\n---\n',
    );
  });
});
