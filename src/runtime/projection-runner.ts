import type { Projection } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBatch, EventStore, Subscription } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { ReadModels } from '../ports/read-models.ts';
import type { FoldFailure } from './fold-batch.ts';
import { codeGenerationOf } from './generations.ts';
import { createProjectionTarget, LeaseLost, type ProjectionTarget } from './projection-target.ts';
import { type RebuildProgress, rebuildProjection } from './rebuild.ts';
import { retireOldGenerations } from './retire-generations.ts';

export interface ProjectionRunnerDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process and thread; another one takes over when its leases run out. */
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
const standbyMs = 1_000;

/** Feeds every live read model from one reader over the whole event log. */
export function startProjectionRunner(deps: ProjectionRunnerDeps): ProjectionRunner {
  const { store, readModels, projections, clock, log, holder } = deps;
  const { batchSize = 1_000, leaseTtlMs = 6_000, graceMs = 600_000 } = deps;
  const stopping = new AbortController();
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  const failures = new Map<string, FoldFailure>();
  const building = new Map<string, Promise<void>>();
  const retired = retireOldGenerations({ readModels, clock, graceMs });

  const canFeed = (name: string, generation: number): boolean =>
    codeGenerationOf(generation) === byName.get(name)?.generation;

  /** The generations to feed now: the live ones made by these folds, and those whose grace time still runs. */
  async function generationsToFeed(): Promise<{ name: string; generation: number }[]> {
    const pointers = await readModels.pointers();
    const wanted = projections.flatMap(({ name }) => {
      const live = pointers[name];
      return live !== undefined && canFeed(name, live) ? [{ name, generation: live }] : [];
    });
    const inGrace = await retired.inGrace(pointers, [...byName.keys()]);
    return [...wanted, ...inGrace.filter(({ name, generation }) => canFeed(name, generation))];
  }

  /** A read model without a live generation of these folds is filled beside whatever is there, then switched to. */
  async function buildMissing(): Promise<void> {
    const pointers = await readModels.pointers();
    for (const projection of projections) {
      const live = pointers[projection.name];
      if (live !== undefined && canFeed(projection.name, live)) continue;
      if (building.has(projection.name)) continue;
      const build = rebuildProjection(projection, {
        store,
        readModels,
        clock,
        holder,
        signal: stopping.signal,
        onProgress: logProgress(log, clock),
      })
        .then(() => undefined)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.error(`filling ${projection.name} failed`, { error });
        })
        .finally(() => building.delete(projection.name));
      building.set(projection.name, build);
      // One at a time: two would only slow each other down.
      await build;
      if (stopping.signal.aborted) return;
    }
  }

  async function takeTargets(): Promise<ProjectionTarget[] | null> {
    const targets: ProjectionTarget[] = [];
    for (const { name, generation } of await generationsToFeed()) {
      const projection = byName.get(name)!;
      const model = await readModels.open({ name, generation, indexes: projection.indexes });
      const lease = await model.leases.acquire('feed', holder, leaseTtlMs);
      if (lease === null) {
        await releaseAll(targets);
        return null;
      }
      targets.push(
        await createProjectionTarget(projection, model, lease, (failure) => {
          failures.set(name, failure);
          log.error(failure.message, { projection: name, generation, position: failure.position, error: failure });
        }),
      );
    }
    return targets;
  }

  const releaseAll = async (targets: readonly ProjectionTarget[]): Promise<void> => {
    for (const target of targets) await target.model.leases.release(target.lease);
  };

  /** Feeds until the set of generations changes, a lease is lost or the runner stops. */
  async function feed(targets: readonly ProjectionTarget[]): Promise<void> {
    const key = (list: readonly { name: string; generation: number }[]) =>
      list.map(({ name, generation }) => `${name}.g${generation}`).join();
    const fed = key(targets.map((target) => ({ name: target.projection.name, generation: target.generation })));
    const types = [...new Set(targets.flatMap((target) => Object.keys(target.projection.on)))];
    const subscription: Subscription = store.subscribe({
      afterPosition: Math.min(...targets.map((target) => target.checkpoint())),
      batchSize,
      types,
      onBatch: async (batch: EventBatch) => {
        for (const target of targets) await target.feed(batch);
      },
      onDrop: (error) => log.warn('the connection to the event store dropped and is being resumed', { error }),
    });
    let ended = false;
    const watch = (async () => {
      let renewedMs = clock.nowMs();
      while (!ended && !stopping.signal.aborted) {
        await clock.sleep(pointerCheckMs, stopping.signal);
        if (clock.nowMs() - renewedMs > leaseTtlMs / 3) {
          renewedMs = clock.nowMs();
          for (const target of targets) {
            if (!(await target.model.leases.renew(target.lease, leaseTtlMs)))
              throw new LeaseLost(target.projection.name);
          }
        }
        await retired.dropExpired();
        if (key(await generationsToFeed()) !== fed) return;
      }
    })().finally(() => subscription.close());
    try {
      await Promise.all([subscription.done.finally(() => (ended = true)), watch]);
    } finally {
      await subscription.close();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await buildMissingInBackground();
      const targets = await takeTargets();
      if (targets === null || targets.length === 0) {
        await clock.sleep(targets === null ? standbyMs : pointerCheckMs, stopping.signal);
        continue;
      }
      try {
        await feed(targets);
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
        log.warn(`${error.message}; standing by`);
      } finally {
        await releaseAll(targets);
      }
    }
  }

  let background: Promise<void> | null = null;
  async function buildMissingInBackground(): Promise<void> {
    background ??= buildMissing().finally(() => {
      background = null;
    });
    // A fresh store is filled in a moment; a long fill goes on beside the feeding of the others.
    await Promise.race([background, clock.sleep(pointerCheckMs, stopping.signal)]);
  }

  const done = run();
  return {
    done,
    failures: () => [...failures].map(([name, failure]) => ({ name, failure })),
    close: async () => {
      stopping.abort();
      await Promise.allSettled([done, background]);
    },
  };
}

/** At most one line per second and read model. */
function logProgress(log: Log, clock: Clock): (progress: RebuildProgress) => void {
  let saidMs = 0;
  return (progress) => {
    if (progress.phase !== 'live' && clock.nowMs() - saidMs < 1_000) return;
    saidMs = clock.nowMs();
    log.info(`filling ${progress.name}`, { ...progress });
  };
}
