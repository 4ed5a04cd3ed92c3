import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FeedRow, releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { feedPage } from '../../../queries/feed/feed-page.ts';
import type { FeedRequest } from '../../../queries/feed/feed-scope.ts';
import { compareFeedOrder, type FeedPosition } from '../../../queries/feed/feed-run.ts';
import { catalogueReads, createCatalogue } from '../../../src/catalogue/catalogue.ts';
import { theseSources } from '../../../src/catalogue/wanted-sources.ts';
import { type Lane, lanesOf } from '../../../src/domain/release/feed/lane.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { openProjectedRegistry, type ProjectedRegistry } from '../../spec/worlds/projected-registry.ts';
import { indexed, linked, suppressed } from '../../spec/events/release-events.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const hourMs = 3_600_000;

const randomOf = (seed: number) => {
  const random = xoroshiro128plus(seed);
  return (max: number): number => uniformInt(random, 0, max);
};
type Random = ReturnType<typeof randomOf>;

const orgOf = (source: number): string | null => [null, 'org_a', 'org_b', 'org_c'][source % 4] as string | null;

/** Few distinct moments, so that ties are common; some undated, some ahead of the clock. */
const randomRelease = (upTo: Random, sourceCount: number): readonly [stream: string, DomainEvent[]] => {
  const source = upTo(sourceCount - 1);
  const moment = nowMs + (upTo(45) - 40) * hourMs;
  const id = Array.from({ length: 6 }, () => 'abcdefghij'[upTo(9)]).join('');
  const event = indexed(
    `src_${source}`,
    {
      title: 'x',
      ...(upTo(9) > 0 && { publishedAt: new Date(moment).toISOString() }),
      ...(upTo(3) === 0 && { prerelease: true }),
      ...(upTo(1) === 0 && { importance: upTo(4) + 1 }),
    },
    { orgId: orgOf(source), fetchedAt: new Date(nowMs - upTo(2) * hourMs).toISOString() },
  );
  const publishedAt = event.data.given.publishedAt ?? null;
  const decisions = [
    ...(upTo(4) === 0 ? [linked(`src_${source}`, publishedAt, 'rel_canonical')] : []),
    ...(upTo(19) === 0 ? [suppressed(`src_${source}`, publishedAt)] : []),
  ];
  return [`release-rel_${id}`, [event, ...decisions]];
};

const allRows = async ({ models }: ProjectedRegistry): Promise<FeedRow[]> =>
  (await models.of(releaseFeedProjection).scan('', 1_000_000)).map(({ doc }) => doc);

/** The wanted sources by name: what the catalogue knows of them changes as releases come. */
interface Filter extends Omit<FeedRequest, 'sources' | 'after' | 'limit'> {
  readonly sources: ReadonlySet<string>;
}

const openRegistry = async () => {
  const registry = await openProjectedRegistry([...catalogueReads, releaseFeedProjection]);
  return { ...registry, catalogue: await createCatalogue(registry.models) };
};
type Registry = Awaited<ReturnType<typeof openRegistry>>;

const pageOf = async (
  { models, catalogue }: Registry,
  { sources, ...filter }: Filter,
  place: Pick<FeedRequest, 'after' | 'limit'>,
) => {
  await catalogue.refresh();
  // A source is asked for its id only.
  const wanted = theseSources(
    catalogue,
    Array.from(sources, (id) => ({ id })),
  );
  return feedPage(models.of(releaseFeedProjection), { ...filter, ...place, sources: wanted });
};

const naive = (rows: readonly FeedRow[], { sources, lanes, sinceMs, untilMs, minImportance }: Filter): string[] =>
  rows
    .filter(
      (row) =>
        sources.has(row.sourceId) &&
        lanes.some((lane) => lane === row.lane) &&
        (row.publishedMs === null
          ? sinceMs === null && untilMs === null
          : row.publishedMs <= nowMs + 60_000 &&
            row.publishedMs >= (sinceMs ?? 0) &&
            row.publishedMs <= (untilMs ?? Number.POSITIVE_INFINITY)) &&
        (minImportance === null || (row.importance ?? 0) >= minImportance),
    )
    .sort(compareFeedOrder)
    .map(({ id }) => id);

const paged = async (registry: Registry, filter: Filter, limit: () => number): Promise<string[]> => {
  const ids: string[] = [];
  let after: FeedPosition | null = null;
  do {
    const size = limit();
    const page = await pageOf(registry, filter, { after, limit: size });
    expect(page.rows.length, 'only the last page may be short').toBe(page.next === null ? page.rows.length : size);
    if (ids.length > 0) expect(page.rows.length, 'no page is empty after the first').toBeGreaterThan(0);
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return ids;
};

const everything = { orgId: null, sinceMs: null, untilMs: null, minImportance: null, nowMs };

const randomFilter = (upTo: Random, sourceCount: number, wantedCount: number): Filter => {
  const orgId = upTo(1) === 0 ? null : `org_${'abc'[upTo(2)]}`;
  const wanted = Array.from({ length: wantedCount }, () => upTo(sourceCount - 1));
  const inScope = wanted.filter((source) => orgId === null || orgOf(source) === orgId);
  return {
    orgId,
    sources: new Set(inScope.map((source) => `src_${source}`)),
    lanes: lanesOf({ includePrereleases: upTo(1) === 0, includeCoverage: upTo(1) === 0 }),
    sinceMs: upTo(2) === 0 ? nowMs - upTo(30) * hourMs : null,
    untilMs: upTo(2) === 0 ? nowMs + (upTo(20) - 15) * hourMs : null,
    nowMs,
    minImportance: upTo(3) === 0 ? 1 + upTo(4) : null,
  };
};

// Few sources are found by reading their scope. A handful among many are merged from their own indexes once enough
// rows of others were passed, and so are many.
describe.each([
  ['few sources', 6, 5],
  ['a handful among many', 300, 8],
  ['many among many', 1000, 600],
])('%s', (_, sourceCount, wantedCount) => {
  let registry: Registry;
  let rows: FeedRow[];

  beforeAll(async () => {
    registry = await openRegistry();
    const upTo = randomOf(sourceCount);
    await registry.recordMany(Array.from({ length: 3000 }, () => randomRelease(upTo, sourceCount)));
    rows = await allRows(registry);
  });
  afterAll(() => registry.close());

  it('pages of any size, one after the other, are the sorted and filtered rows', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const upTo = randomOf(seed);
      const filter = randomFilter(upTo, sourceCount, wantedCount);
      const expected = naive(rows, filter);
      const small = seed % 4 === 0 && expected.length < 300;
      const ids = await paged(registry, filter, () => (small ? 1 + upTo(4) : 1 + upTo(99)));
      expect(ids, `seed ${seed}`).toEqual(expected);
    }
  });

  it('ends exactly at the end, whatever the size', async () => {
    const upTo = randomOf(7);
    const filter: Filter = {
      ...randomFilter(upTo, sourceCount, wantedCount),
      orgId: null,
      sinceMs: null,
      untilMs: null,
    };
    const count = naive(rows, filter).length;
    for (const limit of [count - 1, count, count + 1].filter((size) => size > 0)) {
      const page = await pageOf(registry, filter, { after: null, limit });
      expect([page.rows.length, page.next === null]).toEqual([Math.min(limit, count), limit >= count]);
    }
  });
});

it('rows that come in between two pages neither repeat nor push out others', async () => {
  const registry = await openRegistry();
  const upTo = randomOf(11);
  const add = (count: number) => registry.recordMany(Array.from({ length: count }, () => randomRelease(upTo, 40)));
  await add(600);
  const atFirst = await allRows(registry);
  const lanes: Lane[] = ['stable', 'prerelease'];
  for (const wanted of [40, 2]) {
    const sources = new Set(Array.from({ length: wanted }, (_, source) => `src_${source}`));
    const filter: Filter = { ...everything, sources, lanes };
    const ids: string[] = [];
    let after: FeedPosition | null = null;
    do {
      const page = await pageOf(registry, filter, { after, limit: 17 });
      ids.push(...page.rows.map(({ id }) => id));
      after = page.next;
      await add(5);
    } while (after !== null);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(naive(atFirst, filter)));
    const order = new Map(naive(await allRows(registry), filter).map((id, index) => [id, index]));
    const places = ids.map((id) => order.get(id) ?? -1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  }
  await registry.close();
});

it('a release that is dated ahead appears by itself when its date has come', async () => {
  const registry = await openRegistry();
  const publishedAt = new Date(nowMs + 60_001).toISOString();
  await registry.record('release-rel_a', [indexed('src_1', { publishedAt })]);
  const seen = async (atMs: number) => {
    const sources = new Set(['src_1']);
    const filter: Filter = { ...everything, sources, lanes: ['stable'], nowMs: atMs };
    return (await pageOf(registry, filter, { after: null, limit: 5 })).rows.length;
  };
  expect([await seen(nowMs), await seen(nowMs + 1)]).toEqual([0, 1]);
  await registry.close();
});

it('rows of one moment come by id, whichever of the wanted sources is read first', async () => {
  const registry = await openRegistry();
  const publishedAt = new Date(nowMs - hourMs).toISOString();
  const others = Array.from({ length: 500 }, (_, number) => {
    const event = indexed('src_other', { publishedAt: new Date(nowMs).toISOString() });
    return [`release-rel_other${number}`, [event]] as const;
  });
  const numbers = Array.from({ length: 30 }, (_, number) => String(number).padStart(2, '0'));
  const wanted = numbers.map((number, index) => {
    return [`release-rel_${number}`, [indexed(`src_${numbers[(index * 7) % 30]}`, { publishedAt })]] as const;
  });
  await registry.recordMany([...others, ...wanted]);
  const sources = new Set(numbers.map((number) => `src_${number}`));
  const filter: Filter = { ...everything, sources, lanes: ['stable'] };
  expect(await paged(registry, filter, () => 7)).toEqual(numbers.map((number) => `rel_${number}`).reverse());
  await registry.close();
});

it('what the catalogue does not know yet comes neither out of turn nor twice', async () => {
  const registry = await openRegistry();
  const release = (id: string, source: string, hoursAgo: number) => {
    const publishedAt = new Date(nowMs - hoursAgo * hourMs).toISOString();
    return [`release-rel_${id}`, [indexed(source, { publishedAt })]] as const;
  };
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  await registry.recordMany([
    ...Array.from({ length: 500 }, (_, number) => release(`other${number}`, 'src_other', 0)),
    ...numbers.map((number) => release(`a${number}`, `src_${number}`, 10 + number)),
  ]);
  await registry.catalogue.refresh();
  await registry.recordMany(numbers.map((number) => release(`b${number}`, `src_${number}`, 40 - number)));
  const sources = theseSources(
    registry.catalogue,
    numbers.map((number) => ({ id: `src_${number}` })),
  );
  const found: FeedRow[] = [];
  let after: FeedPosition | null = null;
  do {
    const request: FeedRequest = { ...everything, sources, lanes: ['stable'], after, limit: 45 };
    const page = await feedPage(registry.models.of(releaseFeedProjection), request);
    found.push(...page.rows);
    after = page.next;
  } while (after !== null);
  expect(found).toEqual(found.toSorted(compareFeedOrder));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(numbers.map((number) => `rel_a${number}`)));
  await registry.close();
});
