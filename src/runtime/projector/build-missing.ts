import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import { FoldFailure } from './fold-batch.ts';
import { codeGenerationOf } from './generations.ts';
import { LeaseLost } from '../resilience/lease-lost.ts';
import { retryThroughOutages } from '../resilience/retry-through-outages.ts';
import { RebuildOvertaken, type RebuildProgress, rebuildProjection } from './rebuild.ts';

export interface BuildMissingDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** A fold threw: that read model cannot be filled, the others can. */
  readonly onFailure: (name: string, failure: FoldFailure) => void;
}

const recheckMs = 5_000;

/**
 * Fills every read model that has no live generation of these folds, beside whatever is there, and switches to it. Looks
 * again and again: a filling that failed is taken up where it was, also that of a process which is gone.
 */
export async function buildMissing(deps: BuildMissingDeps, stop: AbortSignal): Promise<void> {
  const { readModels, projections, clock, log, onFailure } = deps;
  const warned = new Set<string>();

  async function isMissing({ name, generation }: Projection): Promise<boolean> {
    const live = (await readModels.pointers())[name];
    if (live === undefined) return true;
    // During a deployment old and new processes run side by side; only the newer one switches.
    if (codeGenerationOf(live) > generation && !warned.has(name)) {
      warned.add(name);
      log.warn(`the live ${name} was made by newer folds; to go back to the folds of this process, rebuild it`);
    }
    return codeGenerationOf(live) < generation;
  }

  async function build(projection: Projection): Promise<void> {
    try {
      await rebuildProjection(projection, { ...deps, signal: stop, onProgress: logProgress(log, clock) });
    } catch (error) {
      if (stop.aborted || error instanceof RebuildOvertaken || error instanceof LeaseLost) return;
      if (!(error instanceof FoldFailure)) throw error;
      onFailure(projection.name, error);
    }
  }

  await retryThroughOutages({ clock, log, what: 'filling read models' }, stop, async (reached) => {
    // One at a time: two would only slow each other down.
    for (const projection of projections) {
      if (stop.aborted) return;
      const missing = await isMissing(projection);
      reached();
      if (missing) await build(projection);
    }
    await clock.sleep(recheckMs, stop);
  });
}

/** One line per second and read model; a filling that is done within the first second is not worth a line. */
function logProgress(log: Log, clock: Clock): (progress: RebuildProgress) => void {
  let saidMs = clock.nowMs();
  let saidAny = false;
  return (progress) => {
    const isEnd = progress.phase === 'live' && saidAny;
    if (!isEnd && clock.nowMs() - saidMs < 1_000) return;
    saidMs = clock.nowMs();
    saidAny = true;
    log.info(`filling ${progress.name}`, { ...progress });
  };
}
