import { type ChangedReleases, createComing, placesOf, type ToldDocuments, toldDocuments } from './changed-releases.ts';
import {
  compareReleases,
  copyRelease,
  countOf,
  firstMsOf,
  type GrowingReleases,
  lastMsOf,
  momentsOf,
  type PackedReleases,
  pick,
} from './packed-releases.ts';

/** Releases of one source, the oldest first. Pieces that lose and get nothing stay the same. */
export type ReleasePieces = readonly PackedReleases[];

export const noPieces: ReleasePieces = [];

/** What moves when a release comes or goes. Most sources have fewer. */
const pieceReleasesMax = 512;

/** Where the pieces of so many releases end. */
export const pieceEnds = (count: number): number[] => {
  const size = Math.ceil(count / Math.ceil(count / pieceReleasesMax));
  const ends: number[] = [];
  for (let end = size; end < count; end += size) ends.push(end);
  return count === 0 ? ends : [...ends, count];
};

const cut = (releases: PackedReleases, order: number[]): PackedReleases[] => {
  order.sort((a, b) => compareReleases(releases, a, releases, b));
  let from = 0;
  return pieceEnds(order.length).map((end) => {
    const piece = pick(releases, order.slice(from, end));
    from = end;
    return piece;
  });
};

const placesIn = (piece: PackedReleases): number[] => Array.from({ length: countOf(piece) }, (_, at) => at);

/** A release that comes between others, or in a month of its own, would else be a piece of its own. */
const isSmall = (piece: PackedReleases): boolean => countOf(piece) <= pieceReleasesMax / 2;

/** Puts pieces together, of which those that follow each other and change are cut anew. */
const createJoin = () => {
  const joined: PackedReleases[] = [];
  let changing: GrowingReleases | null = null;

  const copy = (from: PackedReleases, places: readonly number[]): void => {
    if (changing === null) {
      changing = { numbers: [], versions: [] };
      const last = joined.at(-1);
      if (last !== undefined && isSmall(last)) copy(joined.pop()!, placesIn(last));
    }
    for (const at of places) copyRelease(from, at, changing);
  };
  const endChange = (): void => {
    if (changing !== null) joined.push(...cut(changing, placesIn(changing)));
    changing = null;
  };

  return {
    copy,
    keep: (piece: PackedReleases): void => {
      if (changing !== null && isSmall(piece)) return copy(piece, placesIn(piece));
      endChange();
      joined.push(piece);
    },
    end: (): ReleasePieces => {
      endChange();
      return joined.length === 0 ? noPieces : joined;
    },
  };
};

interface PieceRange {
  readonly from: number;
  readonly end: number;
}

/** Where releases of these documents may be; nowhere else is looked for them. */
const rangeOf = (pieces: ReleasePieces, told: ToldDocuments, areUndated: boolean): PieceRange => {
  if (areUndated) return { from: 0, end: pieces.length };
  let [fromMs, endMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const document of told.keys()) {
    const moments = momentsOf(document);
    fromMs = Math.min(fromMs, moments[0]);
    endMs = Math.max(endMs, moments[1]);
  }
  let from = 0;
  while (from < pieces.length && lastMsOf(pieces[from]!) < fromMs) from += 1;
  let end = from;
  while (end < pieces.length && firstMsOf(pieces[end]!) < endMs) end += 1;
  return { from, end };
};

/** The dated or the undated of a source, after some of its documents changed. */
export function piecesAfter(pieces: ReleasePieces, changed: ChangedReleases, areUndated: boolean): ReleasePieces {
  const told = toldDocuments(changed, areUndated);
  if (told.size === 0) return pieces;
  if (pieces.length === 0) {
    const places = placesOf(changed, told);
    return places.length === 0 ? pieces : cut(changed, places);
  }
  const { from, end } = rangeOf(pieces, told, areUndated);
  const coming = createComing(changed, told, pieces.slice(from, end));
  const stayingOf = pieces.map(coming.stayingOf);
  const come = coming.rest();
  if (come.length === 0 && stayingOf.every((staying) => staying === null)) return pieces;
  const join = createJoin();
  let next = 0;
  for (const [number, piece] of pieces.entries()) {
    const first = next;
    const following = pieces[number + 1];
    const isBefore = (at: number) => following === undefined || compareReleases(changed, at, following, 0) < 0;
    while (next < come.length && isBefore(come[next]!)) next += 1;
    const staying = stayingOf[number]!;
    if (staying === null && next === first) join.keep(piece);
    else {
      join.copy(piece, staying ?? placesIn(piece));
      join.copy(changed, come.slice(first, next));
    }
  }
  return join.end();
}
