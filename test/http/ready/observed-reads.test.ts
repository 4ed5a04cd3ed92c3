import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { latestReleases } from '../../../queries/releases/latest-releases.ts';
import { instantsProjection } from '../../../projections/instants/instants.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { everythingTag, tagsOfWrite } from '../../../projections/tags-of-write.ts';
import { observeCatalogue, observeModels } from '../../../src/http/ready/observed-reads.ts';
import { put, type Projection, remove } from '../../../src/kernel/projection.ts';
import type { IndexQuery } from '../../../src/ports/read-models.ts';
import { openSampleRegistry, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const everything = {
  source: null,
  org: null,
  count: 10,
  exclude: [],
  minImportance: null,
  sinceMs: null,
  untilMs: null,
  includePrereleases: false,
  includeCoverage: false,
};

let registry: SampleRegistry;

beforeEach(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.addSource('blog', 'acme');
  await registry.addSource('code', 'acme');
});
afterEach(() => registry.close());

/** The tags of the latest releases as they are now. */
async function tagsOfLatest(): Promise<ReadonlySet<string>> {
  await registry.catalogue.refresh();
  const tags = new Set<string>();
  const reads = {
    catalogue: observeCatalogue(registry.catalogue, tags),
    models: observeModels(registry.models, tags),
    webBaseUrl: 'https://web.example',
  };
  await latestReleases(reads, everything, { nowMs, admin: false });
  return tags;
}

/** Of a release that comes to the blog. */
const isTouched = (tags: ReadonlySet<string>, { name }: Projection): boolean => {
  const doc = { id: 'blog#2026-03', sourceId: 'blog', orgId: 'acme' };
  return [...tagsOfWrite(name, [put(doc)])].some((tag) => tags.has(tag));
};

describe('the releases of one org', () => {
  /** The tags of a question of the feed. */
  const tagsOfQuery = async (query: IndexQuery): Promise<ReadonlySet<string>> => {
    const tags = new Set<string>();
    await observeModels(registry.models, tags).of(releaseFeedProjection).query(query);
    return tags;
  };
  const written = (orgId: string) => tagsOfWrite(releaseFeedProjection.name, [put({ id: 'r', sourceId: 's', orgId })]);
  const meet = (some: ReadonlySet<string>, others: ReadonlySet<string>) => [...some].some((tag) => others.has(tag));

  it('are made anew for what comes to it, and not for what comes to others', async () => {
    const asked = await tagsOfQuery({ index: 'byOrg', equals: { orgId: 'acme' }, limit: 1 });
    expect([meet(asked, written('acme')), meet(asked, written('other'))]).toEqual([true, false]);
  });

  it('are made anew, as everything, when nobody knows any more whose release is gone', async () => {
    expect([...tagsOfWrite(releaseFeedProjection.name, [remove('r')])]).toContain(everythingTag);
  });

  it('are among those of all, which are made anew for each', async () => {
    const asked = await tagsOfQuery({ index: 'global', equals: {}, limit: 1 });
    expect([meet(asked, written('acme')), meet(asked, written('other'))]).toEqual([true, true]);
  });
});

describe('the latest releases', () => {
  it('are made anew for what their rows say, and not for each read model that a release comes to', async () => {
    await registry.addRelease('one', 'blog', { publishedAt: '2026-03-01T00:00:00.000Z' });
    await registry.addRelease('two', 'code', { publishedAt: '2026-03-02T00:00:00.000Z' });
    const tags = await tagsOfLatest();
    expect(isTouched(tags, releaseFeedProjection)).toBe(true);
    expect([releaseDetailProjection, instantsProjection].some((projection) => isTouched(tags, projection))).toBe(false);
  });

  it('are made anew when the catalogue learns of the first ones', async () => {
    expect(isTouched(await tagsOfLatest(), instantsProjection)).toBe(true);
  });
});
