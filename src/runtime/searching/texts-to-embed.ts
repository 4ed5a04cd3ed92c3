import type { ReadModelSet } from '../../ports/read-models.ts';
import type { SearchKind } from '../../ports/search-index.ts';
import { parseChunkDocumentId } from '../../search/chunks/chunk-document.ts';
import type { EntryText } from '../../search/entries/entry-text.ts';

/** What of a document gets vectors. */
export interface TextsToEmbed {
  readonly sourceId: string;
  readonly entries: readonly EntryText[];
}

/** Of those documents that are there. */
export type LoadTexts = (models: ReadModelSet, ids: readonly string[]) => Promise<ReadonlyMap<string, TextsToEmbed>>;

/** What holds the vectors of a document's texts. Chunks come and go with every edit of their file, which holds them all. */
export const holderOf = (kind: SearchKind, id: string): string =>
  kind === 'chunk' ? fileHolder(parseChunkDocumentId(id)?.fileId ?? id) : `${kind}/${id}`;

export const fileHolder = (fileId: string): string => `file/${fileId}`;
