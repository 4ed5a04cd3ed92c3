import type { SearchAnswer, SearchList } from '../../../ports/search-index.ts';

export type NearList = Extract<SearchList, { near: readonly Float32Array[] }>;

export const isNear = (list: SearchList): list is NearList => 'near' in list;

export interface SearchedMoment {
  /** The same for all who have seen the same writes. */
  readonly moment: string;
  readonly answer: SearchAnswer;
}

type SearchLists = (lists: readonly SearchList[]) => Promise<SearchedMoment>;

export interface ListSearchers {
  readonly words: SearchLists;
  /** Finds by words, too; where it is the same, all lists are looked for one after the other. */
  readonly near: SearchLists;
}

/** Null when somebody wrote while they searched. */
async function searchApart({ words, near }: ListSearchers, lists: readonly SearchList[]): Promise<SearchAnswer | null> {
  const [found, nearest] = await Promise.all([
    words(lists.filter((list) => !isNear(list))),
    near(lists.filter((list) => isNear(list))),
  ]);
  if (found.moment !== nearest.moment) return null;
  const answers = { words: found.answer.values(), near: nearest.answer.values() };
  return lists.map((list) => answers[isNear(list) ? 'near' : 'words'].next().value!);
}

/** Words and vectors at the same time, and still all lists as of one moment. */
export async function searchLists(searchers: ListSearchers, lists: readonly SearchList[]): Promise<SearchAnswer> {
  const { words, near } = searchers;
  if (!lists.some(isNear)) return (await words(lists)).answer;
  const isApart = words !== near && !lists.every(isNear);
  const answer = isApart ? await searchApart(searchers, lists) : null;
  return answer ?? (await near(lists)).answer;
}
