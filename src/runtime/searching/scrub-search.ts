import { createSingleFlight } from '../../concurrency/single-flight.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SearchIndex, SearchIndexes } from '../../ports/search-index.ts';

export interface ScrubSearchDeps {
  readonly openIndexes: () => Promise<SearchIndexes>;
  readonly clock: Clock;
}

/** Longer than a feeder needs to be replaced by another one. */
const waitMs = 15_000;
const pollMs = 10;
/** Whoever asks for an erasure waits for it; so it does not wait for longer than this. */
const pauseMsMax = 3_000;

/**
 * Removes what is left of erased texts in the search index, once it has passed the erasure. One that is being built is not waited
 * for: it is scrubbed before anybody searches it. What a scrub costs depends on the whole index, not on what was erased: those who
 * ask while one runs share the next, which begins after a pause as long as the last one took.
 */
export function createScrubSearch({ openIndexes, clock }: ScrubSearchDeps) {
  let scrubbed: number | null = null;
  let mayBeginMs = Number.NEGATIVE_INFINITY;

  async function hasPassed(index: SearchIndex, position: number): Promise<boolean> {
    const endMs = clock.nowMs() + waitMs;
    while ((await index.checkpoint()) < position) {
      if (clock.nowMs() >= endMs) return false;
      await clock.sleep(pollMs);
    }
    return true;
  }

  async function pause(): Promise<void> {
    const restMs = mayBeginMs - clock.nowMs();
    if (restMs > 0) await clock.sleep(Math.min(restMs, pauseMsMax)); // a clock that was set back must not make it longer
  }

  const scrubTogether = createSingleFlight(async () => {
    await pause();
    const indexes = await openIndexes();
    const pointer = await indexes.pointer();
    if (pointer === null) return;
    const index = await indexes.open(pointer);
    const beganMs = clock.nowMs();
    await index.scrub();
    mayBeginMs = clock.nowMs() + Math.min(clock.nowMs() - beganMs, pauseMsMax);
    // What was live before is fed by nobody, and would keep the text.
    for (const generation of await indexes.generations()) if (generation < pointer) await indexes.drop(generation);
    scrubbed = pointer;
  });

  return async (position: number): Promise<void> => {
    const indexes = await openIndexes();
    for (let pointer = await indexes.pointer(); pointer !== null; pointer = await indexes.pointer()) {
      if (!(await hasPassed(await indexes.open(pointer), position))) {
        throw new Error('the search index has not passed an erasure');
      }
      await scrubTogether();
      if (scrubbed === pointer) return; // otherwise another one has taken its place, which may not have passed it
    }
  };
}
