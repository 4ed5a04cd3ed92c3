import type { Clock } from '../../../ports/clock.ts';
import {
  searchChangeBytes,
  type SearchIndex,
  type SearchList,
  type SearchWrite,
  searchWriteMax,
} from '../../../ports/search-index.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import type { CountedCalls } from '../../threads/counted-calls.ts';
import type { Calling } from '../../threads/thread.ts';
import { explained, explainedNear } from './failures.ts';
import { hasManyBeginnings } from './many-beginnings.ts';
import { isNear, type NearList, type SearchedMoment, searchLists } from './search-lists.ts';
import type { SearcherCalls } from './searcher-thread.ts';
import type { SearchWriterCalls } from './writer-thread.ts';

export interface SearchThreads {
  /** Finds by words, and whatever else needs no vectors. */
  readonly words: CountedCalls<SearcherCalls>;
  /** Holds the vectors. */
  readonly near: Pick<Calling<SearcherCalls>, 'call'>;
  /** Each looks through a part of the vectors, in this order; none where one thread finds by both. */
  readonly parts: readonly Pick<Calling<SearcherCalls>, 'call'>[];
  /** Finds by words, too, where that takes long. */
  readonly longWords: Pick<Calling<SearcherCalls>, 'call'>;
  readonly writer: Pick<Calling<SearchWriterCalls>, 'call'>;
}

const explainedWords = explained('read');

const isTooLarge = ({ changes }: SearchWrite): boolean => {
  if (changes.length > searchWriteMax.changes) return true;
  const bytes = changes.reduce((sum, change) => sum + searchChangeBytes(change), 0);
  return changes.length > 1 && bytes > searchWriteMax.bytes;
};

const takesLong = (list: SearchList): boolean => !isNear(list) && hasManyBeginnings(list.words);

/** One generation: reads are calls of the searchers' threads, writes of the writer's. */
export function createSearchIndex(
  { words, near, parts: threadsOfParts, longWords, writer }: SearchThreads,
  clock: Clock,
  { file, generation }: { readonly file: string; readonly generation: number },
): SearchIndex {
  const searchBy =
    (thread: Pick<Calling<SearcherCalls>, 'call'>) =>
    (lists: readonly SearchList[]): Promise<SearchedMoment> =>
      thread.call('search', { file, lists });
  const byWords = searchBy(words);
  const parts = threadsOfParts.map(
    (thread, part) => (lists: readonly NearList[]) => thread.call('searchPart', { file, lists, part }),
  );
  const mayDivide = () => words.callsInHand() === 0;
  const searchers = { words: byWords, near: parts.length === 0 ? byWords : searchBy(near), parts, mayDivide };

  return {
    search: async (lists) => {
      for (const { limit } of lists) checkedLimit(limit);
      const isLong = lists.some(takesLong) && !lists.some(isNear);
      const searching = isLong
        ? searchBy(longWords)(lists).then(({ answer }) => answer)
        : searchLists(searchers, lists);
      return searching.catch(lists.some(isNear) ? explainedNear : explainedWords);
    },
    matching: (kind, ids, wanted) => {
      const thread = hasManyBeginnings(wanted) ? longWords : words;
      return thread.call('matching', { file, kind, ids, words: wanted }).catch(explainedWords);
    },
    vectorsOf: (kind, id, space) => near.call('vectorsOf', { file, kind, id, space }).catch(explainedNear),
    textHashesOf: (kind, ids) => words.call('textHashesOf', { file, kind, ids }),
    idsOfSource: async (kind, sourceId, afterId, limit) =>
      words.call('idsOfSource', { file, query: { kind, sourceId, afterId, limit: checkedLimit(limit) } }),
    write: async (write) => (isTooLarge(write) ? 'too_large' : writer.call('write', { generation, write })),
    withoutVectors: async (kind, wanted, after, limit) =>
      words.call('withoutVectors', { file, query: { kind, wanted, after, limit: checkedLimit(limit) } }),
    checkpoint: () => words.call('checkpoint', file).catch(explainedWords),
    count: (kind) => words.call('count', { file, kind }),
    settle: async () => {}, // each search reads what is committed by then
    scrub: () => writer.call('scrub', generation),
    leases: {
      acquire: (name, holder, ttlMs) =>
        writer.call('acquire', { generation, name, holder, ttlMs, nowMs: clock.nowMs() }),
      renew: (lease, ttlMs) => writer.call('renew', { generation, lease, ttlMs, nowMs: clock.nowMs() }),
      release: (lease) => writer.call('release', { generation, lease }),
    },
    isLeased: (name) => writer.call('isLeased', { generation, name, nowMs: clock.nowMs() }),
  };
}
