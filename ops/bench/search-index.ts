import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { type SearchChange, type SearchIndex, VectorsUnavailable } from '../../src/ports/search-index.ts';
import type { Figure } from './bench-report.ts';
import { recallAt, recallOf, searchFigures } from './search-index/search-figures.ts';
import {
  createSearchBenchWorld,
  entriesOf,
  fill,
  nearList,
  type SearchWorld,
  wordList,
} from './search-index/search-world.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { longestBlockMs } from './worlds/longest-block.ts';
import { createBenchVectors } from './worlds/search-vectors.ts';
import { createChance } from './worlds/seeded-data.ts';

/** Fills an index of its own, and tells how fast. */
async function fillFolder(folder: string, releases: number): Promise<Figure[]> {
  const indexes = await createEmbeddedSearchIndexes({ folder, clock: systemClock });
  const world = await createSearchBenchWorld(await indexes.open(1), releases);
  const [putSeconds, vectorSeconds] = await fill(world, 'release');
  const [chunkSeconds] = await fill(world, 'chunk');
  await world.index.leases.release(world.lease);
  await indexes.close();
  return [
    { metric: 'releases indexed', value: releases / putSeconds, unit: '1/s', atLeast: 2_000 },
    { metric: 'releases indexed with their vectors', value: releases / (putSeconds + vectorSeconds), unit: '1/s' },
    { metric: 'chunks indexed', value: releases / chunkSeconds, unit: '1/s' },
  ];
}

/** How long the calling thread stands still while eight of the longest texts are written. */
async function longestStopOfWrite({ index, lease, texts }: SearchWorld): Promise<number> {
  const longDocs = Array.from({ length: 8 }, (_, number) => ({
    ...texts.release(number),
    texts: { title: '', names: '', body: texts.words(120_000).join(' ') },
  }));
  let position = await index.checkpoint();
  return longestBlockMs(async () => {
    position += 1;
    const changes = longDocs.map((doc): SearchChange => ({ kind: 'put', index: 'release', position, doc }));
    await index.write({ changes, position, lease });
  });
}

async function untilLoaded(index: SearchIndex, near: Float32Array): Promise<void> {
  for (;;) {
    try {
      await index.search([nearList('release', near), nearList('chunk', near)]);
      return;
    } catch (error) {
      if (!(error instanceof VectorsUnavailable)) throw error;
    }
  }
}

/** What is asked of a filled index; its folder is another one afterwards. */
async function measureFolder(folder: string, releases: number): Promise<Figure[]> {
  const near = createBenchVectors(createChance(1))();
  const startedMs = performance.now();
  const indexes = await createEmbeddedSearchIndexes({ folder, clock: systemClock });
  const index = await indexes.open(1);
  await index.search([wordList('release', ['first'])]);
  const wordsMs = performance.now() - startedMs;
  await untilLoaded(index, near);
  const loadedMs = performance.now() - startedMs;
  const world = await createSearchBenchWorld(index, releases);
  const entries = releases * (entriesOf.release + entriesOf.chunk);
  const bytes = await indexes.codeBytes(1);
  const figures = await searchFigures(world);
  const recall = await recallOf(world);
  const blockMs = await longestStopOfWrite(world);
  const scrubStartedMs = performance.now();
  await index.scrub();
  const scrubSeconds = (performance.now() - scrubStartedMs) / 1_000;
  await indexes.close();
  return [
    { metric: 'from opening to the first answer by words', value: wordsMs, unit: 'ms' },
    { metric: `from opening to the first answer by vectors, ${entries} entries`, value: loadedMs, unit: 'ms' },
    { metric: 'the same for 200,000 entries', value: (loadedMs * 200_000) / entries, unit: 'ms', atMost: 1_000 },
    { metric: 'memory of 1,000,000 entry vectors', value: bytes / entries / 1.048576, unit: 'MiB', atMost: 150 },
    ...figures,
    { metric: `recall of the nearest ${recallAt}`, value: recall, unit: '', atLeast: 0.95 },
    { metric: 'longest stop of the calling thread in a write', value: blockMs, unit: 'ms', atMost: 10 },
    { metric: 'scrub of words that were overwritten', value: scrubSeconds, unit: 's' },
  ];
}

/** Filled once and kept: how fast that was is told by the run that did it. What is measured is a copy. */
async function measureKept(data: string, releases: number): Promise<Figure[]> {
  const kept = join(data, `search-index-${releases}`);
  const mark = join(kept, 'is-filled');
  const filled: Figure[] = [];
  if (!existsSync(mark)) {
    mkdirSync(kept, { recursive: true });
    filled.push(...(await fillFolder(kept, releases)));
    writeFileSync(mark, '');
  }
  return inBenchFolder(async (folder) => {
    cpSync(kept, folder, { recursive: true });
    return [...filled, ...(await measureFolder(folder, releases))];
  });
}

export const runSearchIndex = ({
  releases = 100_000,
  data,
}: {
  readonly releases: number | undefined;
  readonly data: string | undefined;
}): Promise<Figure[]> => {
  if (data !== undefined) return measureKept(data, releases);
  return inBenchFolder(async (folder) => [
    ...(await fillFolder(folder, releases)),
    ...(await measureFolder(folder, releases)),
  ]);
};
