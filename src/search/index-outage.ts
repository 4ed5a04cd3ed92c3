import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { IndexUnavailable, type SearchIndex } from '../ports/search-index.ts';
import { createOutageLines } from './outage-lines.ts';

/** Nothing of the index can be asked, whether it is a file or on a server; what else lives answers without it. */
export const isIndexAway = (error: unknown): error is Error =>
  error instanceof IndexUnavailable || (error instanceof BackendUnavailable && error.backend === 'OpenSearch');

export interface IndexWatchDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

type OpenIndex = () => Promise<SearchIndex | null>;

/**
 * One line of the log when nothing of the index can be asked any more, and one when it is found by again, however many search
 * meanwhile. That it could be opened does not say that it is over: where it is a file, another one says which is live.
 */
export function createIndexWatch({ clock, log }: IndexWatchDeps): (open: OpenIndex) => OpenIndex {
  const lines = createOutageLines(clock);

  const noteFailure = (error: unknown): never => {
    if (isIndexAway(error) && lines.noteFailure()) {
      log.warn('the search index cannot be asked; only names are found meanwhile', { reason: error.message });
    }
    throw error;
  };
  const noteSuccess = (): void => {
    if (lines.noteAnswer()) log.info('the search index can be asked again');
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
