import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgReleases } from '../../../queries/orgs/org-releases.ts';
import { readLatest } from '../../spec/reads/read-latest.ts';
import { countReads } from '../../spec/reads/counted-reads.ts';
import {
  openSampleRegistry,
  releaseStream,
  type SampleRegistry,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

// Releases of one day, of which many were fetched together, and as many without a date: only their ids tell them apart. Among
// those of each wanted source are so many of another one that its rows are read by themselves.
const wantedCount = 180;
const othersOfEach = 'abcdefgh';
const publishedAt = '2026-03-01T00:00:00.000Z';
const fetchedTogether = ['08', '09', '10'].map((hour) => `2026-03-02T${hour}:00:00.000Z`);
const asking = { nowMs: Date.parse('2026-03-15T12:00:00.000Z'), admin: false };
const noFilter = { sinceMs: null, untilMs: null, includePrereleases: false, includeCoverage: false };
const limit = 20;

const numbers = Array.from({ length: wantedCount }, (_, number) => String(number).padStart(3, '0'));
const fetchedAtOf = (number: string): string => fetchedTogether[Number(number) % fetchedTogether.length]!;

let registry: SampleRegistry;
const { counts, beginAnew, deps } = countReads(() => registry);

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.addSource('other', 'acme', { type: 'github' });
  await registry.recordMany(
    numbers.map((number) => sourceStream(number, 'acme', { slug: `s${number}`, type: 'feed' })),
  );
  const release = (name: string, source: string, number: string, given: { publishedAt?: string }) =>
    releaseStream(name, { source, org: 'acme', fetchedAt: fetchedAtOf(number) }, given);
  const tied = (letter: string, given: { publishedAt?: string }) =>
    numbers.flatMap((number) => [
      release(`${letter}${number}`, number, number, given),
      ...Array.from(othersOfEach, (other) => release(`${letter}${number}${other}`, 'other', number, given)),
    ]);
  await registry.recordMany([...tied('d', { publishedAt }), ...tied('u', {})]);
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

/** About as many as a page has rows, and no more on the last page than on the first. */
const queriesMax = 50;

const inOrder = (letter: string): string[] =>
  fetchedTogether
    .toReversed()
    .flatMap((fetchedAt) => numbers.filter((number) => fetchedAtOf(number) === fetchedAt).toReversed())
    .map((number) => `${letter}${number}`);

it('a page of releases that share their moment opens about as many sources as it shows rows, however far it is', async () => {
  const titles: string[] = [];
  let cursor: string | null = null;
  do {
    beginAnew();
    const input = { ...noFilter, org: 'acme', sourceType: 'feed' as const, kind: null, product: null };
    const page = await orgReleases(deps(), { ...input, limit, cursor, sent: {} }, asking);
    expect(counts.queries, `after ${titles.length}`).toBeLessThan(queriesMax);
    titles.push(...page.releases.map(({ title }) => title));
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  expect(titles).toEqual([...inOrder('d'), ...inOrder('u')]);
});

it('so does one of all sources', async () => {
  beginAnew();
  const input = { ...noFilter, source: null, org: null, count: limit, exclude: ['github' as const] };
  const { releases } = await readLatest(deps(), { ...input, minImportance: null }, asking);
  expect(releases.map(({ title }) => title)).toEqual(inOrder('d').slice(0, limit));
  expect(counts.queries).toBeLessThan(queriesMax);
});
