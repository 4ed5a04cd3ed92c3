import type { Meaning } from '../ports/embedder.ts';
import type { SearchIndex } from '../ports/search-index.ts';

/** Turns what was typed into a vector that may be compared with those of one space. */
export interface QueryEmbedder {
  /** Throws EmbedderUnavailable while it is being started. */
  readonly space: () => Promise<string>;
  /** Null for a text that means nothing. Throws EmbedderUnavailable, at once while it is known to fail. */
  readonly embed: (text: string) => Promise<Meaning>;
}

/** What searches ask. */
export interface SearchReading {
  /** The generation that is live now: one for a whole request. Null before the first one was made. */
  readonly index: () => Promise<SearchIndex | null>;
  /** Null where nothing is embedded (`EMBEDDER=off`). */
  readonly embedder: QueryEmbedder | null;
}
