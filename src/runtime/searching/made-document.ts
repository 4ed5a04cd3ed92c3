import type { ReadModelSet } from '../../ports/read-models.ts';
import type { SearchDocument } from '../../ports/search-index.ts';

/** A document as the read models tell it; whoever writes it knows what its vectors were made of. */
export type MadeDocument = Omit<SearchDocument, 'textHashes'>;

export interface MadeDocuments {
  /** Those that are to be found. */
  readonly docs: ReadonlyMap<string, MadeDocument>;
  /** Of these nothing can be said now; an event that is still to come tells of them. */
  readonly unsure: ReadonlySet<string>;
  /** These are not to be found now, but their texts are kept, and they may come back. */
  readonly hidden: ReadonlySet<string>;
}

export type LoadDocuments = (models: ReadModelSet, ids: readonly string[]) => Promise<MadeDocuments>;
