import type { SearchFilter } from '../../../ports/search-index.ts';
import type { Database } from '../sqlite/open-database.ts';

/** The numbers by which documents name their sources. They are only ever added. */
export interface SourceOrdinals {
  /** As of the transaction that it is called in. */
  readonly follow: () => void;
  /** The sources of a filter that any document was ever of. */
  readonly of: (filter: SearchFilter) => { readonly isIn: boolean; readonly ordinals: readonly number[] };
  /** One more than the highest. */
  readonly end: () => number;
}

export function createSourceOrdinals(db: Database): SourceOrdinals {
  const known = new Map<string, number>();
  let last = 0;
  const after = db.prepare<[number], { ordinal: number; id: string }>(
    'SELECT ordinal, id FROM sources WHERE ordinal > ? ORDER BY ordinal',
  );
  return {
    follow: () => {
      for (const { ordinal, id } of after.all(last)) {
        known.set(id, ordinal);
        last = ordinal;
      }
    },
    of: ({ sources }) => {
      const isIn = 'in' in sources;
      const ordinals = [...(isIn ? sources.in : sources.notIn)].flatMap((id) => known.get(id) ?? []);
      return { isIn, ordinals };
    },
    end: () => last + 1,
  };
}
