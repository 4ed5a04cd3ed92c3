import { type InstantsDocument, instantsPlace } from '../../../projections/instants/instants-document.ts';
import {
  addRelease,
  compareReleases,
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

/** Places of what the documents hold now, in no order. */
export const placesOf = ({ ends }: ChangedReleases, told: ToldDocuments): number[] => {
  const places: number[] = [];
  for (const turn of told.values()) {
    for (let at = ends[turn - 1] ?? 0; at < ends[turn]!; at += 1) places.push(at);
  }
  return places;
};

const countTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at);

export interface ComingReleases {
  /** Which of a piece stay as they are, by their places; null where all of them do. */
  readonly stayingOf: (piece: PackedReleases) => readonly number[] | null;
  /** The others that the documents hold now, the oldest first: after all pieces that may have some were asked about. */
  readonly rest: () => readonly number[];
}

/** A document is told whole when one release of it changes: the others are found where they are, and stay there. */
export function createComing(changed: ChangedReleases, told: ToldDocuments): ComingReleases {
  const [only] = told.keys();
  const isTold = told.size === 1 ? (document: number) => document === only : (document: number) => told.has(document);
  const coming = new Map<number, number[]>(); // places, by the order of the id
  for (const at of placesOf(changed, told)) {
    const alike = coming.get(idOrderAt(changed, at));
    if (alike === undefined) coming.set(idOrderAt(changed, at), [at]);
    else alike.push(at);
  }

  const takeSame = (piece: PackedReleases, at: number): boolean => {
    const alike = coming.get(idOrderAt(piece, at)) ?? [];
    const found = alike.findIndex((each) => isSameRelease(changed, each, piece, at));
    if (found >= 0) alike.splice(found, 1);
    return found >= 0;
  };

  return {
    stayingOf: (piece) => {
      const { numbers } = piece;
      let staying: number[] | null = null;
      for (let at = 0; documentAt(numbers, at) !== undefined; at += 1) {
        if (!isTold(documentAt(numbers, at)!) || takeSame(piece, at)) staying?.push(at);
        else staying ??= countTo(at);
      }
      return staying;
    },
    rest: () => [...coming.values()].flat().sort((a, b) => compareReleases(changed, a, changed, b)),
  };
}
