import { dueUntilMs } from '../../../src/domain/release/visible.ts';
import type { SearchFilter, SearchList } from '../../../src/ports/search-index.ts';
import { neighboursMax } from '../../../queries/related/nearest-neighbours.ts';
import type { Figure } from '../bench-report.ts';
import { cpuMsOf } from '../worlds/cpu-time.ts';
import { longestBlockMs } from '../worlds/longest-block.ts';
import { percentile } from '../worlds/percentile.ts';
import { benchSpace, createBenchVectors } from '../worlds/search-vectors.ts';
import { createChance } from '../worlds/seeded-data.ts';
import { entriesOf, nearList, type SearchWorld, typedWords, vectorSeed, wordList } from './search-world.ts';

const rounds = 200;
/** A service that has answered for a minute has its code compiled; until then V8's compilers take as much as an answer. */
const warmingRounds = 400;
const recallQueries = 50;
export const recallAt = 20;

const everything: SearchFilter = { sources: { notIn: new Set() }, withCoverage: true };

/** Each round by the clock, and by what it needs of the processor: beside other programs only that says much. */
interface Times {
  readonly clockMs: number[];
  readonly cpuMs: number[];
}

async function timed(work: (round: number) => Promise<unknown>): Promise<Times> {
  for (let round = 0; round < warmingRounds; round += 1) await work(round);
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
  const { index, releases, texts, vector } = world;
  const hybrid = (tokens: readonly string[]): SearchList[] => {
    const near = vector();
    return (['release', 'chunk'] as const).flatMap((kind) => [wordList(kind, tokens), nearList(kind, near)]);
  };
  const words = await timed((round) => index.search([wordList('release', typedWords(world, round))]));
  const common = await timed(() => index.search([wordList('release', texts.words(1))]));
  const near = await timed(() => index.search([nearList('release', vector())]));
  const all = await timed((round) => index.search(hybrid(typedWords(world, round))));
  const nearestTo = (filterOf: (id: string) => Partial<SearchFilter>) => async (round: number) => {
    const id = `rel_${(round * 17) % releases}`;
    const list = nearList('release', ...(await index.vectorsOf('release', id, benchSpace)));
    await index.search([{ ...list, filter: { ...list.filter, ...filterOf(id) }, limit: neighboursMax }]);
  };
  // A request leaves out the release itself and what is not there yet: its filter is never the same twice. The row without tells
  // what it is worth to an index where it is.
  const related = await timed(
    nearestTo((id) => ({ toMs: dueUntilMs(Date.now()), keepsUndated: true, except: new Set([id]) })),
  );
  const relatedToAny = await timed(nearestTo(() => ({})));
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
    ...timesOf('nearest to the entries of a release, as requests ask', related, undefined, 15),
    ...timesOf('nearest to the entries of a release', relatedToAny),
    ...timesOf('words and vectors of both kinds', all, 12, 30),
    { metric: 'the same, 8 at once, p95', value: percentile(eight, 0.95), unit: 'ms', atMost: 150 },
    { metric: 'longest stop of the calling thread in a search', value: blockMs, unit: 'ms', atMost: 10 },
  ];
}

/** Compared with every vector there is, as it was before it was stored. */
export async function recallOf({ index, vector, releases: documents }: SearchWorld): Promise<number> {
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
