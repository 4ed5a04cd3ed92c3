import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventBatch, EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import type { FoldFailure } from './fold-batch.ts';
import { followWhile } from '../resilience/follow-while.ts';
import { codeGenerationOf } from './generations.ts';
import { buildMissing } from './build-missing.ts';
import { LeaseLost } from '../resilience/lease-lost.ts';
import { retryThroughOutages } from '../resilience/retry-through-outages.ts';
import { createProjectionTarget, type ProjectionTarget } from './projection-target.ts';
import { retireOldGenerations } from './retire-generations.ts';

export interface ProjectionRunnerDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly log: Log;
  /** Names who feeds; another one takes over when its leases run out. */
  readonly holder: string;
  readonly batchSize?: number;
  readonly leaseTtlMs?: number;
  /** How long a generation that is no longer live is still fed, for requests and processes that read it. */
  readonly graceMs?: number;
}

export interface ProjectionRunner {
  /** Resolves after `close()`; rejects when a store fails in a way that trying again does not mend. */
  readonly done: Promise<void>;
  readonly failures: () => readonly { readonly name: string; readonly failure: FoldFailure }[];
  /** Lets the batch in hand finish and gives the leases back. */
  readonly close: () => Promise<void>;
}

const pointerCheckMs = 100;
const standbyMs = 250;

/** Feeds every live read model from one reader over the whole event log, and fills those that are missing. */
export function startProjectionRunner(deps: ProjectionRunnerDeps): ProjectionRunner {
  const { store, readModels, projections, clock, log, holder } = deps;
  const { batchSize = 1_000, leaseTtlMs = 6_000, graceMs = 600_000 } = deps;
  const stopping = new AbortController();
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  const failures = new Map<string, FoldFailure>();
  const retired = retireOldGenerations({ readModels, clock, graceMs });

  const onFailure = (name: string, failure: FoldFailure): void => {
    const isKnown = failures.get(name)?.position === failure.position;
    failures.set(name, failure);
    if (!isKnown) log.error(failure.message, { projection: name, position: failure.position, error: failure });
  };

  const canFeed = ({ name, generation }: { name: string; generation: number }): boolean =>
    codeGenerationOf(generation) === byName.get(name)?.generation;

  /** The generations to feed now: the live ones made by these folds, and those whose grace time still runs. */
  async function generationsToFeed(): Promise<{ name: string; generation: number }[]> {
    const pointers = await readModels.pointers();
    const live = projections.flatMap(({ name }) => {
      const generation = pointers[name];
      return generation === undefined ? [] : [{ name, generation }];
    });
    return [...live, ...(await retired.inGrace(pointers, [...byName.keys()]))].filter(canFeed);
  }

  const releaseAll = async (targets: readonly ProjectionTarget[]): Promise<void> => {
    for (const target of targets) await target.model.leases.release(target.lease);
  };

  /** All or none, so that a process that stands by does not take a part of the work: null when another one has it. */
  async function takeTargets(): Promise<ProjectionTarget[] | null> {
    const targets: ProjectionTarget[] = [];
    let isComplete = false;
    try {
      for (const { name, generation } of await generationsToFeed()) {
        const projection = byName.get(name)!;
        const model = await readModels.open({ name, generation, indexes: projection.indexes });
        const lease = await model.leases.acquire('feed', holder, leaseTtlMs);
        if (lease === null) return null;
        targets.push(await createProjectionTarget(projection, model, lease, (failure) => onFailure(name, failure)));
      }
      isComplete = true;
      return targets;
    } finally {
      if (!isComplete) await releaseAll(targets);
    }
  }

  const renewAll = async (targets: readonly ProjectionTarget[]): Promise<void> => {
    for (const { model, lease, projection } of targets) {
      if (!(await model.leases.renew(lease, leaseTtlMs))) throw new LeaseLost(projection.name);
    }
  };

  const keyOf = ({ name, generation }: { name: string; generation: number }) => `${name}.g${generation}`;

  /** Documents change in the order of the projections; where only the checkpoint moves, there is nothing to order. */
  async function feedAll(targets: readonly ProjectionTarget[], batch: EventBatch): Promise<void> {
    for (const target of targets) if (target.concerns(batch)) await target.feed(batch);
    const others = await Promise.allSettled(targets.map((target) => target.feed(batch)));
    for (const other of others) if (other.status === 'rejected') throw other.reason;
  }

  /** Feeds until the set of generations changes, a lease is lost or the runner stops. */
  async function feed(targets: readonly ProjectionTarget[]): Promise<void> {
    const fed = targets.map(({ projection: { name }, generation }) => keyOf({ name, generation }));
    let isDropped = false;
    const subscription = store.subscribe({
      afterPosition: Math.min(...targets.map((target) => target.checkpoint())),
      batchSize,
      types: [...new Set(targets.flatMap((target) => Object.keys(target.projection.on)))],
      onBatch: (batch) => {
        if (isDropped) log.info('the connection to the event store is back');
        isDropped = false;
        return feedAll(targets, batch);
      },
      onDrop: (error) => {
        if (!isDropped) log.warn('the connection to the event store dropped and is being resumed', { error });
        isDropped = true;
      },
    });
    const watch = async (over: AbortSignal): Promise<void> => {
      let renewedMs = clock.nowMs();
      for (;;) {
        await clock.sleep(pointerCheckMs, over);
        if (over.aborted) return;
        if (clock.nowMs() - renewedMs > leaseTtlMs / 3) {
          renewedMs = clock.nowMs();
          await renewAll(targets);
        }
        if ((await generationsToFeed()).map(keyOf).join() !== fed.join()) return;
        await retired.dropExpired((name, generation) => fed.includes(keyOf({ name, generation })));
      }
    };
    await followWhile(subscription, watch, stopping.signal);
  }

  async function feedOnce(reached: () => void): Promise<void> {
    const targets = await takeTargets();
    reached();
    if (targets === null || targets.length === 0) {
      return clock.sleep(targets === null ? standbyMs : pointerCheckMs, stopping.signal);
    }
    for (const { projection } of targets) failures.delete(projection.name);
    try {
      await feed(targets);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.warn(`${error.message}; standing by`);
    } finally {
      await releaseAll(targets);
    }
  }

  // A holder of its own: the feeding must not take a generation from under the filling of the same process.
  const building = buildMissing({ ...deps, holder: `${holder}:build`, onFailure }, stopping.signal);
  const feeding = retryThroughOutages({ clock, log, what: 'projecting' }, stopping.signal, feedOnce);
  return {
    done: Promise.all([feeding, building])
      .then(() => undefined)
      .finally(() => stopping.abort()),
    failures: () => [...failures].map(([name, failure]) => ({ name, failure })),
    close: async () => {
      stopping.abort();
      await Promise.allSettled([feeding, building]); // how they ended is told by `done`
    },
  };
}
