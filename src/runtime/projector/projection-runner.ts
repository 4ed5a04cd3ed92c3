import type { Part } from '../../concurrency/run-together.ts';
import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadModel, ReadModels } from '../../ports/read-models.ts';
import { followWithLease } from '../resilience/follow-with-lease.ts';
import { acquireLeases, type HeldLeases } from '../resilience/held-leases.ts';
import { buildMissing, type FillApart } from './filling/build-missing.ts';
import { feedTargets } from './feed-targets.ts';
import { FoldFailure } from './fold-batch.ts';
import { codeGenerationOf } from './generations.ts';
import { createProjectionTarget } from './projection-target.ts';
import { retireOldGenerations } from './retire-generations.ts';

export interface ProjectionRunnerDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly log: Log;
  /** Names who feeds; another one takes over when its leases run out. */
  readonly holder: string;
  /** Whoever fed the read models until now has ended, and may have written what it told nobody here. */
  readonly onTaken?: () => void;
  readonly fillApart: FillApart;
  readonly batchSize?: number;
  readonly leaseTtlMs?: number;
  /** How long a generation that is no longer live is still fed, for requests and processes that read it. */
  readonly graceMs?: number;
}

export interface ProjectionRunner {
  /** Resolves after `close()`; rejects when filling fails in a way that trying again does not mend. */
  readonly done: Promise<void>;
  /** Read models that stand still, and why, until that is mended. */
  readonly failures: () => readonly ProjectionFailure[];
  /** Lets the batch in hand finish and gives the leases back. */
  readonly close: () => Promise<void>;
}

export interface ProjectionFailure {
  readonly name: string;
  /** Null when the store failed and not a fold. */
  readonly position: number | null;
  readonly message: string;
}

interface Generation {
  readonly name: string;
  readonly generation: number;
}

interface HeldModels extends HeldLeases {
  readonly models: readonly ReadModel[];
}

const pointerCheckMs = 250;
const standbyMs = 250;

/** Feeds every live read model from one reader over the whole event log, and fills those that are missing. */
export function startProjectionRunner(deps: ProjectionRunnerDeps): ProjectionRunner {
  const { store, readModels, projections, clock, log, holder } = deps;
  const { batchSize = 1_000, leaseTtlMs = 6_000, graceMs = 600_000 } = deps;
  const stopping = new AbortController();
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  const failures = new Map<string, ProjectionFailure>();
  const retired = retireOldGenerations({ readModels, clock, graceMs });

  const onFailure = (name: string, error: Error): void => {
    const position = error instanceof FoldFailure ? error.position : null;
    const known = failures.get(name);
    failures.set(name, { name, position, message: error.message });
    if (known?.position !== position || known.message !== error.message) {
      log.error(error.message, { projection: name, position, error });
    }
  };

  const canFeed = ({ name, generation }: Generation): boolean =>
    codeGenerationOf(generation) === byName.get(name)?.generation;

  /** The generations to feed now: the live ones made by these folds, and those whose grace time still runs. */
  async function generationsToFeed(): Promise<Generation[]> {
    const pointers = await readModels.pointers();
    const live = projections.flatMap(({ name }) => {
      const generation = pointers[name];
      return generation === undefined ? [] : [{ name, generation }];
    });
    return [...live, ...(await retired.inGrace(pointers, [...byName.keys()]))].filter(canFeed);
  }

  async function acquire(): Promise<HeldModels | null> {
    // Together: over a network one after the other would take so long that the first writes wait for it.
    const models: readonly ReadModel[] = await Promise.all(
      (await generationsToFeed()).map(({ name, generation }) =>
        readModels.open({ name, generation, indexes: byName.get(name)!.indexes }),
      ),
    );
    if (models.length === 0) return null;
    const wanted = models.map(({ leases, declaration }) => ({ leases, name: 'feed', what: declaration.name }));
    const held = await acquireLeases(wanted, { holder, ttlMs: leaseTtlMs, clock });
    return held && { ...held, models };
  }

  const keyOf = ({ name, generation }: Generation) => `${name}.g${generation}`;

  /** Ends when other generations are to be fed than these. */
  const watchGenerations =
    (models: readonly ReadModel[]): Part =>
    async (over) => {
      const fed = models.map(({ declaration }) => keyOf(declaration));
      for (;;) {
        await clock.sleep(pointerCheckMs, over);
        if (over.aborted) return;
        if ((await generationsToFeed()).map(keyOf).join() !== fed.join()) return;
        await retired.dropExpired((name, generation) => fed.includes(keyOf({ name, generation })));
      }
    };

  const feeding = followWithLease<HeldModels>({
    store,
    clock,
    log,
    what: 'projecting',
    standbyMs,
    acquire,
    open: async ({ all, models }) => {
      deps.onTaken?.();
      const targets = await Promise.all(
        models.map((model, index) => createProjectionTarget(byName.get(model.declaration.name)!, model, all[index]!)),
      );
      for (const { projection } of targets) failures.delete(projection.name);
      const fed = feedTargets({
        store,
        readModels,
        clock,
        targets,
        batchSize,
        onFailure: ({ projection }, error) => onFailure(projection.name, error),
        onRecovery: ({ projection }) => failures.delete(projection.name),
      });
      return { ...fed, batchSize, beside: [fed.catchUp, watchGenerations(models)] };
    },
  });

  // A holder of its own: the feeding must not take a generation from under the filling of the same process.
  const building = buildMissing(
    { ...deps, holder: `${holder}:build`, noteLive: generationsToFeed, onFailure },
    stopping.signal,
  );
  return {
    done: Promise.all([feeding.done, building])
      .then(() => undefined)
      .finally(() => stopping.abort()),
    failures: () => {
      const { message } = feeding.failure() ?? {};
      const whole = message === undefined ? [] : [{ name: 'all', position: null, message }];
      return [...whole, ...failures.values()];
    },
    close: async () => {
      stopping.abort();
      await Promise.allSettled([feeding.close(), building]); // how they ended is told by `done`
    },
  };
}
