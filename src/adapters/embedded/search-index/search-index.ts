import type { Clock } from '../../../ports/clock.ts';
import {
  searchChangeBytes,
  type SearchIndex,
  type SearchWrite,
  searchWriteMax,
  VectorsUnavailable,
} from '../../../ports/search-index.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import type { Calling } from '../../threads/thread.ts';
import type { SearcherCalls } from './searcher-thread.ts';
import type { SearchWriterCalls } from './writer-thread.ts';

export interface SearchThreads {
  readonly searcher: Calling<SearcherCalls>;
  readonly writer: Calling<SearchWriterCalls>;
}

/** An error of another thread has lost its class. */
const explained = (error: unknown): never => {
  if (error instanceof Error && error.name === 'VectorsUnavailable') {
    throw new VectorsUnavailable(error.message, { cause: error });
  }
  throw error;
};

const isTooLarge = ({ changes }: SearchWrite): boolean => {
  if (changes.length > searchWriteMax.changes) return true;
  const bytes = changes.reduce((sum, change) => sum + searchChangeBytes(change), 0);
  return changes.length > 1 && bytes > searchWriteMax.bytes;
};

/** One generation: reads are calls of the searcher's thread, writes of the writer's. */
export function createSearchIndex(
  { searcher, writer }: SearchThreads,
  clock: Clock,
  { file, generation }: { readonly file: string; readonly generation: number },
): SearchIndex {
  return {
    search: async (lists) => {
      for (const { limit } of lists) checkedLimit(limit);
      return searcher.call('search', { file, lists }).catch(explained);
    },
    matching: (kind, ids, words) => searcher.call('matching', { file, kind, ids, words }),
    vectorsOf: (kind, id, space) => searcher.call('vectorsOf', { file, kind, id, space }),
    textHashesOf: (kind, ids) => searcher.call('textHashesOf', { file, kind, ids }),
    idsOfSource: async (kind, sourceId, afterId, limit) =>
      searcher.call('idsOfSource', { file, query: { kind, sourceId, afterId, limit: checkedLimit(limit) } }),
    write: async (write) => (isTooLarge(write) ? 'too_large' : writer.call('write', { generation, write })),
    withoutVectors: async (kind, wanted, after, limit) =>
      searcher.call('withoutVectors', { file, query: { kind, wanted, after, limit: checkedLimit(limit) } }),
    checkpoint: () => searcher.call('checkpoint', file),
    count: (kind) => searcher.call('count', { file, kind }),
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
