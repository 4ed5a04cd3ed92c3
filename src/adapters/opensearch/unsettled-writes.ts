import type { SearchChange, SearchKind } from '../../ports/search-index.ts';

/** Where a walk over documents is, by position and then by id. */
interface Place {
  readonly position: number;
  readonly id: string;
}

const isBehind = (place: Place, other: Place): boolean =>
  place.position > other.position || (place.position === other.position && place.id > other.id);

/**
 * What was written and cannot be found yet. Who feeds the index asks about his own writes, and would leave out, or do again, what
 * he does not see. But each refresh closes a graph of vectors, which is merged with others later at great cost: so one
 * is made only where the answer depends on it.
 */
export function createUnsettledWrites() {
  let hasDocuments = false;
  /** The last one of each kind that got vectors. */
  let vectors = new Map<SearchKind, Place>();

  const noteVectors = (kind: SearchKind, place: Place): void => {
    const last = vectors.get(kind);
    if (last === undefined || isBehind(place, last)) vectors.set(kind, place);
  };

  return {
    note: (changes: readonly SearchChange[]): void => {
      for (const change of changes) {
        if (change.kind === 'vectors') noteVectors(change.index, change);
        else hasDocuments = true;
      }
    },
    /** Whether a list of documents may be another one for it. */
    changeDocuments: (): boolean => hasDocuments,
    /** Whether documents behind this place may have got vectors, or be others. */
    changeBehind: (kind: SearchKind, after: Place): boolean => {
      const last = vectors.get(kind);
      return hasDocuments || (last !== undefined && isBehind(last, after));
    },
    /** Before a refresh begins: what is written meanwhile may be found only by the next. Answers how to take it back. */
    clear: (): (() => void) => {
      const before = { hasDocuments, vectors };
      hasDocuments = false;
      vectors = new Map();
      return () => {
        hasDocuments ||= before.hasDocuments;
        for (const [kind, place] of before.vectors) noteVectors(kind, place);
      };
    },
  };
}
