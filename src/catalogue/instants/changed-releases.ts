import { type InstantsDocument, instantsPlace } from '../../../projections/instants/instants-document.ts';
import {
  addRelease,
  compareAt,
  copyRelease,
  countOf,
  documentAt,
  documentNumberOf,
  firstMsOf,
  type GrowingReleases,
  isUndatedDocument,
  lastMsOf,
  momentsOf,
  type PackedReleases,
  pick,
} from './packed-releases.ts';

/** What moves when a release comes or goes. Most sources have fewer. */
const pieceReleasesMax = 512;

/** Documents of one source that came, changed or went, one behind the other: after a start these are all there are. */
export interface ChangedReleases extends GrowingReleases {
  /** Their numbers. */
  readonly documents: number[];
  /** Where the releases of each one end. */
  readonly ends: number[];
}

export const noChanges = (): ChangedReleases => ({ numbers: [], versions: [], documents: [], ends: [] });

export const addChange = (changed: ChangedReleases, id: string, releases: InstantsDocument['releases']): void => {
  const { month, chunk } = instantsPlace(id);
  const document = documentNumberOf(month, chunk);
  for (const release of releases) addRelease(changed, release, document);
  changed.documents.push(document);
  changed.ends.push(changed.versions.length);
};

/** When each document was told last: one may change again before anybody looks. */
const lastTold = (
  { documents }: ChangedReleases,
  isWanted: (document: number) => boolean,
): ReadonlyMap<number, number> => {
  const told = new Map<number, number>();
  for (let turn = 0; turn < documents.length; turn += 1) {
    const document = documents[turn]!;
    if (isWanted(document)) told.set(document, turn);
  }
  return told;
};

interface Listed {
  readonly releases: PackedReleases;
  readonly order: number[];
}

/** What is left of some after a change, and what has come, in no order. */
const changedList = (
  before: readonly PackedReleases[],
  changed: ChangedReleases,
  told: ReadonlyMap<number, number>,
): Listed => {
  const come: number[] = [];
  for (const turn of told.values()) {
    for (let at = changed.ends[turn - 1] ?? 0; at < changed.ends[turn]!; at += 1) come.push(at);
  }
  if (before.length === 0) return { releases: changed, order: come };
  const releases: GrowingReleases = { numbers: [], versions: [] };
  for (const piece of before) {
    for (let at = 0; at < countOf(piece); at += 1) {
      if (!told.has(documentAt(piece, at))) copyRelease(piece, at, releases);
    }
  }
  for (const at of come) copyRelease(changed, at, releases);
  return { releases, order: Array.from({ length: countOf(releases) }, (_, at) => at) };
};

const cut = ({ releases, order }: Listed): PackedReleases[] => {
  const { numbers } = releases;
  order.sort((a, b) => compareAt(numbers, a, b));
  const size = Math.ceil(order.length / Math.ceil(order.length / pieceReleasesMax));
  const pieces: PackedReleases[] = [];
  for (let from = 0; from < order.length; from += size) pieces.push(pick(releases, order.slice(from, from + size)));
  return pieces;
};

const isSmall = (piece: PackedReleases | undefined): boolean =>
  piece !== undefined && countOf(piece) <= pieceReleasesMax / 2;

/** Pieces of the dated releases, the oldest first; those that lie before and behind all that changed stay the same. */
export const datedAfter = (pieces: readonly PackedReleases[], changed: ChangedReleases): readonly PackedReleases[] => {
  const told = lastTold(changed, (document) => !isUndatedDocument(document));
  if (told.size === 0) return pieces;
  if (pieces.length === 0) return cut(changedList(pieces, changed, told));
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
  // A release in a month of its own would else be a piece of its own.
  if (isSmall(pieces[from - 1])) from -= 1;
  if (isSmall(pieces[end])) end += 1;
  const listed = changedList(pieces.slice(from, end), changed, told);
  return [...pieces.slice(0, from), ...cut(listed), ...pieces.slice(end)];
};

/** In no order: of the undated there is no end, and each new one would put all in order again. */
export const undatedAfter = (undated: PackedReleases, changed: ChangedReleases): PackedReleases => {
  const told = lastTold(changed, isUndatedDocument);
  if (told.size === 0) return undated;
  const { releases, order } = changedList([undated], changed, told);
  return pick(releases, order);
};
