import { expect, it } from 'vitest';
import { undatedMonth } from '../../../projections/instants/instants-document.ts';
import {
  compareFeedPlaces,
  type FeedPlace,
  newestOfSource,
  placeUpTo,
} from '../../../src/catalogue/instants/newest-of-source.ts';
import { type ChunkInstants, joinChunks, joinMonths } from '../../../src/catalogue/instants/source-instants.ts';
import { feedRunsOf, hasRun, runCodeOf } from '../../../src/domain/release/feed/feed-runs.ts';
import { lanesOf } from '../../../src/domain/release/feed/lane.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

interface Release extends FeedPlace {
  readonly runCode: number;
}

const chunkOf = ({ publishedMs, fetchedMs, runCode, idOrder }: Release): ChunkInstants => ({
  numbers: [publishedMs ?? 0, fetchedMs, runCode, idOrder],
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
    const monthOf = ({ publishedMs }: Release) => (publishedMs === null ? undatedMonth : publishedMs > 3 ? 'b' : 'a');
    const monthWith = (name: string) => {
      const chunks = releases.filter((release) => monthOf(release) === name).map(chunkOf);
      return chunks.length === 0 ? [] : [[name, joinChunks(name, chunks)] as const];
    };
    const instants = joinMonths(new Map(['a', 'b', undatedMonth].flatMap(monthWith)));
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
