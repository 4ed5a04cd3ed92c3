import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Sample } from '../../ports/metrics.ts';

/** Prometheus waits 10 s for all of it; a server that is away may take longer. */
const readMs = 3_000;

/** Throws when it takes longer than whoever reads the metrics should wait for one of them. */
export async function withinReadTime<Answer>(clock: Clock, read: () => Promise<Answer>): Promise<Answer> {
  const over = new AbortController();
  const tooLate = async (): Promise<never> => {
    await clock.sleep(readMs, over.signal);
    throw new Error(`there was no answer within ${readMs} ms`);
  };
  try {
    return await Promise.race([read(), tooLate()]);
  } finally {
    over.abort();
  }
}

/**
 * What cannot be read, or not in time, has no sample: the others are told all the same, and a number that is missing is
 * better than an old one. The log says why.
 */
export const readInTime =
  ({ clock, log }: { readonly clock: Clock; readonly log: Log }) =>
  (metric: string, read: () => Promise<readonly Sample[]>) =>
  async (): Promise<readonly Sample[]> => {
    try {
      return await withinReadTime(clock, read);
    } catch (error) {
      log.warn('a metric could not be read', { metric, error });
      return [];
    }
  };
