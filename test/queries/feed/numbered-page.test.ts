import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceReleasesPage } from '../../../queries/sources/source-releases-page.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { countReads } from '../../spec/reads/counted-reads.ts';
import {
  openSampleRegistry,
  releaseIdOf,
  releaseStream,
  type SampleRegistry,
  sourceIdOf,
} from '../../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const dayMs = 86_400_000;
const datedCount = 3_000;
const undatedCount = 40;
/** Of one day, and of one batch, so that only ids tell them apart. */
const perDay = 100;

let registry: SampleRegistry;
const { counts, beginAnew, deps } = countReads(() => registry);

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.addSource('blog', 'acme');
  const publishedAtOf = (number: number) => new Date(nowMs - (1 + Math.floor(number / perDay)) * dayMs).toISOString();
  const release = (name: string, given: object) => releaseStream(name, { source: 'blog', org: 'acme' }, given);
  await registry.recordMany([
    ...Array.from({ length: datedCount }, (_, number) =>
      release(`d${number}`, { publishedAt: publishedAtOf(number), ...(number % 5 === 0 && { prerelease: true }) }),
    ),
    ...Array.from({ length: undatedCount }, (_, number) => release(`u${number}`, {})),
  ]);
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

const pageOf = async (page: number, lanes: { includePrereleases: boolean; includeCoverage: boolean }) => {
  const source = registry.catalogue.source(sourceIdOf('blog'))!;
  const reading = { ...deps(), longPageTurns: createTurns(createFakeClock(), 1) };
  return sourceReleasesPage(reading, { source, page, pageSize: 20, sent: {}, ...lanes }, { nowMs, admin: false });
};

const stableOnly = { includePrereleases: false, includeCoverage: false };
const withPrereleases = { includePrereleases: true, includeCoverage: false };

describe('a page by its number', () => {
  it.each([
    ['with prereleases', withPrereleases, datedCount],
    ['without prereleases', stableOnly, (datedCount / 5) * 4],
  ] as const)('reads nothing of the pages before it, %s', async (_, lanes, dated) => {
    const { pagination } = await pageOf(1, lanes);
    expect(pagination).toMatchObject({ totalItems: dated + undatedCount });
    beginAnew();
    await pageOf(1, lanes);
    const firstPageRows = counts.rows;
    for (const page of [2, 3, 50, dated / 20]) {
      beginAnew();
      const { releases } = await pageOf(page, lanes);
      expect(releases).toHaveLength(20);
      expect(counts.rows, `page ${page}`).toBeLessThanOrEqual(firstPageRows + 20);
    }
  });

  it('shows each release once, in the order of the feed, the undated at the end', async () => {
    const ids: string[] = [];
    for (let page = 1; ids.length < datedCount + undatedCount; page += 1) {
      const { releases } = await pageOf(page, withPrereleases);
      expect(releases.length).toBeGreaterThan(0);
      ids.push(...releases.map(({ id }) => id));
    }
    const numberOf = (name: string) => Number(name.slice(1));
    const names = [
      ...Array.from({ length: datedCount }, (_, number) => `d${number}`),
      ...Array.from({ length: undatedCount }, (_, number) => `u${number}`),
    ];
    const dayOf = (name: string) => (name.startsWith('u') ? datedCount : Math.floor(numberOf(name) / perDay));
    const expected = names.sort((a, b) => dayOf(a) - dayOf(b) || (releaseIdOf(a) < releaseIdOf(b) ? 1 : -1));
    expect(ids).toEqual(expected.map(releaseIdOf));
  });
});
