import { connectOpenSearch } from '../../src/adapters/opensearch/connection.ts';
import type { Figure } from './bench-report.ts';
import { recallAt, recallOf, searchFigures } from './search-index/search-figures.ts';
import { createSearchBenchWorld, fill } from './search-index/search-world.ts';
import { serverUrl, withServerIndexes } from './search-index/server-indexes.ts';
import { secondsSince } from './worlds/bench-folder.ts';

const warmUpRounds = 2;

/** A server that was started for tests compiles quickly and badly: what it does with vectors takes many times as long. */
async function checkCompiler(urls: readonly string[]): Promise<void> {
  const connection = connectOpenSearch(urls);
  try {
    const question = { what: 'tell how it was started', method: 'GET', path: '/_nodes/jvm' } as const;
    const { body } = await connection.ask<{ nodes: Record<string, { jvm: { input_arguments: string[] } }> }>(question);
    const isHalf = Object.values(body.nodes).some(({ jvm }) => jvm.input_arguments.includes('-XX:TieredStopAtLevel=1'));
    if (!isHalf) return;
    throw new Error(
      'This server was started for tests, without the better half of its compiler: run `ops/stack/down opensearch`, then ' +
        '`OPENSEARCH_JIT=c2 OPENSEARCH_HEAP=2g ops/stack/up opensearch`.',
    );
  } finally {
    await connection.close();
  }
}

/** The table of `search-index`, as far as it is about what a server does. CPU is that of the caller, not of the server. */
export const runOpenSearch = ({ releases = 20_000 }: { readonly releases: number | undefined }): Promise<Figure[]> =>
  withServerIndexes(async (indexes) => {
    await checkCompiler([serverUrl()]);
    const world = await createSearchBenchWorld(await indexes.open(1), releases);
    const { index } = world;
    const [putSeconds, vectorSeconds] = await fill(world, 'release');
    const [chunkSeconds] = await fill(world, 'chunk');
    const settleStartedMs = performance.now();
    await index.settle();
    const settleSeconds = secondsSince(settleStartedMs);
    // A server compiles what is called often; how it begins is not what its users meet for days.
    for (let round = 0; round < warmUpRounds; round += 1) await searchFigures(world);
    const figures = await searchFigures(world);
    const recall = await recallOf(world);
    const scrubStartedMs = performance.now();
    await index.scrub();
    return [
      { metric: 'releases indexed', value: releases / putSeconds, unit: '1/s', atLeast: 2_000 },
      { metric: 'releases that get 5 vectors each', value: releases / vectorSeconds, unit: '1/s', atLeast: 1_000 },
      { metric: 'releases indexed with their vectors', value: releases / (putSeconds + vectorSeconds), unit: '1/s' },
      { metric: 'chunks indexed', value: releases / chunkSeconds, unit: '1/s' },
      { metric: 'until all of it can be found', value: settleSeconds, unit: 's' },
      ...figures,
      { metric: `recall of the nearest ${recallAt}`, value: recall, unit: '', atLeast: 0.95 },
      { metric: 'scrub of words that were overwritten', value: secondsSince(scrubStartedMs), unit: 's' },
    ];
  });
