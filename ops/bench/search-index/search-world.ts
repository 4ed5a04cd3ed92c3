import type { Lease } from '../../../src/ports/leases.ts';
import type {
  SearchChange,
  SearchFilter,
  SearchIndex,
  SearchKind,
  SearchList,
} from '../../../src/ports/search-index.ts';
import { createSearchTexts, type SearchTexts } from '../worlds/search-texts.ts';
import { benchSpace, createBenchVectors } from '../worlds/search-vectors.ts';
import { createChance } from '../worlds/seeded-data.ts';

type MeasuredKind = Exclude<SearchKind, 'source'>;

export const entriesOf: Readonly<Record<MeasuredKind, number>> = { release: 5, chunk: 1 };
const batchDocuments = 250;
/** Three times what a page shows (contract 7.2). */
const limit = 60;

/** A few sources are hidden, as they always are. */
const filter: SearchFilter = {
  sources: { notIn: new Set(Array.from({ length: 10 }, (_, number) => `src_${number}`)) },
  withCoverage: false,
};
export interface SearchWorld {
  readonly index: SearchIndex;
  /** There are as many chunks. */
  readonly releases: number;
  readonly lease: Lease;
  readonly texts: SearchTexts;
  readonly vector: () => Float32Array;
}

export const vectorSeed: Readonly<Record<MeasuredKind, number>> = { release: 11, chunk: 12 };

/** Seconds that the puts and the vectors took; making the texts does not count. */
export async function fill(
  { index, lease, texts, releases: count }: SearchWorld,
  kind: MeasuredKind,
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

/** What a search index is filled with and asked for, whichever it is. */
export async function createSearchBenchWorld(index: SearchIndex, releases: number): Promise<SearchWorld> {
  const lease = await index.leases.acquire('feed', 'bench', 86_400_000);
  if (lease === null) throw new Error('the lease of the bench is taken');
  const texts = createSearchTexts(createChance(1));
  return { index, releases, lease, texts, vector: createBenchVectors(createChance(vectorSeed.release)) };
}

/** One to three words, of which the first is any word and the others are as common as in a text. */
export const typedWords = ({ texts }: SearchWorld, round: number): string[] => [
  texts.word(),
  ...texts.words(round % 3),
];

export const wordList = (kind: SearchKind, tokens: readonly string[]): SearchList => ({
  kind,
  filter,
  limit,
  words: { tokens, isPrefix: false },
});
export const nearList = (kind: SearchKind, ...near: readonly Float32Array[]): SearchList => ({
  kind,
  filter,
  limit,
  near,
  space: benchSpace,
});
