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

type Visit = (source: SourceDocument, total: number, recent: number) => void;

/** How many counted releases the sources have that everybody sees. */
export interface ReleaseCounts {
  /** Of each source by name: all, and those dated at or after the beginning of the period. */
  readonly each: (period: CountedPeriod, visit: Visit) => void;
}

type Piece = readonly FacetedEntry<SourceDocument>[];

/** The releases of neighbours in one place of the memory: thousands of places to look at would be all that a walk costs. */
interface CountedPiece {
  readonly sources: readonly SourceDocument[];
  /** Dates of one source after the other, each ascending. */
  readonly published: Float64Array;
  /** Where those of each source end. */
  readonly ends: Uint32Array;
  readonly undatedCounts: Uint32Array;
  isStale: boolean;
}

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

const visitPiece = (counted: CountedPiece, { sinceMs, nowMs }: CountedPeriod, visit: Visit): void => {
  const { sources, published, ends, undatedCounts } = counted;
  const dueMs = dueUntilMs(nowMs);
  let from = 0;
  for (let at = 0; at < sources.length; at += 1) {
    const end = ends[at]!;
    const dueEnd = firstAfter(published, dueMs, from, end);
    // Dates are whole milliseconds.
    const recentFrom = firstAfter(published, sinceMs - 1, from, dueEnd);
    visit(sources[at]!, undatedCounts[at]! + dueEnd - from, dueEnd - recentFrom);
    from = end;
  }
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
      each: (period, visit) => {
        for (const piece of pieces()) visitPiece(countedOf(piece), period, visit);
      },
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
