import type { RecordedEvent } from '../../kernel/event.ts';
import type { Projection } from '../../kernel/projection.ts';
import type { EventBatch } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { ReadModel } from '../../ports/read-models.ts';
import { FoldFailure, foldBatch } from './fold-batch.ts';
import { LeaseLost } from '../resilience/lease-lost.ts';

/** One generation of one projection that is being fed. */
export interface ProjectionTarget {
  readonly projection: Projection;
  readonly generation: number;
  readonly lease: Lease;
  readonly model: ReadModel;
  readonly checkpoint: () => number;
  /** Whether the batch holds an event that its folds look at; if not, only its checkpoint moves. */
  readonly concerns: (batch: EventBatch) => boolean;
  /** Folds what lies behind its checkpoint and stores documents and checkpoint together. */
  readonly feed: (batch: EventBatch) => Promise<void>;
  /** Why it stopped folding; null while it is well. A fold that throws stops its own read model only. */
  readonly failure: () => FoldFailure | null;
}

export async function createProjectionTarget(
  projection: Projection,
  model: ReadModel,
  lease: Lease,
  onFailure: (error: FoldFailure) => void,
): Promise<ProjectionTarget> {
  let checkpoint = await model.checkpoint();
  let failure: FoldFailure | null = null;
  const isOurs = (event: RecordedEvent) => event.position > checkpoint && projection.on[event.type] !== undefined;

  return {
    projection,
    generation: model.declaration.generation,
    lease,
    model,
    checkpoint: () => checkpoint,
    concerns: (batch) => batch.events.some(isOurs),
    failure: () => failure,
    feed: async (batch) => {
      if (failure !== null || batch.position <= checkpoint) return;
      let changes: Awaited<ReturnType<typeof foldBatch>>;
      try {
        changes = await foldBatch(projection, model, batch.events.filter(isOurs));
      } catch (error) {
        if (!(error instanceof FoldFailure)) throw error;
        failure = error;
        onFailure(error);
        return;
      }
      const outcome = await model.write({ changes, position: batch.position, lease });
      if (outcome === 'stale_lease') throw new LeaseLost(projection.name);
      checkpoint = outcome === 'behind' ? await model.checkpoint() : batch.position;
    },
  };
}
