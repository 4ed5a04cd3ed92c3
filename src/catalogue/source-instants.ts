import type { InstantsDocument } from '../../projections/instants/instants.ts';
import { isCoverageCode } from '../domain/release/lane.ts';

/**
 * Counted releases of one month, as bare numbers: publishedMs and fetchedMs in turn, by date. Of the undated it is how many
 * they are and the newest fetchedMs. There are many small ones, where a typed array would be mostly its header.
 */
export type ChunkInstants = readonly number[];

const undatedMonth = '-';

export const chunkInstants = ({ month, releases }: InstantsDocument): ChunkInstants => {
  const counted = releases.filter(([, , laneCode]) => !isCoverageCode(laneCode));
  if (month === undatedMonth) return [counted.length, Math.max(...counted.map(([, , , fetchedMs]) => fetchedMs))];
  // In every other month all have a date: it names the month.
  counted.sort(([, a], [, b]) => (a as number) - (b as number));
  return counted.flatMap(([, publishedMs, , fetchedMs]) => [publishedMs as number, fetchedMs]);
};

const joinUndated = (chunks: readonly ChunkInstants[]): ChunkInstants => {
  let newest = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const [chunkCount = 0, chunkNewest = newest] of chunks) {
    count += chunkCount;
    newest = Math.max(newest, chunkNewest);
  }
  return [count, newest];
};

/** The chunks of one month as one. */
export const joinChunks = (month: string, chunks: readonly ChunkInstants[]): ChunkInstants => {
  if (chunks.length === 1) return chunks[0]!;
  if (month === undatedMonth) return joinUndated(chunks);
  const pairs = chunks.flatMap((numbers) =>
    Array.from({ length: numbers.length / 2 }, (_, at): [number, number] => [numbers[2 * at]!, numbers[2 * at + 1]!]),
  );
  return pairs.sort(([a], [b]) => a - b).flat();
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

/** By the names of the months, which follow each other as they do. */
export const joinMonths = (months: ReadonlyMap<string, ChunkInstants>): SourceInstants => {
  const [undatedCount = 0, undatedNewest = Number.NEGATIVE_INFINITY] = months.get(undatedMonth) ?? [];
  const dated = [...months.keys()].filter((name) => name !== undatedMonth).sort();
  const count = dated.reduce((sum, name) => sum + months.get(name)!.length / 2, 0);
  const published = new Float64Array(count);
  const newestFetched = new Float64Array(count);
  let newest = Number.NEGATIVE_INFINITY;
  let at = 0;
  for (const name of dated) {
    const numbers = months.get(name)!;
    for (let from = 0; from < numbers.length; from += 2) {
      newest = Math.max(newest, numbers[from + 1]!);
      published[at] = numbers[from]!;
      newestFetched[at] = newest;
      at += 1;
    }
  }
  return {
    published,
    newestFetched,
    undatedCount,
    undatedNewestFetched: undatedCount === 0 ? null : undatedNewest,
  };
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
