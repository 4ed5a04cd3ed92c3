import { workerData } from 'node:worker_threads';
import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { createLog } from '../../adapters/system/log.ts';
import { dieOf, serveThread } from '../../adapters/threads/serve-thread.ts';
import { stepAside } from '../../adapters/threads/step-aside.ts';
import { describeError, type ErrorMessage } from '../../adapters/threads/thread-messages.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { type Backend, BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Projection } from '../../kernel/projection.ts';
import { announcedSwitches } from '../../runtime/projector/announced-writes.ts';
import { logProgress } from '../../runtime/projector/filling/build-missing.ts';
import { type FillOutcome, fillGenerations } from '../../runtime/projector/filling/fill-generations.ts';
import { FoldFailure } from '../../runtime/projector/fold-batch.ts';
import { LeaseLost } from '../../runtime/resilience/held-leases.ts';
import { whenReachable } from '../../runtime/resilience/when-reachable.ts';
import { openProjectorStores } from '../stores/stores.ts';
import { createProjectedStamp } from './projected-stamp.ts';

export interface FillerThreadData {
  readonly backends: BackendSettings;
  readonly logLevel: string;
  /** Another one than the projector's: the feeding must not take a generation from under the filling. */
  readonly holder: string;
  /** Of the process, for those of its threads that read. */
  readonly stamp: SharedArrayBuffer;
}

/** An outcome as it goes from thread to thread, which keeps no class of an error. */
export type SentOutcome =
  | Exclude<FillOutcome, { kind: 'failed' }>
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly generation: number;
      readonly error: ErrorMessage;
      /** Of the event that cannot be folded; null when it was something else. */
      readonly position: number | null;
    };

export type FillAnswer = { readonly outcomes: readonly SentOutcome[] } | { readonly unavailable: Backend };

/** By their names, as everywhere in this file: folds cannot be sent. */
export interface FillOrder {
  readonly missing: readonly string[];
  readonly givingWayTo: readonly string[];
}

export type FillerThreadCalls = {
  fill: (order: FillOrder) => Promise<FillAnswer>;
  /** Ends the filling after the batch in hand; the next one goes on from there. */
  stop: (input: null) => void;
};

const sent = (outcome: FillOutcome): SentOutcome =>
  outcome.kind === 'failed'
    ? {
        ...outcome,
        error: describeError(outcome.error),
        position: outcome.error instanceof FoldFailure ? outcome.error.position : null,
      }
    : outcome;

const named = (names: readonly string[]): Projection[] => allProjections.filter(({ name }) => names.includes(name));

await serveThread<FillerThreadCalls>(async () => {
  stepAside('unasked');
  const { backends, logLevel, holder, stamp } = workerData as FillerThreadData;
  const stores = await whenReachable(() => openProjectorStores({ ...backends, clock: systemClock, onFatal: dieOf }), {
    clock: systemClock,
    waitMs: Number.POSITIVE_INFINITY,
  });
  const stopping = new AbortController();
  const deps = {
    store: stores.eventStore,
    readModels: announcedSwitches(stores.readModels, createProjectedStamp(stamp).announce),
    clock: systemClock,
    holder,
    signal: stopping.signal,
    onProgress: logProgress(createLog({ level: logLevel }), systemClock),
  };

  async function fill({ missing, givingWayTo }: FillOrder): Promise<FillAnswer> {
    try {
      const outcomes = await fillGenerations(named(missing), {
        ...deps,
        missingOnly: true,
        givingWayTo: named(givingWayTo),
      });
      return { outcomes: outcomes.map(sent) };
    } catch (error) {
      if (error instanceof BackendUnavailable) return { unavailable: error.backend };
      if (stopping.signal.aborted || error instanceof LeaseLost) return { outcomes: [] };
      throw error;
    }
  }

  return { calls: { fill, stop: () => stopping.abort() }, close: stores.close };
});
