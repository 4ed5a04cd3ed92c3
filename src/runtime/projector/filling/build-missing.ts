import type { Projection } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import type { Log } from '../../../ports/log.ts';
import type { ReadModels } from '../../../ports/read-models.ts';
import { LeaseLost } from '../../resilience/held-leases.ts';
import { retryThroughOutages } from '../../resilience/retry-through-outages.ts';
import { type FillOutcome, type FillProgress, fillGenerations } from './fill-generations.ts';
import { codeGenerationOf } from '../generations.ts';

export interface BuildMissingDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Fills in another thread: as soon as something is fed on this one, nothing else may hold it up. */
  readonly fillApart: FillApart;
  /** Remembers what is live: whoever sees it only after the switch would give the old ones no time of grace. */
  readonly noteLive: () => Promise<unknown>;
  /** That read model cannot be filled now, the others can. */
  readonly onFailure: (name: string, error: Error) => void;
}

export type FillApart = (filling: {
  readonly missing: readonly Projection[];
  readonly givingWayTo: readonly Projection[];
  readonly signal: AbortSignal;
}) => Promise<FillOutcome[]>;

const recheckMs = 5_000;
/** What differs from the events once may do so again, and then each filling is lost work. */
const recheckMsMax = 600_000;

/**
 * Fills every read model that has no live generation of these folds, beside whatever is there, and switches to it. Looks
 * again and again: a filling that failed is taken up where it was, also that of a process which is gone.
 */
export async function buildMissing(deps: BuildMissingDeps, stop: AbortSignal): Promise<void> {
  const { readModels, projections, clock, log, onFailure } = deps;
  const warned = new Set<string>();
  let waitMs = recheckMs;

  async function missingOnes(): Promise<Projection[]> {
    const pointers = await readModels.pointers();
    return projections.filter(({ name, generation }) => {
      const live = pointers[name];
      if (live === undefined) return true;
      // During a deployment old and new processes run side by side; only the newer one switches.
      if (codeGenerationOf(live) > generation && !warned.has(name)) {
        warned.add(name);
        log.warn(`the live ${name} was made by newer folds; to go back to the folds of this process, rebuild it`);
      }
      return codeGenerationOf(live) < generation;
    });
  }

  async function fill(missing: readonly Projection[]): Promise<FillOutcome[]> {
    const givingWayTo = projections.filter((projection) => !missing.includes(projection));
    try {
      if (givingWayTo.length > 0) return await deps.fillApart({ missing, givingWayTo, signal: stop });
      return await fillGenerations(missing, {
        ...deps,
        missingOnly: true,
        signal: stop,
        onProgress: logProgress(log, clock),
      });
    } catch (error) {
      if (!stop.aborted && !(error instanceof LeaseLost)) throw error;
      return [];
    }
  }

  async function build(missing: readonly Projection[]): Promise<void> {
    const outcomes = await fill(missing);
    for (const outcome of outcomes) {
      if (outcome.kind === 'failed') onFailure(outcome.name, outcome.error);
      if (outcome.kind === 'differs') onFailure(outcome.name, new Error(outcome.sentence));
    }
    const isWrong = outcomes.some(({ kind }) => kind === 'differs');
    waitMs = isWrong ? Math.min(recheckMsMax, waitMs * 2) : recheckMs;
  }

  await retryThroughOutages({ clock, log, what: 'filling read models' }, stop, async (reached) => {
    const missing = await missingOnes();
    reached();
    if (missing.length > 0) {
      await deps.noteLive();
      await build(missing);
    }
    await clock.sleep(waitMs, stop);
  });
}

/** One line per second; a filling that is done within the first second is not worth a line. */
export function logProgress(log: Log, clock: Clock): (progress: FillProgress) => void {
  let saidMs = clock.nowMs();
  let saidAny = false;
  return (progress) => {
    const isEnd = progress.phase === 'live' && saidAny;
    if (!isEnd && clock.nowMs() - saidMs < 1_000) return;
    saidMs = clock.nowMs();
    saidAny = true;
    log.info('filling read models', { ...progress });
  };
}
