import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type SearchIndex, VectorsUnavailable } from '../ports/search-index.ts';
import { createOutageLines } from './outage-lines.ts';

/** An index whose vectors can be searched again is asked for them within this time. */
const pauseMs = 250;

interface Outage {
  readonly reason: VectorsUnavailable;
  readonly sinceMs: number;
}

export interface VectorBreakerDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

/**
 * Once the vectors of an index have failed, searches are by words at once: for a moment nobody asks for vectors, then one at a
 * time does. One line of the log when it begins and one when it is over, however many search meanwhile. One for all generations:
 * requests ask the same store.
 */
export function createVectorBreaker({ clock, log }: VectorBreakerDeps): (index: SearchIndex) => SearchIndex {
  const lines = createOutageLines(clock);
  let outage: Outage | null = null;
  let isTrying = false;

  /** A clock that was set back must not make the pause longer. */
  const isPaused = ({ sinceMs }: Outage): boolean => {
    const passedMs = clock.nowMs() - sinceMs;
    return passedMs >= 0 && passedMs < pauseMs;
  };
  const noteFailure = (error: unknown, tried: Outage | null): void => {
    if (!(error instanceof VectorsUnavailable) || outage !== tried) return; // of an outage that is known, or over, already
    outage = { reason: error, sinceMs: clock.nowMs() };
    if (!lines.noteFailure()) return;
    log.warn('vectors cannot be searched; searches find by words alone meanwhile', { reason: error.message });
  };
  const noteSuccess = (tried: Outage | null): void => {
    if (outage !== tried) return;
    outage = null;
    if (lines.noteAnswer()) log.info('vectors can be searched again');
  };

  async function attempt<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const tried = outage;
    try {
      const answer = await ask();
      noteSuccess(tried);
      return answer;
    } catch (error) {
      noteFailure(error, tried);
      throw error;
    }
  }

  async function guarded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (outage === null) return attempt(ask);
    if (isTrying || isPaused(outage)) {
      throw new VectorsUnavailable('The vectors failed a moment ago.', { cause: outage.reason });
    }
    isTrying = true;
    return attempt(ask).finally(() => {
      isTrying = false;
    });
  }

  return (index) => ({
    ...index,
    search: (lists) =>
      lists.some((list) => 'near' in list) ? guarded(() => index.search(lists)) : index.search(lists),
    // That one document can be read does not say that all can be searched, so that only its failure tells something.
    vectorsOf: (...which) =>
      index.vectorsOf(...which).catch((error: unknown) => {
        noteFailure(error, outage);
        throw error;
      }),
  });
}
