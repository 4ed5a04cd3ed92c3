import { type InstantsDocument, instantsPlace } from '../../../projections/instants/instants-document.ts';
import {
  addRelease,
  compareReleases,
  countOf,
  documentAt,
  documentNumberOf,
  type GrowingReleases,
  idOrderAt,
  isSameRelease,
  isUndatedDocument,
  type PackedReleases,
} from './packed-releases.ts';

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

/** When each document was told last, by its number: one may change again before anybody looks. */
export type ToldDocuments = ReadonlyMap<number, number>;

export const toldDocuments = ({ documents }: ChangedReleases, areUndated: boolean): ToldDocuments => {
  const told = new Map<number, number>();
  for (let turn = 0; turn < documents.length; turn += 1) {
    const document = documents[turn]!;
    if (isUndatedDocument(document) === areUndated) told.set(document, turn);
  }
  return told;
};

const countTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at);

/** What a document held when it was told, by places. */
const addPlaces = (places: number[], { ends }: ChangedReleases, turn: number): void => {
  for (let at = ends[turn - 1] ?? 0; at < ends[turn]!; at += 1) places.push(at);
};

/** What the documents hold now, in no order. */
export const placesOf = (changed: ChangedReleases, told: ToldDocuments): number[] => {
  const places: number[] = [];
  for (const turn of told.values()) addPlaces(places, changed, turn);
  return places;
};

/** What documents that were told hold now, as far as it was not there before. */
export interface ComingReleases {
  /** Which of a piece stay as they are, by their places; null where all of them do. */
  readonly stayingOf: (piece: PackedReleases) => readonly number[] | null;
  /** All others, the oldest first: after each of the pieces was asked about. */
  readonly rest: () => readonly number[];
}

/** A document is told whole when one release of it changes: the others are found in these pieces, and stay there. */
export function createComing(
  changed: ChangedReleases,
  told: ToldDocuments,
  pieces: readonly PackedReleases[],
): ComingReleases {
  const [only] = told.keys();
  const isTold = told.size === 1 ? (document: number) => document === only : (document: number) => told.has(document);
  const known = new Set<number>(); // of the documents, those that some release of the pieces is of
  const touched = new Set<PackedReleases>();
  for (const piece of pieces) {
    for (let at = 0; at < countOf(piece); at += 1) {
      const document = documentAt(piece, at);
      if (!isTold(document)) continue;
      known.add(document);
      touched.add(piece);
    }
  }
  const [maybeSame, others]: [number[], number[]] = [[], []];
  for (const [document, turn] of told) addPlaces(known.has(document) ? maybeSame : others, changed, turn);
  const coming = new Map<number, number[]>(); // places, by the order of the id
  for (const at of maybeSame) {
    const idOrder = idOrderAt(changed, at);
    coming.set(idOrder, [...(coming.get(idOrder) ?? []), at]);
  }

  const takeSame = (piece: PackedReleases, at: number): boolean => {
    const alike = coming.get(idOrderAt(piece, at)) ?? [];
    const found = alike.findIndex((each) => isSameRelease(changed, each, piece, at));
    if (found >= 0) alike.splice(found, 1);
    return found >= 0;
  };

  return {
    stayingOf: (piece) => {
      if (!touched.has(piece)) return null;
      let staying: number[] | null = null;
      for (let at = 0; at < countOf(piece); at += 1) {
        if (!isTold(documentAt(piece, at)) || takeSame(piece, at)) staying?.push(at);
        else staying ??= countTo(at);
      }
      return staying;
    },
    rest: () => [...others, ...[...coming.values()].flat()].sort((a, b) => compareReleases(changed, a, changed, b)),
  };
}
