import type { SearchIndex, SearchIndexes } from '../../ports/search-index.ts';

/** The generation that is live, opened once however often it is asked for. */
export function createLiveSearch(indexes: Pick<SearchIndexes, 'pointer' | 'open'>) {
  let opened: { readonly generation: number; readonly index: Promise<SearchIndex> } | null = null;
  return async (): Promise<SearchIndex | null> => {
    const generation = await indexes.pointer();
    if (generation === null) return null;
    if (opened?.generation !== generation) {
      const index = indexes.open(generation);
      opened = { generation, index };
      index.catch(() => {
        opened = null;
      });
    }
    return opened.index;
  };
}
