import { EmbedderUnavailable } from '../../src/ports/embedder.ts';
import type { SearchReading } from '../../src/search/search-reading.ts';
import { wantedTerms } from '../../src/search/words/wanted-terms.ts';

/** Why an answer is by words alone (contract 7.1). */
export type DegradedReason = 'not_configured' | 'embedding_unavailable' | 'vector_index_unavailable';

export interface QueryMeaning {
  /** Null where nothing is compared: it cannot be, or what was typed means nothing. */
  readonly nearest: { readonly near: readonly [Float32Array]; readonly space: string } | null;
  readonly degradedReason: DegradedReason | null;
}

/** Marks alone are near to something, too, but to nothing that anybody looked for. */
const hasWords = (tokens: readonly string[]): boolean => wantedTerms(tokens, false).length > 0;

export async function queryMeaning(
  { embedder }: Pick<SearchReading, 'embedder'>,
  { q, tokens }: { readonly q: string; readonly tokens: readonly string[] },
): Promise<QueryMeaning> {
  if (embedder === null) return { nearest: null, degradedReason: 'not_configured' };
  if (!hasWords(tokens)) return { nearest: null, degradedReason: null };
  try {
    const near = await embedder.embed(q);
    return { nearest: near && { near: [near], space: await embedder.space() }, degradedReason: null };
  } catch (error) {
    if (!(error instanceof EmbedderUnavailable)) throw error;
    return { nearest: null, degradedReason: 'embedding_unavailable' };
  }
}
