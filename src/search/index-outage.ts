import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import type { Log } from '../ports/log.ts';
import { IndexUnavailable, type SearchIndex } from '../ports/search-index.ts';

/** Nothing of the index can be asked, whether it is a file or on a server; what else lives answers without it. */
export const isIndexAway = (error: unknown): error is Error =>
  error instanceof IndexUnavailable || (error instanceof BackendUnavailable && error.backend === 'OpenSearch');

type OpenIndex = () => Promise<SearchIndex | null>;

/**
 * One line of the log when nothing of the index can be asked any more, and one when it is found by again, however many search
 * meanwhile. That it could be opened does not say that it is over: where it is a file, another one says which is live.
 */
export function createIndexWatch(log: Log): (open: OpenIndex) => OpenIndex {
  let isAway = false;

  const noteFailure = (error: unknown): never => {
    if (isIndexAway(error) && !isAway) {
      isAway = true;
      log.warn('the search index cannot be asked; only names are found meanwhile', { reason: error.message });
    }
    throw error;
  };
  const noteSuccess = (): void => {
    if (!isAway) return;
    isAway = false;
    log.info('the search index can be asked again');
  };

  const watchedIndex = (index: SearchIndex): SearchIndex => ({
    ...index,
    search: async (lists) => {
      const answer = await index.search(lists).catch(noteFailure);
      noteSuccess();
      return answer;
    },
  });

  return (open) => async () => {
    const index = await open().catch(noteFailure);
    return index && watchedIndex(index);
  };
}
