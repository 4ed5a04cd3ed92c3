import type { SearchAnswer, SearchHit, SearchList } from '../../../ports/search-index.ts';
import type { NearHit } from './codes/near-list.ts';
import { isOfPart } from './failures.ts';

export type NearList = Extract<SearchList, { near: readonly Float32Array[] }>;

export const isNear = (list: SearchList): list is NearList => 'near' in list;

/** As it leaves the index. */
export const hitOf = ({ id, score }: NearHit): SearchHit => ({ id, score });

export interface SearchedMoment {
  /** The same for all who have seen the same writes. */
  readonly moment: string;
  readonly answer: SearchAnswer;
}

/** The nearest of one part of the documents. */
export interface PartMoment {
  readonly moment: string;
  /** Of each list. */
  readonly hits: readonly (readonly NearHit[])[];
}

type SearchLists = (lists: readonly SearchList[]) => Promise<SearchedMoment>;
type SearchPart = (lists: readonly NearList[]) => Promise<PartMoment>;

export interface ListSearchers {
  readonly words: SearchLists;
  /** Finds by words, too; where it is the same, all lists are looked for one after the other. */
  readonly near: SearchLists;
  /** Each by another thread, together of all documents; none where one thread searches by both. */
  readonly parts: readonly SearchPart[];
  /** Whether all of them would begin at once: who waits for words first is answered sooner by one alone. */
  readonly mayDivide: () => boolean;
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

/** Null when somebody wrote while they searched, or one of them has no vectors now. */
async function searchParts({ parts }: ListSearchers, lists: readonly NearList[]): Promise<SearchAnswer | null> {
  // Where one fails, the other is waited for: it may be closed as soon as this is answered.
  const outcomes = await Promise.allSettled(parts.map((searchPart) => searchPart(lists)));
  const found: PartMoment[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') found.push(outcome.value);
    else if (!isOfPart(outcome.reason)) throw outcome.reason;
  }
  if (found.length < parts.length) return null;
  if (found.some(({ moment }) => moment !== found[0]!.moment)) return null;
  return lists.map(({ limit }, place) => {
    const hits = found.flatMap((part) => part.hits[place]!);
    hits.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
    return { hits: hits.slice(0, limit).map(hitOf) };
  });
}

/** Words and vectors at the same time, or each half of the vectors where nothing else is asked for; and still all lists as of one moment. */
export async function searchLists(searchers: ListSearchers, lists: readonly SearchList[]): Promise<SearchAnswer> {
  const { words, near, mayDivide } = searchers;
  if (!lists.some(isNear)) return (await words(lists)).answer;
  if (words === near) return (await near(lists)).answer;
  if (!lists.every(isNear)) return (await searchApart(searchers, lists)) ?? (await near(lists)).answer;
  const answer = mayDivide() ? await searchParts(searchers, lists) : null;
  return answer ?? (await near(lists)).answer;
}
