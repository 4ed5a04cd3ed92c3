import type { InstantsDocument } from '../../projections/instants/instants.ts';
import { isCoverageCode } from '../domain/release/lane.ts';

/**
 * The counted releases of one document, as bare numbers: publishedMs and fetchedMs in turn, by date. Of the undated it is
 * how many they are and the newest fetchedMs. There are many small ones, where a typed array would be mostly its header.
 */
export type ChunkInstants = readonly number[];

const undatedMonth = '-';

const isUndated = (chunk: string): boolean => chunk.startsWith(undatedMonth);

export const chunkInstants = ({ month, releases }: InstantsDocument): ChunkInstants => {
  const counted = releases.filter(([, , laneCode]) => !isCoverageCode(laneCode));
  if (isUndated(month)) return [counted.length, Math.max(...counted.map(([, , , fetchedMs]) => fetchedMs))];
  // In every other month all have a date: it names the month.
  counted.sort(([, a], [, b]) => (a as number) - (b as number));
  return counted.flatMap(([, publishedMs, , fetchedMs]) => [publishedMs as number, fetchedMs]);
};
/** The counted releases of one source, future ones included: a number looks only as far as its moment. */
export interface SourceInstants {
  /** Ascending. */
  readonly published: Float64Array;
  /** The newest `fetchedMs` up to and including each one. */
  readonly newestFetched: Float64Array;
  readonly undatedCount: number;
  readonly undatedNewestFetched: number | null;
}

export const noInstants: SourceInstants = {
  published: new Float64Array(0),
  newestFetched: new Float64Array(0),
  undatedCount: 0,
  undatedNewestFetched: null,
};

type Pair = readonly [publishedMs: number, fetchedMs: number];

/** Chunks of one month overlap; those of two months follow each other, and so do their names. */
const pairsByDate = (chunks: ReadonlyMap<string, ChunkInstants>): Pair[] => {
  const names = [...chunks.keys()].filter((name) => !isUndated(name)).sort();
  const pairs = names.flatMap((name) => {
    const numbers = chunks.get(name) as ChunkInstants;
    return Array.from({ length: numbers.length / 2 }, (_, at): Pair => [numbers[2 * at]!, numbers[2 * at + 1]!]);
  });
  return pairs.sort(([a], [b]) => a - b); // runs that are in order already cost it one look each
};

const undatedOf = (chunks: ReadonlyMap<string, ChunkInstants>) => {
  let undatedCount = 0;
  let undatedNewestFetched: number | null = null;
  for (const [name, [count, newest]] of chunks) {
    if (!isUndated(name) || !count) continue;
    undatedCount += count;
    undatedNewestFetched = Math.max(undatedNewestFetched ?? Number.NEGATIVE_INFINITY, newest!);
  }
  return { undatedCount, undatedNewestFetched };
};

/** By the names of the chunks, each of which begins with its month. */
export const joinChunks = (chunks: ReadonlyMap<string, ChunkInstants>): SourceInstants => {
  const pairs = pairsByDate(chunks);
  const newestFetched = new Float64Array(pairs.length);
  let newest = Number.NEGATIVE_INFINITY;
  pairs.forEach(([, fetchedMs], at) => {
    newest = Math.max(newest, fetchedMs);
    newestFetched[at] = newest;
  });
  return { published: Float64Array.from(pairs, ([publishedMs]) => publishedMs), newestFetched, ...undatedOf(chunks) };
};

/** How many of the ascending values are at most `ms`. */
export const countUpTo = (ascending: Float64Array, ms: number): number => {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
};
