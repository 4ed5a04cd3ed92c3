import type { BodyErased } from '../../domain/body/events.ts';
import type { ReleaseErased } from '../../domain/release/events.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { RecordedEvent } from '../../kernel/event.ts';
import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { checkpointsDeclaration } from '../../records/checkpoints.ts';
import { followWhile } from '../resilience/follow-while.ts';
import { LeaseLost } from '../resilience/lease-lost.ts';
import { newEvents } from '../commands/new-events.ts';
import { retryThroughOutages } from '../resilience/retry-through-outages.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

const checkpointId = 'eraser';
const leaseTtlMs = 10_000;
const standbyMs = 1_000;
const retryMs = 5_000;

/** Without an erasure the checkpoint is saved this rarely: reading again what came in meanwhile takes a moment only. */
const checkpointEveryMs = 10_000;

/** Truncating waits for readers; one that keeps it waiting for longer shall not keep a request hanging. */
const waitMsMax = 10_000;
const pollMs = 5;

export interface Eraser {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

/** How far erasures are carried out: what was erased up to here is in no store any more. */
export async function eraserPosition(ops: OperationalStore): Promise<number> {
  const collection = await ops.collection<Checkpoint>(checkpointsDeclaration);
  return (await collection.get(checkpointId))?.doc.position ?? 0;
}

/** Resolves when the erasure at that position is carried out, by whatever process; throws when it takes too long. */
export async function waitUntilErased(
  { ops, clock }: { readonly ops: OperationalStore; readonly clock: Clock },
  position: number,
): Promise<void> {
  const endMs = clock.nowMs() + waitMsMax;
  while ((await eraserPosition(ops)) < position) {
    if (clock.nowMs() >= endMs) throw new DomainError('service_unavailable');
    await clock.sleep(pollMs);
  }
}

type Erasure = RecordedEvent<ReleaseErased>;

/** The version of the event that takes the place of a text; it is written once, however often an erasure is repeated. */
async function markBodyErased(store: EventStore, stream: string, { metadata }: Erasure): Promise<number> {
  for (;;) {
    const { version, events } = await store.read(stream, { direction: 'backwards', limit: 1 });
    if (version === 0 || events[0]?.type === 'BodyErased.v1') return version;
    const erased: BodyErased = { type: 'BodyErased.v1', data: {} };
    const target = { stream, expectedVersion: version };
    const outcome = await store.append({
      ...target,
      events: newEvents([erased], target, metadata, metadata.recordedAt),
    });
    if (outcome.outcome === 'appended') return outcome.version;
  }
}

/** Truncates what an erasure names. Doing it twice is harmless, so a crash in the middle is simply done again. */
export async function eraseText(store: EventStore, erasure: Erasure): Promise<void> {
  await store.truncate(erasure.stream.name, erasure.version);
  for (const body of erasure.data.bodyStreams) await store.truncate(body, await markBodyErased(store, body, erasure));
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
    let savedMs = clock.nowMs();
    const subscription = store.subscribe({
      afterPosition: await eraserPosition(ops),
      batchSize: 100,
      types: ['ReleaseErased.v1'],
      onBatch: async ({ events, position }) => {
        for (const event of events) {
          await eraseText(store, event as Erasure);
        }
        const last = events.at(-1);
        if (last !== undefined) await scrub(last.position);
        else if (clock.nowMs() - savedMs < checkpointEveryMs) return;
        const doc: Checkpoint = { id: checkpointId, position };
        const outcome = await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc }], lease);
        if (outcome === 'stale_lease') throw new LeaseLost('erasing');
        savedMs = clock.nowMs();
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

  async function eraseOnce(reached: () => void): Promise<void> {
    try {
      const lease = await ops.leases.acquire('eraser', holder, leaseTtlMs);
      reached();
      if (lease === null) await clock.sleep(standbyMs, stopping.signal);
      else await follow(lease).finally(() => ops.leases.release(lease));
    } catch (error) {
      if (error instanceof BackendUnavailable) throw error;
      if (error instanceof LeaseLost) return;
      log.error('erasing failed and is tried again', { error });
      await clock.sleep(retryMs, stopping.signal);
    }
  }

  const done = retryThroughOutages({ clock, log, what: 'erasing' }, stopping.signal, eraseOnce);
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
