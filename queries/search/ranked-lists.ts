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
  /**
   * As they are when so many of each are asked for, by these depths, which rise; in one round trip. By words they are exact, and
   * cut from the deepest; what is near has to be asked for in each depth.
   */
  readonly read: (depths: readonly number[]) => Promise<ReadonlyMap<number, readonly NamedList[]>>;
  /** Known once they were read. */
  readonly degradedReason: () => DegradedReason | null;
}

/** By words, by vectors or by both, as the mode says; by words alone where vectors cannot be asked (contract 7.2). */
export function createRankedLists(index: SearchIndex, wanted: WantedLists): RankedLists {
  const { mode, words, filters } = wanted;
  let { nearest, degradedReason } = wanted.meaning;

  const listsOf = (depths: readonly number[]): SearchList[] => {
    const asksWords = mode !== 'semantic' || degradedReason !== null;
    return [...filters].flatMap(([kind, filter]) => [
      ...(asksWords ? [{ kind, filter, limit: depths.at(-1)!, words }] : []),
      ...(nearest === null ? [] : depths.map((limit) => ({ kind, filter, limit, ...nearest! }))),
    ]);
  };

  const read: RankedLists['read'] = async (depths) => {
    const lists = listsOf(depths);
    try {
      const answers = await index.search(lists);
      const cutTo = (depth: number) =>
        lists.flatMap((list, at): NamedList[] => {
          const { kind, limit } = list;
          const { hits } = answers[at]!;
          if ('words' in list) return [{ kind, by: 'words', hits: hits.slice(0, depth) }];
          return limit === depth ? [{ kind, by: 'meaning', hits }] : [];
        });
      return new Map(depths.map((depth) => [depth, cutTo(depth)]));
    } catch (error) {
      if (!(error instanceof VectorsUnavailable) || nearest === null) throw error;
      [nearest, degradedReason] = [null, 'vector_index_unavailable'];
      return read(depths);
    }
  };

  return { read, degradedReason: () => degradedReason };
}
