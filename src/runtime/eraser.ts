import type { ReleaseErased } from '../domain/release/events.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Lease } from '../ports/leases.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import { followWhile } from './follow-while.ts';
import { LeaseLost } from './lease-lost.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

const checkpoints = { name: 'checkpoints', indexes: {} };

const checkpointId = 'eraser';
const leaseTtlMs = 10_000;
const standbyMs = 1_000;
const retryMs = 5_000;

/** Without an erasure the checkpoint is saved this rarely: reading so many positions again takes a moment only. */
const positionsPerCheckpoint = 10_000;

/** Truncating waits for readers; one that keeps it waiting for longer shall not keep a request hanging. */
const waitMsMax = 10_000;
const pollMs = 5;

export interface Eraser {
  readonly done: Promise<void>;
  /** Resolves when the erasure at that position is carried out, by whatever process; throws when it takes too long. */
  readonly waitFor: (position: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How far erasures are carried out: what was erased up to here is in no store any more. */
export async function eraserPosition(ops: OperationalStore): Promise<number> {
  const collection = await ops.collection<Checkpoint>(checkpoints);
  return (await collection.get(checkpointId))?.doc.position ?? 0;
}

/** Truncates what an erasure names. Doing it twice is harmless, so a crash in the middle is simply done again. */
export async function eraseText(store: EventStore, stream: string, version: number, data: ReleaseErased['data']) {
  await store.truncate(stream, version);
  for (const body of data.bodyStreams) {
    const { version: lastPart } = await store.read(body, { direction: 'backwards', limit: 1 });
    await store.truncate(body, lastPart + 1);
  }
}

/**
 * Follows `ReleaseErased.v1` until the text of each is gone. Its checkpoint makes sure that none is forgotten: what
 * cannot be erased now (a reader may keep the store from it) is tried again and again, and nothing is passed over.
 */
export function startEraser(deps: {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Removes what is left of erased texts in stores that are built from the events, once they have passed a position. */
  readonly scrub: (position: number) => Promise<void>;
}): Eraser {
  const { store, ops, clock, log, holder, scrub } = deps;
  const stopping = new AbortController();

  async function follow(lease: Lease): Promise<void> {
    let savedPosition = await eraserPosition(ops);
    const subscription = store.subscribe({
      afterPosition: savedPosition,
      batchSize: 100,
      types: ['ReleaseErased.v1'],
      onBatch: async ({ events, position }) => {
        for (const event of events) {
          await eraseText(store, event.stream.name, event.version, event.data as ReleaseErased['data']);
        }
        const last = events.at(-1);
        if (last !== undefined) await scrub(last.position);
        else if (position - savedPosition < positionsPerCheckpoint) return;
        const doc: Checkpoint = { id: checkpointId, position };
        const outcome = await ops.transact([{ kind: 'put', collection: checkpoints.name, doc }], lease);
        if (outcome === 'stale_lease') throw new LeaseLost('erasing');
        savedPosition = position;
      },
    });
    const renew = async (over: AbortSignal): Promise<void> => {
      for (;;) {
        await clock.sleep(leaseTtlMs / 3, over);
        if (over.aborted) return;
        if (!(await ops.leases.renew(lease, leaseTtlMs))) throw new LeaseLost('erasing');
      }
    };
    await followWhile(subscription, renew, stopping.signal);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const lease = await ops.leases.acquire('eraser', holder, leaseTtlMs);
        if (lease === null) await clock.sleep(standbyMs, stopping.signal);
        else await follow(lease).finally(() => ops.leases.release(lease));
      } catch (error) {
        if (error instanceof LeaseLost) continue;
        log.error('erasing failed and is tried again', { error });
        await clock.sleep(retryMs, stopping.signal);
      }
    }
  }

  const done = run();
  return {
    done,
    waitFor: async (position) => {
      const endMs = clock.nowMs() + waitMsMax;
      while ((await eraserPosition(ops)) < position) {
        if (clock.nowMs() >= endMs) throw new DomainError('service_unavailable');
        await clock.sleep(pollMs);
      }
    },
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
