import type { ReadModelSet } from '../../ports/read-models.ts';
import type { EntryText } from '../../search/entries/entry-text.ts';

/** What of a document gets vectors. */
export interface TextsToEmbed {
  readonly sourceId: string;
  readonly entries: readonly EntryText[];
}

/** Of those documents that are there. */
export type LoadTexts = (models: ReadModelSet, ids: readonly string[]) => Promise<ReadonlyMap<string, TextsToEmbed>>;
