import type { ReleaseErased } from '../domain/release/events.ts';
import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore, Subscription } from '../ports/event-store.ts';
import type { Lease } from '../ports/leases.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

export const checkpoints = { name: 'checkpoints', indexes: {} };

const checkpointId = 'eraser';
const leaseTtlMs = 10_000;
const standbyMs = 1_000;

export interface Eraser {
  readonly done: Promise<void>;
  /** How far erasures are carried out: what was erased up to here is in no stream any more. */
  readonly position: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Truncates what an erasure names. Doing it twice is harmless, so a crash in the middle is simply done again. */
export async function eraseText(store: EventStore, stream: string, version: number, data: ReleaseErased['data']) {
  await store.truncate(stream, version);
  for (const body of data.bodyStreams) {
    const { version: lastPart } = await store.read(body, { direction: 'backwards', limit: 1 });
    await store.truncate(body, lastPart + 1);
  }
}

/** Follows `ReleaseErased.v1` until the text of each is gone; its checkpoint makes sure that none is forgotten. */
export async function startEraser(deps: {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly holder: string;
}): Promise<Eraser> {
  const { store, ops, clock, holder } = deps;
  const collection = await ops.collection<Checkpoint>(checkpoints);
  const position = async () => (await collection.get(checkpointId))?.doc.position ?? 0;
  const stopping = new AbortController();

  async function follow(lease: Lease): Promise<void> {
    const subscription: Subscription = store.subscribe({
      afterPosition: await position(),
      batchSize: 100,
      types: ['ReleaseErased.v1'],
      onBatch: async (batch) => {
        for (const event of batch.events) {
          await eraseText(store, event.stream.name, event.version, event.data as ReleaseErased['data']);
        }
        const doc: Checkpoint = { id: checkpointId, position: batch.position };
        const outcome = await ops.transact([{ kind: 'put', collection: checkpoints.name, doc }], lease);
        if (outcome === 'stale_lease') void subscription.close();
      },
    });
    const renewing = (async () => {
      while (!stopping.signal.aborted) {
        await clock.sleep(leaseTtlMs / 3, stopping.signal);
        if (!stopping.signal.aborted && !(await ops.leases.renew(lease, leaseTtlMs))) break;
      }
      await subscription.close();
    })();
    await Promise.all([subscription.done, renewing]);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const lease = await ops.leases.acquire('eraser', holder, leaseTtlMs);
      if (lease === null) await clock.sleep(standbyMs, stopping.signal);
      else await follow(lease).finally(() => ops.leases.release(lease));
    }
  }

  const done = run();
  return {
    done,
    position,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
