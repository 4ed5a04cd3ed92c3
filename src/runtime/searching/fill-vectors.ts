import type { Part } from '../../concurrency/run-together.ts';
import type { WakeableSleep } from '../../concurrency/wakeable-sleep.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import { EmbedderUnavailable } from '../../ports/embedder.ts';
import type { Log } from '../../ports/log.ts';
import { GenerationDropped } from '../../ports/search-index.ts';
import { LeaseLost } from '../resilience/held-leases.ts';
import { createFillProgress } from './fill-progress.ts';
import { createVectorFiller, type VectorFillerDeps } from './vector-filler.ts';

export interface FillVectorsDeps extends VectorFillerDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Woken when documents were written that may wait for vectors. */
  readonly woken: WakeableSleep;
}

/** It looks by itself, too, for what it had to leave. */
const idleMs = 10_000;
/** Texts that come close together are embedded together. */
const gatherMs = 1_000;
/** After a failure of the embedder, which says for itself when it may be tried again. */
const pauseMs = 2_000;

/** What has to do with all of search, and not with these vectors: a server is away, another process feeds, or the index is gone. */
const concernsAll = (error: unknown): boolean => error instanceof LeaseLost || error instanceof BackendUnavailable;

/** With an index that is gone its lease is, too: whoever feeds opens the one that lives. */
const leaseLostOf = (error: unknown): unknown =>
  error instanceof GenerationDropped ? new LeaseLost('the search index') : error;

/** Gives vectors to whatever waits for them, as long as it runs. Words do not wait for it, however it fails. */
export const fillVectors = (deps: FillVectorsDeps): Part => {
  const { clock, log, woken } = deps;
  const filler = createVectorFiller(deps);
  const progress = createFillProgress({ clock, log, target: deps.index.checkpoint });
  let told = '';

  /** The embedder tells of its own failures; of any other one line is enough, however long it lasts. */
  const tell = (error: Error): void => {
    if (error instanceof EmbedderUnavailable || error.message === told) return;
    told = error.message;
    log.error('vectors cannot be filled', { error });
  };

  return async (over) => {
    while (!over.aborted) {
      try {
        const filled = await filler.step(over);
        told = '';
        if (filled !== null) {
          await progress.filled(filled);
          continue;
        }
        progress.done();
        await woken.sleep(idleMs, over);
        await clock.sleep(gatherMs, over);
      } catch (caught) {
        if (over.aborted) return;
        const error = leaseLostOf(caught);
        if (concernsAll(error)) throw error;
        tell(error as Error);
        await clock.sleep(pauseMs, over);
      }
    }
  };
};
