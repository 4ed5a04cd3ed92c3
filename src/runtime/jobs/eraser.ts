import { createMutex } from '../../concurrency/mutex.ts';
import type { Part } from '../../concurrency/run-together.ts';
import { purgerActor } from '../../domain/purge/purger-actor.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { forgetAnswers } from '../../records/idempotency-keys.ts';
import type { Snapshots } from '../../records/snapshots.ts';
import { type Following, type LeasedFollower, followWithLease } from '../resilience/follow-with-lease.ts';
import { acquireLeases, LeaseLost } from '../resilience/held-leases.ts';
import { type Erasure, eraseTexts } from './erase-texts.ts';
import { type EraserProgress, eraserProgress, errorCharsMax, saveEraserProgress } from './eraser-progress.ts';
import { dropGenerated, textsTellingOf } from './generation/drop-generated.ts';
import { createScrubLater } from './scrub-later.ts';
import type { ScrubTexts } from './scrub-texts.ts';

const leaseTtlMs = 10_000;

/** Without an erasure the checkpoint is saved this rarely: reading again what came in meanwhile takes a moment only. */
const checkpointEveryMs = 10_000;

/** A look costs one read of the pointers. */
const possibleEveryMs = 1_000;

const batchSize = 500;
/** To truncate a few streams costs much the same as to truncate hundreds: those that a purge erases close together share it. */
const gatherMs = 200;

interface EraserDeps {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly snapshots: Pick<Snapshots, 'forget'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Removes what is left of erased texts in stores that are built from the events. */
  readonly scrubTexts: ScrubTexts;
}

/** Takes the texts out of the event store and the records; answers the position that read models have to pass. */
async function truncateTexts({ store, ops, snapshots }: EraserDeps, erasures: readonly Erasure[]): Promise<number> {
  const erasedTo = await eraseTexts(store, erasures);
  // What was made of the texts holds sentences of them.
  const generated = textsTellingOf(erasures);
  const droppedTo = await dropGenerated(store, generated);
  await snapshots.forget([...erasures.map(({ stream }) => stream.name), ...generated.map(({ stream }) => stream)]);
  await forgetAnswers(
    ops,
    erasures.map(({ stream }) => stream.id),
  );
  return Math.max(erasedTo, droppedTo);
}

async function openErasing(deps: EraserDeps, lease: Lease | undefined): Promise<Following> {
  const { ops, clock, scrubTexts } = deps;
  const saves = createMutex();
  let progress = await eraserProgress(ops);
  const from = progress.position;
  let savedMs = clock.nowMs();

  const save = (change: Partial<EraserProgress>): Promise<void> =>
    saves.run(async () => {
      const next = { ...progress, ...change };
      await saveEraserProgress(ops, next, lease);
      progress = next;
      savedMs = clock.nowMs();
    });

  /** A purge that waits for it shows what keeps it; each reason is saved once, however often it is met. */
  async function telling<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const lastError = (error as Error).message.slice(0, errorCharsMax);
      if (!(error instanceof LeaseLost) && lastError !== progress.lastError) await save({ lastError });
      throw error;
    }
  }

  const later = createScrubLater(deps, async ({ erasedTo, searchedTo, position }) => {
    await telling(() => scrubTexts.scrub(erasedTo, searchedTo));
    await save({ position, lastError: null });
  });

  /** After a switch to a newer version, its processes erase. */
  const untilImpossible: Part = async (over) => {
    while (!over.aborted && (await scrubTexts.isPossible())) await clock.sleep(possibleEveryMs, over);
  };

  return {
    from,
    types: ['ReleaseErased.v1'],
    batchSize,
    onBatch: async ({ events, position }, over) => {
      const last = events.at(-1);
      if (last === undefined) {
        if (later.isIdle() && clock.nowMs() - savedMs >= checkpointEveryMs) await save({ position });
        return;
      }
      const erasures = events as readonly Erasure[];
      const erasedTo = await telling(() => truncateTexts(deps, erasures));
      const ofPurges = erasures.filter(({ metadata }) => metadata.actor === purgerActor).length;
      later.add({ erasedTo, searchedTo: last.position, position, isAwaited: ofPurges < erasures.length });
      if (ofPurges === 0) return;
      // A purge goes on when it knows; what is truncated once more after a crash was so before.
      await save({ truncatedTo: Math.max(position, progress.truncatedTo ?? 0) });
      if (events.length < batchSize) await clock.sleep(gatherMs, over);
    },
    beside: [later.keep, untilImpossible],
  };
}

/**
 * Follows `ReleaseErased.v1` until the text of each is gone. Its checkpoint makes sure that none is forgotten: what
 * cannot be erased now (a reader may keep the store from it) is tried again and again, and nothing is passed over.
 */
export function startEraser(deps: EraserDeps): LeasedFollower {
  const { store, ops, clock, log, holder, scrubTexts } = deps;
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
    open: ({ all: [lease] }) => openErasing(deps, lease),
  });
}
