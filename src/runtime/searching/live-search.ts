import { GenerationDropped, type SearchIndex, type SearchIndexes } from '../../ports/search-index.ts';

interface Opened {
  readonly generation: number;
  readonly index: Promise<SearchIndex>;
}

/**
 * The generation that is live, opened once however often it is asked for. One that was lost on its server is dropped and stays live
 * under its number: then it is opened anew.
 */
export function createLiveSearch(indexes: Pick<SearchIndexes, 'pointer' | 'open'>) {
  let opened: Opened | null = null;

  const open = (generation: number): Opened => {
    const forgetIfDropped = (error: unknown): never => {
      if (error instanceof GenerationDropped && opened === mine) opened = null;
      throw error;
    };
    const watched = (index: SearchIndex): SearchIndex => ({
      ...index,
      search: (lists) => index.search(lists).catch(forgetIfDropped),
      matching: (kind, ids, words) => index.matching(kind, ids, words).catch(forgetIfDropped),
      vectorsOf: (kind, id, space) => index.vectorsOf(kind, id, space).catch(forgetIfDropped),
    });
    const mine: Opened = { generation, index: indexes.open(generation).then(watched) };
    mine.index.catch(() => {
      if (opened === mine) opened = null;
    });
    return mine;
  };

  return async (): Promise<SearchIndex | null> => {
    const generation = await indexes.pointer();
    if (generation === null) return null;
    if (opened?.generation !== generation) opened = open(generation);
    return opened.index;
  };
}
