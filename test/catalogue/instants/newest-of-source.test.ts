import { expect, it } from 'vitest';
import {
  compareFeedPlaces,
  type FeedPlace,
  newestOfSource,
  placeUpTo,
} from '../../../src/catalogue/instants/newest-of-source.ts';
import type { PackedReleases } from '../../../src/catalogue/instants/packed-releases.ts';
import type { ReleasePieces } from '../../../src/catalogue/instants/release-pieces.ts';
import { instantsWith } from '../../../src/catalogue/instants/source-instants.ts';
import { feedRunsOf, hasRun, runCodeOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { lanesOf } from '../../../src/domain/release/feed/lane.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

interface Release extends FeedPlace {
  readonly runCode: number;
}

const packed = (releases: readonly Release[]): PackedReleases => ({
  numbers: releases.flatMap(({ publishedMs, fetchedMs, runCode, idOrder }) => [
    publishedMs ?? 0,
    fetchedMs,
    runCode,
    idOrder,
    0,
  ]),
  versions: [],
});

it.each(seedsToRun(5))('it is the first from any place on, whatever shares its moment (seed %i)', (seed) => {
  const { int, chance } = createSeeded(seed);
  // So few of each that most share their date and moment, and some the beginning of their id.
  const somePlace = (): FeedPlace => ({
    publishedMs: chance(30) ? null : int(1, 6),
    fetchedMs: int(1, 4),
    idOrder: int(1, 4),
  });
  for (let turn = 0; turn < 200; turn += 1) {
    const releases = Array.from({ length: int(0, 12) }, () => {
      return { ...somePlace(), runCode: runCodeOf(int(0, 2), int(0, 5) || null) };
    });
    const oldestFirst = releases.toSorted((a, b) => compareFeedPlaces(b, a));
    const inPieces = (some: readonly Release[]): ReleasePieces => {
      const cutAt = int(0, some.length);
      return [some.slice(0, cutAt), some.slice(cutAt)].filter((piece) => piece.length > 0).map(packed);
    };
    const instants = instantsWith(
      inPieces(oldestFirst.filter(({ publishedMs }) => publishedMs !== null)),
      inPieces(oldestFirst.filter(({ publishedMs }) => publishedMs === null)),
    );
    const lanes = lanesOf({ includePrereleases: chance(50), includeCoverage: chance(50) });
    const runs = feedRunsOf(lanes, chance(50) ? null : int(1, 5));
    const from = chance(30) ? placeUpTo(chance(30) ? null : int(1, 6)) : somePlace();
    const [expected] = releases
      .filter((release) => hasRun(runs, release.runCode) && compareFeedPlaces(release, from) >= 0)
      .sort(compareFeedPlaces)
      .map(({ runCode: _, ...place }) => ({ sourceId: 's', ...place }));
    expect(newestOfSource('s', instants, { runs, from }), `turn ${turn}`).toEqual(expected);
  }
});
