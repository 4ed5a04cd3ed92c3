import { DomainError } from '../../kernel/errors.ts';
import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lease } from '../../ports/leases.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { checkpointsDeclaration } from '../../records/checkpoints.ts';
import { LeaseLost } from '../resilience/held-leases.ts';

/** How far the eraser is. */
export interface EraserProgress {
  /** What was erased up to here is in no store any more; from here it goes on after a crash. */
  readonly position: number;
  /** What was erased up to here is out of the event store, if that is further: other stores may still hold it. */
  readonly truncatedTo?: number;
  /** What it has failed with behind `position`, until it comes further. */
  readonly lastError?: string | null;
}

/** Of an error that is kept for who asks why something comes no further. */
export const errorCharsMax = 500;

const checkpointId = 'eraser';

/** Truncating waits for readers; one that keeps it waiting for longer shall not keep a request hanging. */
const waitMsMax = 10_000;
const pollMs = 5;

export async function eraserProgress(ops: OperationalStore): Promise<EraserProgress> {
  const collection = await ops.collection<EraserProgress & Document>(checkpointsDeclaration);
  return (await collection.get(checkpointId))?.doc ?? { position: 0 };
}

export async function saveEraserProgress(
  ops: OperationalStore,
  progress: EraserProgress,
  lease: Lease | undefined,
): Promise<void> {
  const doc: EraserProgress & Document = { id: checkpointId, ...progress };
  const outcome = await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc }], lease);
  if (outcome === 'stale_lease') throw new LeaseLost('erasing');
}

/** How far erasures are carried out: what was erased up to here is in no store any more. */
export const eraserPosition = async (ops: OperationalStore): Promise<number> => (await eraserProgress(ops)).position;

/** Why it comes no further; null while nothing keeps it. */
export const eraserFailure = async (ops: OperationalStore): Promise<string | null> =>
  (await eraserProgress(ops)).lastError ?? null;

interface Waiting {
  readonly ops: OperationalStore;
  readonly clock: Clock;
}

async function waitUntil({ clock }: Waiting, isThere: () => Promise<boolean>): Promise<void> {
  const endMs = clock.nowMs() + waitMsMax;
  while (!(await isThere())) {
    if (clock.nowMs() >= endMs) throw new DomainError('service_unavailable');
    await clock.sleep(pollMs);
  }
}

/** Resolves when the erasure at that position is carried out, by whatever process; throws when it takes too long. */
export const waitUntilErased = (deps: Waiting, position: number): Promise<void> =>
  waitUntil(deps, async () => (await eraserPosition(deps.ops)) >= position);

/** The same for the event store alone, for whoever must not be too far ahead of the eraser. */
export const waitUntilTruncated = (deps: Waiting, position: number): Promise<void> =>
  waitUntil(deps, async () => {
    const progress = await eraserProgress(deps.ops);
    return Math.max(progress.position, progress.truncatedTo ?? 0) >= position;
  });
