import type { InstantsDocument } from '../../projections/instants/instants.ts';
import { isCoverageCode } from '../domain/release/lane.ts';

/**
 * The counted releases of one source in one month, as bare numbers: publishedMs and fetchedMs in turn, by date. Those
 * of the undated are fetchedMs only. There are many small months, where a typed array would be mostly its own header.
 */
export type MonthInstants = readonly number[];

const undatedMonth = '-';

export const monthInstants = ({ month, releases }: InstantsDocument): MonthInstants => {
  const counted = releases.filter(([, , laneCode]) => !isCoverageCode(laneCode));
  const numbers: number[] = [];
  if (month === undatedMonth) {
    for (const [, , , fetchedMs] of counted) numbers.push(fetchedMs);
    return numbers;
  }
  // In every other month all have a date: it names the month.
  counted.sort(([, a], [, b]) => (a as number) - (b as number));
  for (const [, publishedMs, , fetchedMs] of counted) numbers.push(publishedMs as number, fetchedMs);
  return numbers;
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

/** By the name of the month: they follow each other in time. */
export const joinMonths = (months: ReadonlyMap<string, MonthInstants>): SourceInstants => {
  const undated = months.get(undatedMonth) ?? [];
  const names = [...months.keys()].filter((name) => name !== undatedMonth).sort();
  const dated = names.flatMap((name) => months.get(name) ?? []);
  const published = new Float64Array(dated.length / 2);
  const newestFetched = new Float64Array(dated.length / 2);
  let newest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < published.length; at += 1) {
    newest = Math.max(newest, dated[2 * at + 1] as number);
    published[at] = dated[2 * at] as number;
    newestFetched[at] = newest;
  }
  return {
    published,
    newestFetched,
    undatedCount: undated.length,
    undatedNewestFetched: undated.length === 0 ? null : undated.reduce((a, b) => Math.max(a, b)),
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
