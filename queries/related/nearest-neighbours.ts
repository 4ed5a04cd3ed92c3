import { EmbedderUnavailable } from '../../src/ports/embedder.ts';
import {
  type SearchFilter,
  type SearchHit,
  type SearchIndex,
  type SearchKind,
  VectorsUnavailable,
} from '../../src/ports/search-index.ts';
import { isIndexAway } from '../../src/search/index-outage.ts';
import type { QueryEmbedder } from '../../src/search/search-reading.ts';
import type { DegradedReason } from '../search/query-meaning.ts';

export interface NeighbourDeps {
  /** Null before the first one was made. */
  readonly openIndex: () => Promise<SearchIndex | null>;
  readonly embedder: QueryEmbedder | null;
}

/** Why nothing can be said to be related (contract 7.4). */
export type NoNeighbours = DegradedReason | 'anchor_not_embedded';

export interface Anchor {
  readonly kind: SearchKind;
  readonly id: string;
}

/** All codes are compared with each entry of the anchor: the first ones say what it is about. */
export const entriesMax = 8;
/**
 * Nearly four times as many as are ever shown, because their age and length matter, too. With what an index takes to spare for those
 * that do not pass it is what a server looks for at least, so that more would cost more (decision 0032).
 */
export const neighboursMax = 75;

async function readNeighbours(
  index: SearchIndex,
  { kind, id }: Anchor,
  { filter, space }: { readonly filter: SearchFilter; readonly space: string },
): Promise<readonly SearchHit[] | NoNeighbours> {
  const near = (await index.vectorsOf(kind, id, space)).slice(0, entriesMax);
  if (near.length === 0) return 'anchor_not_embedded';
  const [nearest] = await index.search([{ kind, filter, limit: neighboursMax, near, space }]);
  return nearest!.hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)); // an index puts those alike in any order
}

/** What is nearest to any entry of the anchor, by the cosine of the two entries that are; or why that cannot be told. */
export async function nearestNeighbours(
  { openIndex, embedder }: NeighbourDeps,
  anchor: Anchor,
  filter: SearchFilter,
): Promise<readonly SearchHit[] | NoNeighbours> {
  if (embedder === null) return 'not_configured';
  try {
    const index = await openIndex();
    if (index === null) return 'anchor_not_embedded';
    return await readNeighbours(index, anchor, { filter, space: await embedder.space() });
  } catch (error) {
    if (error instanceof VectorsUnavailable || isIndexAway(error)) return 'vector_index_unavailable';
    if (error instanceof EmbedderUnavailable) return 'embedding_unavailable';
    throw error;
  }
}
