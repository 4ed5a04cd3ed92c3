import type { Log } from '../../ports/log.ts';

const waitMsMax = 5_000;
/** So short that nobody who closes the relay has to wait for it. */
const stepMs = 250;

export interface ReadModelsGateDeps {
  /** True when what shows a release has seen that position; false when the time is over. */
  readonly waitForReadModels: (position: number, timeoutMs: number) => Promise<boolean>;
  /** How far that is. */
  readonly readModelsPosition: () => Promise<number>;
  readonly log: Log;
}

/** Resolves when what is announced up to a position may be sent. */
export type ReadModelsGate = (position: number, stop: AbortSignal) => Promise<void>;

/**
 * A receiver that asks back shall find the release, but a projector that stands still must not hold deliveries up: one
 * wait runs out, and after that there is none until it moves.
 */
export function createReadModelsGate({
  waitForReadModels,
  readModelsPosition,
  log,
}: ReadModelsGateDeps): ReadModelsGate {
  let stalledAt: number | null = null;
  return async (position, stop) => {
    if (stalledAt !== null && (await readModelsPosition()) === stalledAt) return;
    stalledAt = null;
    for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += stepMs) {
      if (stop.aborted || (await waitForReadModels(position, stepMs))) return;
    }
    stalledAt = await readModelsPosition();
    log.warn('releases are announced before the read models show them', { position, readModels: stalledAt });
  };
}
