import type { Part } from '../../concurrency/run-together.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { checkpointsDeclaration } from '../../records/checkpoints.ts';
import { forgetAnswers } from '../../records/idempotency-keys.ts';
import type { Snapshots } from '../../records/snapshots.ts';
import { type LeasedFollower, followWithLease } from '../resilience/follow-with-lease.ts';
import { acquireLeases, LeaseLost } from '../resilience/held-leases.ts';
import { type Erasure, eraseTexts } from './erase-texts.ts';
import { dropGenerated, textsTellingOf } from './generation/drop-generated.ts';
import type { ScrubTexts } from './scrub-texts.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

const checkpointId = 'eraser';
const leaseTtlMs = 10_000;

/** Without an erasure the checkpoint is saved this rarely: reading again what came in meanwhile takes a moment only. */
const checkpointEveryMs = 10_000;

/** A look costs one read of the pointers. */
const possibleEveryMs = 1_000;

/** Truncating waits for readers; one that keeps it waiting for longer shall not keep a request hanging. */
const waitMsMax = 10_000;
const pollMs = 5;

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

/**
 * Follows `ReleaseErased.v1` until the text of each is gone. Its checkpoint makes sure that none is forgotten: what
 * cannot be erased now (a reader may keep the store from it) is tried again and again, and nothing is passed over.
 */
export function startEraser(deps: {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly snapshots: Pick<Snapshots, 'forget'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Removes what is left of erased texts in stores that are built from the events. */
  readonly scrubTexts: ScrubTexts;
}): LeasedFollower {
  const { store, ops, snapshots, clock, log, holder, scrubTexts } = deps;

  /** After a switch to a newer version, its processes erase. */
  const untilImpossible: Part = async (over) => {
    while (!over.aborted && (await scrubTexts.isPossible())) await clock.sleep(possibleEveryMs, over);
  };

  return followWithLease({
    store,
    clock,
    log,
    what: 'erasing',
    acquire: async () => {
      if (!(await scrubTexts.isPossible())) return null;
      const wanted = [{ leases: ops.leases, name: 'eraser', what: 'erasing' }];
      return acquireLeases(wanted, { holder, ttlMs: leaseTtlMs, clock });
    },
    open: async ({ all: [lease] }) => {
      let savedMs = clock.nowMs();
      return {
        from: await eraserPosition(ops),
        types: ['ReleaseErased.v1'],
        batchSize: 500,
        onBatch: async ({ events, position }) => {
          if (events.length > 0) {
            const erasures = events as readonly Erasure[];
            const releaseIds = events.map(({ stream }) => stream.id);
            const erasedTo = await eraseTexts(store, erasures);
            // What was made of the texts holds sentences of them.
            const generated = textsTellingOf(erasures);
            const droppedTo = await dropGenerated(store, generated);
            await snapshots.forget([
              ...events.map(({ stream }) => stream.name),
              ...generated.map(({ stream }) => stream),
            ]);
            await forgetAnswers(ops, releaseIds);
            await scrubTexts.scrub(Math.max(erasedTo, droppedTo), events.at(-1)!.position);
          } else if (clock.nowMs() - savedMs < checkpointEveryMs) return;
          const doc: Checkpoint = { id: checkpointId, position };
          const outcome = await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc }], lease);
          if (outcome === 'stale_lease') throw new LeaseLost('erasing');
          savedMs = clock.nowMs();
        },
        beside: [untilImpossible],
      };
    },
  });
}
