import type { Part } from '../../concurrency/run-together.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import { batchBytesMax, type EventBatch, type EventStore } from '../../ports/event-store.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import { LeaseLost } from '../resilience/held-leases.ts';
import type { ProjectionTarget } from './projection-target.ts';

export interface FeedTargetsDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly readModels: Pick<ReadModels, 'passOver' | 'writeTogether'>;
  readonly clock: Clock;
  readonly targets: readonly ProjectionTarget[];
  readonly batchSize: number;
  /** A target cannot go on; it is tried again, and the others do not wait for it. */
  readonly onFailure: (target: ProjectionTarget, error: Error) => void;
  readonly onRecovery: (target: ProjectionTarget) => void;
}

export interface FedTargets {
  /** Where the reader that they share begins. */
  readonly from: number;
  readonly types: readonly string[];
  readonly onBatch: (batch: EventBatch) => Promise<void>;
  /** Brings those along that are behind the shared reader, until it is over. */
  readonly catchUp: Part;
}

const retryMs = 5_000;
/** A target that fails waits longer than this before it is tried again. */
const idleMs = 1_000;

/** What is more is a catching up, or long texts: each read model is loaded, folded and written by itself then. */
const togetherMax = { events: 100, bytes: 1_000_000 };

const isSmall = ({ events }: EventBatch): boolean =>
  events.length <= togetherMax.events && roughBytes(events) <= togetherMax.bytes;

/** What has nothing to do with the target itself: a server is away, or another process feeds. */
export const concernsAll = (error: unknown): boolean =>
  error instanceof BackendUnavailable || error instanceof LeaseLost;

/**
 * Feeds targets from one reader over the log. Who is behind it, because it stopped or was left behind by a crash, reads by
 * itself and joins the others when it is where they are: so nobody waits for another, nor goes back for one.
 */
export function feedTargets(deps: FeedTargetsDeps): FedTargets {
  const { store, readModels, clock, targets, batchSize, onFailure, onRecovery } = deps;
  /** How far the shared reader is, the batch in hand included: who has seen that misses nothing of what comes. */
  let sharedTo = Math.max(...targets.map((target) => target.checkpoint()));
  const joined = new Set(targets.filter((target) => target.checkpoint() >= sharedTo));
  const retryAtMs = new Map<ProjectionTarget, number>();

  const fail = (target: ProjectionTarget, error: unknown): void => {
    if (concernsAll(error)) throw error;
    joined.delete(target);
    retryAtMs.set(target, clock.nowMs() + retryMs);
    onFailure(target, error as Error);
  };

  const feed = async (target: ProjectionTarget, batch: EventBatch): Promise<void> => {
    try {
      await target.feed(batch);
    } catch (error) {
      fail(target, error);
    }
  };

  /** Most events concern few read models: where only the checkpoint moves, one write is enough for all. */
  const passOver = async (passing: readonly ProjectionTarget[], position: number): Promise<void> => {
    const moves = passing.map((target) => ({
      name: target.projection.name,
      generation: target.generation,
      from: target.checkpoint(),
      position,
    }));
    const moved = await readModels.passOver(moves);
    if (moved === moves.length) for (const target of passing) target.passedTo(position);
    else await Promise.all(passing.map((target) => findPlace(target, position)));
  };

  /** One is not where it was thought to be: who is behind is brought along from there. */
  const findPlace = async (target: ProjectionTarget, position: number): Promise<void> => {
    try {
      await target.lookAgain();
      if (target.checkpoint() < position) joined.delete(target);
    } catch (error) {
      fail(target, error);
    }
  };

  /**
   * The batch to all in one write; false when nothing was written so. Who fails is not named here: each is fed by itself
   * then, and fails again by its own name.
   */
  const feedTogether = async (behind: readonly ProjectionTarget[], batch: EventBatch): Promise<boolean> => {
    const { writeTogether } = readModels;
    if (writeTogether === null || !isSmall(batch)) return false;
    try {
      const folded = await Promise.all(behind.map((target) => target.foldAtOnce(batch)));
      const writes = folded.filter((write) => write !== null);
      const bytes = writes.reduce((sum, { changes }) => sum + roughBytes(changes), 0);
      if (writes.length < folded.length || bytes > batchBytesMax || !(await writeTogether(writes))) return false;
    } catch (error) {
      if (concernsAll(error)) throw error;
      return false;
    }
    for (const target of behind) target.passedTo(batch.position);
    return true;
  };

  /** Documents change in the order of the projections, or all at once. */
  const onBatch = async (batch: EventBatch): Promise<void> => {
    sharedTo = batch.position;
    const behind = targets.filter((target) => joined.has(target) && target.checkpoint() < batch.position);
    const concerned = behind.filter((target) => target.concerns(batch));
    const passing = behind.filter((target) => !concerned.includes(target));
    if (concerned.length > 0 && (await feedTogether(behind, batch))) return;
    for (const target of concerned) await feed(target, batch);
    if (passing.length > 0) await passOver(passing, batch.position);
  };

  async function bringAlong(target: ProjectionTarget): Promise<void> {
    try {
      const types = Object.keys(target.projection.on);
      const batch = await store.readAll({ afterPosition: target.checkpoint(), limit: batchSize, types });
      await target.feed(batch);
      if (retryAtMs.delete(target)) onRecovery(target);
      if (target.checkpoint() >= sharedTo) joined.add(target);
    } catch (error) {
      fail(target, error);
    }
  }

  const catchUp: Part = async (over) => {
    while (!over.aborted) {
      const behind = targets.filter((target) => !joined.has(target) && (retryAtMs.get(target) ?? 0) <= clock.nowMs());
      for (const target of behind) {
        if (over.aborted) return;
        await bringAlong(target);
      }
      if (behind.length === 0) await clock.sleep(idleMs, over);
    }
  };

  const types = [...new Set(targets.flatMap((target) => Object.keys(target.projection.on)))];
  return { from: sharedTo, types, onBatch, catchUp };
}
