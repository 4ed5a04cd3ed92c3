import { createBatchedCalls } from '../../concurrency/batched-calls.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Appended, EventStore, StreamAppend, VersionConflict } from '../../ports/event-store.ts';
import { appendTurns } from './append-turns.ts';

/** Streams that are handed over in one go. */
const streamsAtOnceMax = 256;

/**
 * For those who append beside each other and are in no hurry: all that comes within a moment is appended at once. Whoever
 * follows the events has the cost of a look, a transaction for each read model and an answer for each step that the store
 * makes, however few events it brings, and so does it once and not for each of them.
 */
export function gatherAppends(
  store: EventStore,
  { clock, withinMs }: { readonly clock: Pick<Clock, 'sleep'>; readonly withinMs: number },
): EventStore {
  const appendAll = async (appends: readonly StreamAppend[]): Promise<(Appended | VersionConflict)[]> => {
    const outcomes: (Appended | VersionConflict)[] = [];
    for (const turn of appendTurns(appends)) outcomes.push(...(await store.appendMany(turn)));
    return outcomes;
  };
  const append = createBatchedCalls(appendAll, streamsAtOnceMax, () => clock.sleep(withinMs));
  return { ...store, appendMany: (appends) => Promise.all(appends.map(append)) };
}
