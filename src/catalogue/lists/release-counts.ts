import type { SourceDocument } from '../../../projections/source/source.ts';
import { dueUntilMs } from '../../domain/release/visible.ts';
import type { SourceInstants } from '../instants/source-instants.ts';
import { type FacetedEntry, meets } from './faceted-list.ts';
import { publicSourceFilter } from './part-facets.ts';
import { createWideMap } from '../wide-map.ts';

/** From when on a release is recent, and when somebody asks. */
export interface CountedPeriod {
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Of some sources that come one after the other by name. */
export interface PieceCounts {
  readonly sources: readonly SourceDocument[];
  /** All counted releases of each source. */
  readonly totals: Uint32Array;
  /** Places of the sources with so many recent ones, by name. */
  readonly placesByRecent: ReadonlyMap<number, readonly number[]>;
  readonly releases: number;
  /** Those dated at or after the beginning of the period. */
  readonly recentReleases: number;
}

/** How many counted releases the sources have that everybody sees. */
export interface ReleaseCounts {
  /** All sources by name. */
  readonly pieces: (period: CountedPeriod) => readonly PieceCounts[];
}

/** Before and after every date. */
const beforeAll = Number.NEGATIVE_INFINITY;
const afterAll = Number.POSITIVE_INFINITY;

type Piece = readonly FacetedEntry<SourceDocument>[];

/** The releases of neighbours in one place of the memory: thousands of places to look at would be all that a walk costs. */
interface CountedPiece {
  readonly sources: readonly SourceDocument[];
  /** Dates of one source after the other, each ascending. */
  readonly published: Float64Array;
  /** Where those of each source end. */
  readonly ends: Uint32Array;
  readonly undatedCounts: Uint32Array;
  /** Of the periods that were asked for last. */
  counts: readonly CountsWhile[];
  isStale: boolean;
}

/** Counts are the same until a date leaves the period or is reached, which in one piece is seldom. */
interface CountsWhile {
  readonly counts: PieceCounts;
  /** The last date before the period and the first in it. */
  readonly beforeMs: number;
  readonly firstMs: number;
  /** The last date that is reached and the first that is not. */
  readonly lastMs: number;
  readonly aheadMs: number;
}

/** Hardly anybody asks for another period than the usual one. */
const periodsKeptMax = 4;

interface ReleaseCountsDeps {
  /** All sources by name; a piece that changes is another one. */
  readonly pieces: () => readonly Piece[];
  readonly instantsOf: (sourceId: string) => SourceInstants;
}

const countedPiece = (piece: Piece, instantsOf: ReleaseCountsDeps['instantsOf']): CountedPiece => {
  const sources = piece.filter(({ facets }) => meets(facets, publicSourceFilter)).map(({ doc }) => doc);
  const instants = sources.map(({ id }) => instantsOf(id));
  const published = new Float64Array(instants.reduce((sum, each) => sum + each.published.length, 0));
  const ends = new Uint32Array(sources.length);
  let end = 0;
  instants.forEach((each, at) => {
    published.set(each.published, end);
    end += each.published.length;
    ends[at] = end;
  });
  return {
    sources,
    published,
    ends,
    undatedCounts: Uint32Array.from(instants, (each) => each.undatedCount),
    counts: [],
    isStale: false,
  };
};

/** The first of the ascending values between both places that is more than `ms`; mostly the outermost tell. */
const firstAfter = (ascending: Float64Array, ms: number, from: number, end: number): number => {
  if (from === end || ascending[end - 1]! <= ms) return end;
  let low = from;
  let high = ascending[from]! > ms ? from : end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
};

const countWhile = (piece: CountedPiece, sinceMs: number, dueMs: number): CountsWhile => {
  const { sources, published, ends, undatedCounts } = piece;
  const totals = new Uint32Array(sources.length);
  const placesByRecent = new Map<number, number[]>();
  let [releases, recentReleases] = [0, 0];
  let [beforeMs, firstMs, lastMs, aheadMs] = [beforeAll, afterAll, beforeAll, afterAll];
  let from = 0;
  for (let at = 0; at < sources.length; at += 1) {
    const end = ends[at]!;
    const dueEnd = firstAfter(published, dueMs, from, end);
    // Dates are whole milliseconds.
    const recentFrom = firstAfter(published, sinceMs - 1, from, dueEnd);
    if (recentFrom > from) beforeMs = Math.max(beforeMs, published[recentFrom - 1]!);
    if (recentFrom < dueEnd) firstMs = Math.min(firstMs, published[recentFrom]!);
    if (dueEnd > from) lastMs = Math.max(lastMs, published[dueEnd - 1]!);
    if (dueEnd < end) aheadMs = Math.min(aheadMs, published[dueEnd]!);
    const recent = dueEnd - recentFrom;
    totals[at] = undatedCounts[at]! + dueEnd - from;
    releases += totals[at]!;
    recentReleases += recent;
    const same = placesByRecent.get(recent);
    if (same === undefined) placesByRecent.set(recent, [at]);
    else same.push(at);
    from = end;
  }
  return { counts: { sources, totals, placesByRecent, releases, recentReleases }, beforeMs, firstMs, lastMs, aheadMs };
};

const countsOf = (piece: CountedPiece, { sinceMs, nowMs }: CountedPeriod): PieceCounts => {
  const dueMs = dueUntilMs(nowMs);
  const known = piece.counts.find(
    ({ beforeMs, firstMs, lastMs, aheadMs }) =>
      beforeMs < sinceMs && sinceMs <= firstMs && lastMs <= dueMs && dueMs < aheadMs,
  );
  if (known !== undefined) return known.counts;
  const made = countWhile(piece, sinceMs, dueMs);
  piece.counts = [made, ...piece.counts.slice(0, periodsKeptMax - 1)];
  return made.counts;
};

/** Copied when somebody asks, and kept until a source of the piece or its releases change. */
export const createReleaseCounts = ({ pieces, instantsOf }: ReleaseCountsDeps) => {
  const countedPieces = new WeakMap<Piece, CountedPiece>();
  /** Where the releases of each source were copied to last. */
  const copiedTo = createWideMap<CountedPiece>();

  const countedOf = (piece: Piece): CountedPiece => {
    const known = countedPieces.get(piece);
    if (known !== undefined && !known.isStale) return known;
    const counted = countedPiece(piece, instantsOf);
    countedPieces.set(piece, counted);
    for (const { id } of counted.sources) copiedTo.set(id, counted);
    return counted;
  };

  return {
    reads: {
      pieces: (period) => pieces().map((piece) => countsOf(countedOf(piece), period)),
    } satisfies ReleaseCounts,
    /** Of a source that has changed, or whose releases have; nothing is held of one that is seen no more. */
    forget: (sourceId: string) => {
      const counted = copiedTo.get(sourceId);
      if (counted === undefined) return;
      counted.isStale = true;
      copiedTo.delete(sourceId);
    },
  };
};
