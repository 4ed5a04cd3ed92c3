import type { SearchChange, SearchDocument, SearchKind } from '../../ports/search-index.ts';

export type VectorsChange = Extract<SearchChange, { kind: 'vectors' }>;

/** What a write does to one document in the end. */
export type FoldedChange = { readonly index: SearchKind; readonly id: string } & (
  | { readonly kind: 'put'; readonly position: number; readonly doc: SearchDocument; readonly vectors?: VectorsChange }
  | { readonly kind: 'delete'; readonly position: number }
  /** Of several positions: only that of the stored document counts. */
  | { readonly kind: 'vectors'; readonly byPosition: ReadonlyMap<number, VectorsChange> }
);

const withVectors = (before: FoldedChange | undefined, change: VectorsChange): FoldedChange => {
  if (before?.kind === 'delete') return before;
  if (before?.kind === 'put') return before.position === change.position ? { ...before, vectors: change } : before;
  const byPosition = new Map(before?.byPosition).set(change.position, change);
  return { kind: 'vectors', index: change.index, id: change.id, byPosition };
};

const foldOne = (before: FoldedChange | undefined, change: SearchChange): FoldedChange => {
  if (change.kind === 'vectors') return withVectors(before, change);
  if (before !== undefined && before.kind !== 'vectors' && before.position > change.position) return before;
  const { index, position } = change;
  return change.kind === 'put'
    ? { kind: 'put', index, id: change.doc.id, position, doc: change.doc }
    : { kind: 'delete', index, id: change.id, position };
};

/**
 * One change for each document, as if all had been applied in order: the server takes the parts of one request for the
 * same document in order, but is asked only once for each then.
 */
export function foldChanges(changes: readonly SearchChange[]): FoldedChange[] {
  const folded = new Map<string, FoldedChange>();
  for (const change of changes) {
    const id = change.kind === 'put' ? change.doc.id : change.id;
    const key = `${change.index} ${id}`;
    folded.set(key, foldOne(folded.get(key), change));
  }
  return [...folded.values()];
}
