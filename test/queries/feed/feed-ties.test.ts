import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgReleases } from '../../../queries/orgs/org-releases.ts';
import type { Document, Projection } from '../../../src/kernel/projection.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { readLatest } from '../../spec/read-latest.ts';
import { sourceCreated } from '../../spec/events/entity-events.ts';
import { indexed } from '../../spec/events/release-events.ts';
import {
  openSampleRegistry,
  orgIdOf,
  releaseIdOf,
  type SampleRegistry,
  sourceIdOf,
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
let queries = 0;

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  const orgId = orgIdOf('acme');
  await registry.addSource('other', 'acme', { type: 'github' });
  await registry.recordMany(
    numbers.map((number) => {
      const created = sourceCreated({ orgId, slug: `s${number}`, name: number, type: 'feed' });
      return [`source-${sourceIdOf(number)}`, [created]] as const;
    }),
  );
  const release = (name: string, source: string, number: string, given: { publishedAt?: string }) => {
    const event = indexed(sourceIdOf(source), { title: name, ...given }, { orgId, fetchedAt: fetchedAtOf(number) });
    return [`release-${releaseIdOf(name)}`, [event]] as const;
  };
  const tied = (letter: string, given: { publishedAt?: string }) =>
    numbers.flatMap((number) => [
      release(`${letter}${number}`, number, number, given),
      ...Array.from(othersOfEach, (other) => release(`${letter}${number}${other}`, 'other', number, given)),
    ]);
  await registry.recordMany([...tied('d', { publishedAt }), ...tied('u', {})]);
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

const counting = <Doc extends Document>(model: ReadModel<Doc>): ReadModel<Doc> => ({
  ...model,
  query: (query) => {
    queries += 1;
    return model.query(query);
  },
});

const deps = () => ({
  models: { of: <Doc extends Document>(projection: Projection<Doc>) => counting(registry.models.of(projection)) },
  catalogue: registry.catalogue,
  webBaseUrl: 'https://registry.example',
});

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
    queries = 0;
    const input = { ...noFilter, org: 'acme', sourceType: 'feed' as const, kind: null, product: null };
    const page = await orgReleases(deps(), { ...input, limit, cursor, sent: {} }, asking);
    expect(queries, `after ${titles.length}`).toBeLessThan(queriesMax);
    titles.push(...page.releases.map(({ title }) => title));
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  expect(titles).toEqual([...inOrder('d'), ...inOrder('u')]);
});

it('so does one of all sources', async () => {
  queries = 0;
  const input = { ...noFilter, source: null, org: null, count: limit, exclude: ['github' as const] };
  const { releases } = await readLatest(deps(), { ...input, minImportance: null }, asking);
  expect(releases.map(({ title }) => title)).toEqual(inOrder('d').slice(0, limit));
  expect(queries).toBeLessThan(queriesMax);
});
