import { type ChangedReleases, placesOf, toldDocuments } from './changed-releases.ts';
import {
  compareReleases,
  copyRelease,
  type GrowingReleases,
  numbersEach,
  type PackedReleases,
} from './packed-releases.ts';
import { pieceEnds, type ReleasePieces } from './release-pieces.ts';

/** The releases of some sources, one source behind the other, in few lists: so a thread hands them over in no time. */
export interface PackedSources {
  readonly sourceIds: readonly string[];
  /** Where the dated and then the undated of each of them end. */
  readonly ends: readonly number[];
  /** As in `PackedReleases`: of each source the dated, then the undated, the oldest first. */
  readonly numbers: Float64Array;
  /** Of each release. */
  readonly versions: readonly (string | null)[];
}

export type ReleasesOfSource = readonly [sourceId: string, releases: ChangedReleases];

const inOrder = (changed: ChangedReleases, areUndated: boolean): number[] =>
  placesOf(changed, toldDocuments(changed, areUndated)).sort((a, b) => compareReleases(changed, a, changed, b));

export const packSources = (sources: readonly ReleasesOfSource[]): PackedSources => {
  const packed: GrowingReleases = { numbers: [], versions: [] };
  const ends: number[] = [];
  for (const [, changed] of sources) {
    for (const areUndated of [false, true]) {
      for (const at of inOrder(changed, areUndated)) copyRelease(changed, at, packed);
      ends.push(packed.versions.length);
    }
  }
  const { numbers, versions } = packed;
  return { sourceIds: sources.map(([id]) => id), ends, numbers: Float64Array.from(numbers), versions };
};

/** As a list of its own: most sources have so few that typed arrays of them would be mostly headers. */
const pieceOf = (packed: PackedSources, from: number, end: number): PackedReleases => {
  const numbers = new Array<number>((end - from) * numbersEach);
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = packed.numbers[from * numbersEach + at]!;
  const versions = packed.versions.slice(from, end);
  return { numbers, versions: versions.some((version) => version !== null) ? versions : [] };
};

const piecesOf = (packed: PackedSources, from: number, end: number): ReleasePieces => {
  let begin = from;
  return pieceEnds(end - from).map((pieceEnd) => {
    const piece = pieceOf(packed, begin, from + pieceEnd);
    begin = from + pieceEnd;
    return piece;
  });
};

export const unpackSources = (
  packed: PackedSources,
  take: (sourceId: string, dated: ReleasePieces, undated: ReleasePieces) => void,
): void => {
  let from = 0;
  packed.sourceIds.forEach((sourceId, at) => {
    const [datedEnd, end] = [packed.ends[2 * at]!, packed.ends[2 * at + 1]!];
    take(sourceId, piecesOf(packed, from, datedEnd), piecesOf(packed, datedEnd, end));
    from = end;
  });
};
