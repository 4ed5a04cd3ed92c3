import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { Lease } from '../../src/ports/leases.ts';
import {
  type SearchChange,
  type SearchFilter,
  type SearchIndex,
  type SearchKind,
  type SearchList,
  VectorsUnavailable,
} from '../../src/ports/search-index.ts';
import { neighboursMax } from '../../queries/related/nearest-neighbours.ts';
import type { Figure } from './bench-report.ts';
import { percentile } from './worlds/percentile.ts';
import { cpuMsOf } from './worlds/cpu-time.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { longestBlockMs } from './worlds/longest-block.ts';
import { createSearchTexts, type SearchTexts } from './worlds/search-texts.ts';
import { benchSpace, createBenchVectors } from './worlds/search-vectors.ts';
import { createChance } from './worlds/seeded-data.ts';

type MeasuredKind = Exclude<SearchKind, 'source'>;

const entriesOf: Readonly<Record<MeasuredKind, number>> = { release: 5, chunk: 1 };
const batchDocuments = 250;
const rounds = 200;
const recallQueries = 50;
export const recallAt = 20;
/** Three times what a page shows (contract 7.2). */
const limit = 60;

/** A few sources are hidden, as they always are. */
const filter: SearchFilter = {
  sources: { notIn: new Set(Array.from({ length: 10 }, (_, number) => `src_${number}`)) },
  withCoverage: false,
};
const everything: SearchFilter = { sources: { notIn: new Set() }, withCoverage: true };

export interface SearchWorld {
  readonly index: SearchIndex;
  readonly lease: Lease;
  readonly texts: SearchTexts;
  readonly vector: () => Float32Array;
}

const vectorSeed: Readonly<Record<MeasuredKind, number>> = { release: 11, chunk: 12 };

/** Seconds that the puts and the vectors took; making the texts does not count. */
export async function fill(
  { index, lease, texts }: SearchWorld,
  kind: MeasuredKind,
  count: number,
): Promise<[number, number]> {
  const vector = createBenchVectors(createChance(vectorSeed[kind]));
  const tookMs: [number, number] = [0, 0];
  const write = async (changes: readonly SearchChange[], position: number | null): Promise<number> => {
    const startedMs = performance.now();
    const outcome = await index.write({ changes, position, lease });
    if (outcome !== 'written') throw new Error(`a write of the bench was ${outcome}`);
    return performance.now() - startedMs;
  };
  let position = await index.checkpoint();
  for (let first = 0; first < count; first += batchDocuments) {
    position += 1;
    const docs = Array.from({ length: Math.min(batchDocuments, count - first) }, (_, number) =>
      texts[kind](first + number),
    );
    const at = { index: kind, position };
    tookMs[0] += await write(
      docs.map((doc) => ({ kind: 'put', ...at, doc })),
      position,
    );
    const entries = () =>
      Array.from({ length: entriesOf[kind] }, (_, entry) => ({ textHash: String(entry), vector: vector() }));
    const vectors = docs.map(
      ({ id }): SearchChange => ({
        kind: 'vectors',
        ...at,
        id,
        space: benchSpace,
        model: benchSpace,
        entries: entries(),
      }),
    );
    tookMs[1] += await write(vectors, null);
  }
  return [tookMs[0] / 1_000, tookMs[1] / 1_000];
}

/** One to three words, of which the first is any word and the others are as common as in a text. */
const typedWords = ({ texts }: SearchWorld, round: number): string[] => [texts.word(), ...texts.words(round % 3)];

const wordList = (kind: SearchKind, tokens: readonly string[]): SearchList => ({
  kind,
  filter,
  limit,
  words: { tokens, isPrefix: false },
});
const nearList = (kind: SearchKind, ...near: readonly Float32Array[]): SearchList => ({
  kind,
  filter,
  limit,
  near,
  space: benchSpace,
});

/** Each round by the clock, and by what it needs of the processor: beside other programs only that says much. */
interface Times {
  readonly clockMs: number[];
  readonly cpuMs: number[];
}

async function timed(work: (round: number) => Promise<unknown>): Promise<Times> {
  for (let round = 0; round < 10; round += 1) await work(round);
  const times: Times = { clockMs: [], cpuMs: [] };
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    times.cpuMs.push(await cpuMsOf(() => work(round)));
    times.clockMs.push(performance.now() - startedMs);
  }
  for (const took of [times.clockMs, times.cpuMs]) took.sort((a, b) => a - b);
  return times;
}

const timesOf = (metric: string, { clockMs, cpuMs }: Times, p50Max?: number, p95Max?: number): Figure[] => [
  {
    metric: `${metric}, p50`,
    value: percentile(clockMs, 0.5),
    unit: 'ms',
    ...(p50Max !== undefined && { atMost: p50Max }),
  },
  {
    metric: `${metric}, p95`,
    value: percentile(clockMs, 0.95),
    unit: 'ms',
    ...(p95Max !== undefined && { atMost: p95Max }),
  },
  { metric: `${metric}, p50`, value: percentile(cpuMs, 0.5), unit: 'ms of CPU' },
];

export async function searchFigures(world: SearchWorld): Promise<Figure[]> {
  const { index, texts, vector } = world;
  const hybrid = (tokens: readonly string[]): SearchList[] => {
    const near = vector();
    return (['release', 'chunk'] as const).flatMap((kind) => [wordList(kind, tokens), nearList(kind, near)]);
  };
  const words = await timed((round) => index.search([wordList('release', typedWords(world, round))]));
  const common = await timed(() => index.search([wordList('release', texts.words(1))]));
  const near = await timed(() => index.search([nearList('release', vector())]));
  const all = await timed((round) => index.search(hybrid(typedWords(world, round))));
  const related = await timed(async (round) => {
    const entries = await index.vectorsOf('release', `rel_${round * 17}`, benchSpace);
    await index.search([{ ...nearList('release', ...entries), limit: neighboursMax }]);
  });
  const eight: number[] = [];
  await timed(async (round) => {
    const startedMs = performance.now();
    const one = async () => {
      await index.search(hybrid(typedWords(world, round)));
      eight.push(performance.now() - startedMs);
    };
    await Promise.all(Array.from({ length: 8 }, one));
  });
  eight.sort((a, b) => a - b);
  const blockMs = await longestBlockMs(() => index.search(hybrid(typedWords(world, 2))));
  return [
    ...timesOf('releases by words', words, undefined, 20),
    ...timesOf('releases by one word as common as in a text', common),
    ...timesOf('nearest releases', near),
    ...timesOf('nearest to the entries of a release', related, undefined, 15),
    ...timesOf('words and vectors of both kinds', all, 12, 30),
    { metric: 'the same, 8 at once, p95', value: percentile(eight, 0.95), unit: 'ms', atMost: 150 },
    { metric: 'longest stop of the calling thread in a search', value: blockMs, unit: 'ms', atMost: 10 },
  ];
}

/** Compared with every vector there is, as it was before it was stored. */
export async function recallOf({ index, vector }: SearchWorld, documents: number): Promise<number> {
  const queries = Array.from({ length: recallQueries }, vector);
  const best = queries.map(() => new Map<number, number>());
  const lowest = queries.map(() => -1);
  const again = createBenchVectors(createChance(vectorSeed.release));
  for (let document = 0; document < documents; document += 1) {
    for (let entry = 0; entry < entriesOf.release; entry += 1) {
      const stored = again();
      for (const [number, query] of queries.entries()) {
        let cosine = 0;
        for (let axis = 0; axis < query.length; axis += 1) cosine += query[axis]! * stored[axis]!;
        const found = best[number]!;
        if (cosine <= lowest[number]! || cosine <= (found.get(document) ?? -1)) continue;
        found.set(document, cosine);
        if (found.size <= recallAt) continue;
        const [worst] = [...found].reduce((a, b) => (a[1] < b[1] ? a : b));
        found.delete(worst);
        lowest[number] = Math.min(...found.values());
      }
    }
  }
  let hits = 0;
  for (const [number, near] of queries.entries()) {
    const list: SearchList = { kind: 'release', filter: everything, limit: recallAt, near: [near], space: benchSpace };
    const [answer] = await index.search([list]);
    for (const { id } of answer!.hits) if (best[number]!.has(Number(id.slice('rel_'.length)))) hits += 1;
  }
  return hits / (recallQueries * Math.min(recallAt, documents));
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

/** What a search index is filled with and asked for, whichever it is. */
export async function createSearchBenchWorld(index: SearchIndex): Promise<SearchWorld> {
  const lease = await index.leases.acquire('feed', 'bench', 86_400_000);
  if (lease === null) throw new Error('the lease of the bench is taken');
  const texts = createSearchTexts(createChance(1));
  return { index, lease, texts, vector: createBenchVectors(createChance(vectorSeed.release)) };
}

export const runSearchIndex = ({ releases = 100_000 }: { readonly releases: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    const filled = await createEmbeddedSearchIndexes({ folder, clock: systemClock });
    const world = await createSearchBenchWorld(await filled.open(1));
    const { index, lease, texts, vector } = world;
    const [putSeconds, vectorSeconds] = await fill(world, 'release', releases);
    const [chunkSeconds] = await fill(world, 'chunk', releases);
    const entries = releases * (entriesOf.release + entriesOf.chunk);
    const bytes = await filled.codeBytes(1);
    const longDocs = Array.from({ length: 8 }, (_, number) => ({
      ...texts.release(number),
      texts: { title: '', names: '', body: texts.words(120_000).join(' ') },
    }));
    let position = await index.checkpoint();
    const blockMs = await longestBlockMs(async () => {
      position += 1;
      const changes = longDocs.map((doc): SearchChange => ({ kind: 'put', index: 'release', position, doc }));
      await index.write({ changes, position, lease });
    });
    await filled.close();

    const startedMs = performance.now();
    const opened = await createEmbeddedSearchIndexes({ folder, clock: systemClock });
    const again: SearchWorld = { ...world, index: await opened.open(1) };
    await again.index.search([wordList('release', [texts.word()])]);
    const wordsMs = performance.now() - startedMs;
    await untilLoaded(again.index, vector());
    const loadedMs = performance.now() - startedMs;
    const figures = await searchFigures(again);
    const recall = await recallOf(again, releases);
    const scrubStartedMs = performance.now();
    await again.index.scrub();
    const scrubSeconds = (performance.now() - scrubStartedMs) / 1_000;
    await opened.close();
    return [
      { metric: 'releases indexed', value: releases / putSeconds, unit: '1/s', atLeast: 2_000 },
      { metric: 'releases indexed with their vectors', value: releases / (putSeconds + vectorSeconds), unit: '1/s' },
      { metric: 'chunks indexed', value: releases / chunkSeconds, unit: '1/s' },
      { metric: 'longest stop of the calling thread in a write', value: blockMs, unit: 'ms', atMost: 10 },
      { metric: 'from opening to the first answer by words', value: wordsMs, unit: 'ms' },
      { metric: `from opening to the first answer by vectors, ${entries} entries`, value: loadedMs, unit: 'ms' },
      { metric: 'the same for 200,000 entries', value: (loadedMs * 200_000) / entries, unit: 'ms', atMost: 1_000 },
      { metric: 'memory of 1,000,000 entry vectors', value: bytes / entries / 1.048576, unit: 'MiB', atMost: 150 },
      ...figures,
      { metric: `recall of the nearest ${recallAt}`, value: recall, unit: '', atLeast: 0.95 },
      { metric: 'scrub of words that were overwritten', value: scrubSeconds, unit: 's' },
    ];
  });
