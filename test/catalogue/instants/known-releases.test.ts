import { describe, expect, it } from 'vitest';
import { type Instant, instantsPlace, placeOf } from '../../../projections/instants/instants-document.ts';
import { eachCountedIn, newestReleases } from '../../../src/catalogue/instants/known-releases.ts';
import { idOrderOf, idStartOf } from '../../../src/catalogue/instants/id-order.ts';
import { createInstantsBySource } from '../../../src/catalogue/instants/instants-by-source.ts';
import { isCoverageRun } from '../../../src/domain/release/feed/feed-runs.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import { createSeeded } from '../../spec/seeded.ts';

const firstMs = Date.UTC(2026, 0, 31);
const dayMs = 86_400_000;

/** Many share their date, and many of those the moment when they were indexed. */
const manyReleases = (count: number): Instant[] => {
  const { int, chance } = createSeeded(7);
  return Array.from({ length: count }, (_, number) => {
    const [publishedMs, fetchedMs] = [firstMs + int(0, 40) * dayMs, firstMs + int(0, 2) * dayMs];
    const version = chance(20) ? null : `1.${number}.0`;
    return [derivedId('rel', String(number)), publishedMs, int(0, 3), fetchedMs, 0, null, version];
  });
};

const instantsOf = (releases: readonly Instant[]) => {
  const bySource = createInstantsBySource();
  const byPlace = new Map<string, Instant[]>();
  for (const release of releases) {
    const place = placeOf('s', release[0], new Date(release[1] as number).toISOString());
    byPlace.set(place, [...(byPlace.get(place) ?? []), release]);
  }
  for (const [id, of] of byPlace) {
    bySource.apply({ id, sourceId: 's', month: instantsPlace(id).month, releases: of });
  }
  return bySource.instantsOf('s');
};

/** As contract 2.4 orders them, the oldest first. */
const inOrder = (releases: readonly Instant[]): Instant[] =>
  [...releases].sort(([a, aMs, , aFetched], [b, bMs, , bFetched]) => {
    if (aMs !== bMs) return (aMs as number) - (bMs as number);
    return aFetched - bFetched || (a < b ? -1 : 1);
  });

describe('the dated releases of a source', () => {
  const releases = manyReleases(500);
  const instants = instantsOf(releases);

  it('are in the order of feeds, those of one moment by their ids', () => {
    const untilMs = firstMs + 35 * dayMs;
    const expected = inOrder(releases.filter(([, ms]) => (ms as number) <= untilMs)).toReversed();
    expect(Array.from(newestReleases(instants, untilMs), ({ version, idOrder }) => [version, idOrder])).toEqual(
      expected.map(([id, , , , , , version]) => [version, idOrderOf(id)]),
    );
  });

  it('are visited between two moments, both included, without what only covers others', () => {
    const [fromMs, toMs] = [firstMs + 3 * dayMs, firstMs + 33 * dayMs];
    const visited: unknown[] = [];
    eachCountedIn(instants, { fromMs, toMs }, (publishedMs, _, version) => visited.push([publishedMs, version]));
    const expected = inOrder(releases).filter(
      ([, ms, code]) => (ms as number) >= fromMs && (ms as number) <= toMs && !isCoverageRun(code),
    );
    expect(visited).toEqual(expected.map(([, ms, , , , , version]) => [ms, version]));
  });
});

it('an id as a number sorts as ids do, and its beginning comes right before it', () => {
  const ids = Array.from({ length: 200 }, (_, number) => derivedId('rel', String(number))).sort();
  expect(ids.map(idOrderOf)).toEqual(ids.map(idOrderOf).toSorted((a, b) => a - b));
  for (const [at, id] of ids.entries()) {
    const start = idStartOf(idOrderOf(id));
    expect(id.startsWith(start) && start < id).toBe(true);
    if (at > 0) expect(ids[at - 1]! < start).toBe(true);
  }
});
