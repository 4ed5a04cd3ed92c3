import type { Document } from '../../kernel/projection.ts';
import type { OperationalChange, OperationalStore } from '../../ports/operational-store.ts';
import { checkpointsDeclaration } from '../../records/checkpoints.ts';

const checkpointId = 'relay';

export interface RelayCheckpoint {
  /** Everything up to here is on the bus, and the stored webhooks are as of here. */
  readonly position: number;
  /** Of the webhooks that are stored. */
  readonly generation: number;
  /** The bus that everything is on; null when that is not known. */
  readonly busId: string | null;
  /** What was announced before is delivered to nobody; kept from the first start on, so that a restart knows it. */
  readonly deliverSinceMs: number;
}

/** No generation of the code: webhooks are made anew from the events. */
export const noGeneration = 0;

/** Null when no relay has ever run beside this store. */
export async function readRelayCheckpoint(ops: OperationalStore): Promise<RelayCheckpoint | null> {
  const collection = await ops.collection<RelayCheckpoint & Document>(checkpointsDeclaration);
  return (await collection.get(checkpointId))?.doc ?? null;
}

/** As part of the transaction that saves what changed up to that position. */
export const relayCheckpointChange = (checkpoint: RelayCheckpoint): OperationalChange => {
  const { position, generation, busId, deliverSinceMs } = checkpoint;
  const doc: RelayCheckpoint & Document = { id: checkpointId, position, generation, busId, deliverSinceMs };
  return { kind: 'put', collection: checkpointsDeclaration.name, doc };
};

/** How far the relay is, whatever process it runs in; it may be a little further than it has saved. */
export const relayPosition = async (ops: OperationalStore): Promise<number> =>
  (await readRelayCheckpoint(ops))?.position ?? 0;
