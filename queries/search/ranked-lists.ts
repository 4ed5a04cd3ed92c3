import {
  type SearchFilter,
  type SearchIndex,
  type SearchKind,
  type SearchList,
  VectorsUnavailable,
  type WantedWords,
} from '../../src/ports/search-index.ts';
import type { RankedList } from '../../src/search/ranking/fused-hits.ts';
import type { DegradedReason, QueryMeaning } from './query-meaning.ts';

export const searchModes = ['lexical', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

export interface WantedLists {
  readonly mode: SearchMode;
  readonly words: WantedWords;
  readonly meaning: QueryMeaning;
  /** Of which kinds hits are wanted, and which of them. */
  readonly filters: ReadonlyMap<SearchKind, SearchFilter>;
}

/** What a list is of. */
export type NamedList = RankedList & { readonly by: 'words' | 'meaning' };

/** The lists that a page is made of. */
export interface RankedLists {
  /** So many of each, in one round trip. */
  readonly read: (depth: number) => Promise<readonly NamedList[]>;
  /** Known once they were read. */
  readonly degradedReason: () => DegradedReason | null;
}

/** By words, by vectors or by both, as the mode says; by words alone where vectors cannot be asked (contract 7.2). */
export function createRankedLists(index: SearchIndex, wanted: WantedLists): RankedLists {
  const { mode, words, filters } = wanted;
  let { nearest, degradedReason } = wanted.meaning;

  const listsTo = (limit: number): SearchList[] => {
    const asksWords = mode !== 'semantic' || degradedReason !== null;
    return [...filters].flatMap(([kind, filter]) => [
      ...(asksWords ? [{ kind, filter, limit, words }] : []),
      ...(nearest === null ? [] : [{ kind, filter, limit, ...nearest }]),
    ]);
  };

  const read = async (depth: number): Promise<readonly NamedList[]> => {
    const lists = listsTo(depth);
    try {
      const answers = await index.search(lists);
      return answers.map(({ hits }, at) => {
        const list = lists[at]!;
        return { kind: list.kind, by: 'words' in list ? 'words' : 'meaning', hits };
      });
    } catch (error) {
      if (!(error instanceof VectorsUnavailable) || nearest === null) throw error;
      [nearest, degradedReason] = [null, 'vector_index_unavailable'];
      return read(depth);
    }
  };

  return { read, degradedReason: () => degradedReason };
}
