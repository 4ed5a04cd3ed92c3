import { expect, it } from 'vitest';
import {
  type Instant,
  type InstantsDocument,
  instantsPlace,
  placeOf,
} from '../../../projections/instants/instants-document.ts';
import { idOrderOf } from '../../../src/catalogue/instants/id-order.ts';
import { createInstantsBySource } from '../../../src/catalogue/instants/instants-by-source.ts';
import { newestReleases } from '../../../src/catalogue/instants/known-releases.ts';
import { compareFeedPlaces } from '../../../src/catalogue/instants/newest-of-source.ts';
import { noInstants } from '../../../src/catalogue/instants/source-instants.ts';
import { isCoverageRun, runCodeOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { isSuppressedCode } from '../../../src/domain/release/feed/lane.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import { memoryInUse } from '../../spec/memory-in-use.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

const release = (publishedMs: number | null): Instant => ['rel_a', publishedMs, 0, 5, 0, null, null];
const dated = { id: 's:2026-01:a', sourceId: 's', month: '2026-01', releases: [release(Date.UTC(2026, 0, 5))] };
const undated = { id: 's:-:aa', sourceId: 's', month: '-', releases: [release(null)] };

it('keeps nothing of a month that is empty, nor of a source whose last release is gone', () => {
  const bySource = createInstantsBySource();
  bySource.apply(dated);
  bySource.apply(undated);
  expect(bySource.instantsOf('s')).toMatchObject({ published: [Date.UTC(2026, 0, 5)], undatedCount: 1 });
  bySource.remove(undated.id);
  expect(bySource.instantsOf('s').published).toHaveLength(1);
  expect(bySource.instantsOf('s').undated, 'the undated of a source that never had any').toBe(noInstants.undated);
  bySource.remove(dated.id);
  expect(bySource.instantsOf('s'), 'what a source has that never was').toBe(noInstants);
  bySource.remove(dated.id);
  expect(bySource.instantsOf('s')).toBe(noInstants);
  bySource.apply(dated);
  expect(bySource.instantsOf('s').published).toHaveLength(1);
});

const releaseId = (number: number): string => derivedId('rel', String(number));

/** What a feed is told of a release, whoever holds it. */
const shownOf = ([id, publishedMs, laneCode, fetchedMs, , importance, version]: Instant) => ({
  publishedMs,
  fetchedMs,
  runCode: runCodeOf(laneCode, importance),
  idOrder: idOrderOf(id),
  version,
});

const byOrder = (releases: Iterable<Instant>) =>
  [...releases]
    .filter(([, , laneCode]) => !isSuppressedCode(laneCode))
    .map(shownOf)
    .sort((a, b) => compareFeedPlaces(a, b));

it.each(seedsToRun(5))(
  'it has what the documents hold, however they change, and whoever looks between (seed %i)',
  (seed) => {
    const { int, chance } = createSeeded(seed);
    const bySource = createInstantsBySource();
    const held = new Map<string, Map<string, Instant>>();
    const placeNow = new Map<string, string>();

    const tell = (place: string): void => {
      const releases = [...(held.get(place)?.values() ?? [])];
      if (releases.length === 0) bySource.remove(place);
      else bySource.apply({ id: place, sourceId: 's', month: instantsPlace(place).month, releases });
    };
    const takeOut = (id: string): void => {
      const place = placeNow.get(id);
      if (place === undefined) return;
      held.get(place)!.delete(id);
      placeNow.delete(id);
      tell(place);
    };
    let lanesMax = 1; // nothing that covers others, or is taken down, for a while
    const putIn = (id: string): void => {
      // Few moments and months, so that many share theirs, and some documents hold several.
      const publishedMs = chance(40) ? null : Date.UTC(2026, int(0, 5), int(1, 28));
      const version = chance(50) ? `1.${int(0, 9)}` : null;
      const instant: Instant = [id, publishedMs, int(0, lanesMax), int(1, 3), 0, null, version];
      const place = placeOf('s', id, publishedMs === null ? null : new Date(publishedMs).toISOString()).slice(0, -1);
      held.set(place, (held.get(place) ?? new Map<string, Instant>()).set(id, instant));
      placeNow.set(id, place);
      tell(place);
    };

    for (let turn = 0; turn < 3_000; turn += 1) {
      if (turn === 1_500) lanesMax = 7;
      const id = releaseId(int(0, 1_800));
      if (chance(80) || !placeNow.has(id)) {
        takeOut(id);
        putIn(id);
      } else takeOut(id);
      if (turn % 250 > 0 && !chance(2)) continue;
      const instants = bySource.instantsOf('s');
      const expected = byOrder([...held.values()].flatMap((releases) => [...releases.values()]));
      expect([...newestReleases(instants, Number.POSITIVE_INFINITY)], `turn ${turn}`).toEqual(expected);
      const counted = expected.filter(({ runCode, publishedMs }) => !isCoverageRun(runCode) && publishedMs !== null);
      expect(instants.published).toEqual(counted.map(({ publishedMs }) => publishedMs).reverse());
      const { undated, ...known } = { ...instants, dated: null };
      const loaded = createInstantsBySource();
      for (const [place, releases] of held) {
        loaded.apply({ id: place, sourceId: 's', month: instantsPlace(place).month, releases: [...releases.values()] });
      }
      expect({ ...loaded.instantsOf('s'), dated: null }, 'as after a start').toMatchObject(known);
      const fetched = expected.flatMap((each) =>
        each.publishedMs === null && !isCoverageRun(each.runCode) ? [each.fetchedMs] : [],
      );
      const newest = fetched.length === 0 ? null : Math.max(...fetched);
      expect(instants).toMatchObject({ undatedCount: fetched.length, undatedNewestFetched: newest });
    }
  },
);

const manyDays = 5_000;
const dayMs = 86_400_000;

/** The only release of a day, in a document of its own. */
const onDay = (day: number): InstantsDocument => {
  const publishedAt = new Date(day * dayMs).toISOString();
  const [month, dayOfMonth] = [publishedAt.slice(0, 7), publishedAt.slice(8, 10)];
  const instant: Instant = [releaseId(day), day * dayMs, 0, 5, 0, null, null];
  return { id: `s:${month}:${dayOfMonth}`, sourceId: 's', month, releases: [instant] };
};

it('leaves the releases of a large source where they are, but those beside the one that came', () => {
  const bySource = createInstantsBySource();
  for (let day = 0; day < manyDays; day += 1) if (day !== 1_234) bySource.apply(onDay(day));
  const before = bySource.instantsOf('s');
  bySource.apply(onDay(1_234));
  const after = bySource.instantsOf('s');
  expect(after.published).toHaveLength(manyDays);
  expect(after.dated.filter((piece) => !before.dated.includes(piece)).length).toBeLessThanOrEqual(3);
  expect(before.published, 'what was handed out stays as it was').toHaveLength(manyDays - 1);
});

it('leaves all others where they are when one comes to a document that holds many, and when nothing comes', () => {
  const month = '2026-03';
  const places = [`s:${month}:aa`, `s:${month}:bb`, 's:-:aa', 's:-:bb'];
  const docOf = (id: string, count: number): InstantsDocument => {
    const isDated = id.includes(month);
    const releases = Array.from({ length: count }, (_, number): Instant => {
      const publishedMs = isDated ? Date.UTC(2026, 2, 1) + number : null;
      return [releaseId(number * places.length + places.indexOf(id)), publishedMs, 0, number, 0, null, `1.${number}`];
    });
    return { id, sourceId: 's', month: isDated ? month : '-', releases };
  };
  const bySource = createInstantsBySource();
  for (const id of places) bySource.apply(docOf(id, 2_000));
  const before = bySource.instantsOf('s');
  bySource.apply(docOf(places[0]!, 2_000));
  bySource.apply(docOf(places[2]!, 2_000));
  expect(bySource.instantsOf('s')).toBe(before);
  bySource.apply(docOf(places[0]!, 2_001));
  bySource.apply(docOf(places[2]!, 2_001));
  const after = bySource.instantsOf('s');
  expect([after.published.length, after.undatedCount]).toEqual([4_001, 4_001]);
  for (const kind of ['dated', 'undated'] as const) {
    expect(before[kind].length).toBeGreaterThan(5);
    expect(after[kind].filter((piece) => !before[kind].includes(piece)).length, kind).toBeLessThanOrEqual(2);
  }
});

it('does not cut a source into pieces of single releases, from whichever end they come', () => {
  for (const days of [
    [1, 40, 80, 120],
    [120, 80, 40, 1],
  ]) {
    const bySource = createInstantsBySource();
    for (const day of days) {
      bySource.apply(onDay(day));
      bySource.instantsOf('s');
    }
    expect(bySource.instantsOf('s').dated).toHaveLength(1);
  }
});

const days = Array.from({ length: 3_000 }, (_, day) => day);
it.each([
  ['the oldest first', days.filter((day) => day % 300 > 0)],
  ['the newest first', days.filter((day) => day % 300 > 0).reverse()],
  ['in any order', days.map((day) => (day * 1_009) % 3_000).filter((day) => day % 300 > 0)],
])('has few pieces left when most releases of a large source go, %s', (_, gone) => {
  const bySource = createInstantsBySource();
  for (const day of days) bySource.apply(onDay(day));
  expect(bySource.instantsOf('s').dated.length).toBeGreaterThan(4);
  for (const day of gone) {
    bySource.remove(onDay(day).id);
    bySource.instantsOf('s');
  }
  expect(bySource.instantsOf('s').published).toHaveLength(10);
  expect(bySource.instantsOf('s').dated.length).toBeLessThanOrEqual(2);
});

it('keeps few changes of a source that changes again and again, and that nobody looks at', () => {
  const bySource = createInstantsBySource();
  const doc = onDay(7);
  const before = memoryInUse();
  for (let time = 0; time < 300_000; time += 1) bySource.apply(doc); // 64 bytes of each, if all were kept
  expect(memoryInUse() - before).toBeLessThan(5_000_000);
  expect(bySource.instantsOf('s').published).toEqual([7 * dayMs]);
});
