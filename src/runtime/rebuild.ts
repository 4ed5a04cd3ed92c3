import type { Projection } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { ReadModel, ReadModels } from '../ports/read-models.ts';
import { codeGenerationOf, nextBuild } from './generations.ts';
import { createProjectionTarget, type ProjectionTarget } from './projection-target.ts';

export interface RebuildProgress {
  readonly name: string;
  readonly generation: number;
  readonly phase: 'filling' | 'indexing' | 'catching_up' | 'live';
  readonly position: number;
  readonly target: number;
  readonly eventsPerSecond: number;
}

export interface RebuildDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly holder: string;
  readonly onProgress?: (progress: RebuildProgress) => void;
  readonly signal?: AbortSignal;
}

const leaseTtlMs = 15_000;
const batchSize = 2_000;

/** Another process fills this generation right now. */
export class RebuildRunning extends Error {
  constructor(name: string) {
    super(`a rebuild of ${name} is running already; wait for it or stop it first`);
    this.name = 'RebuildRunning';
  }
}

/** The generation to fill: one that an earlier rebuild left unfinished, else the next free number. */
async function generationToFill(projection: Projection, readModels: ReadModels, live: number | null): Promise<number> {
  const existing = await readModels.generations(projection.name);
  const unfinished = existing.filter(
    (stored) => stored > (live ?? -1) && codeGenerationOf(stored) === projection.generation,
  );
  return unfinished.length > 0 ? Math.max(...unfinished) : nextBuild(projection, existing);
}

/**
 * Fills a new generation beside the live one and switches the pointer in one write. It can be killed at any moment:
 * documents and checkpoint are stored together, and the next run goes on from there. Answers the new generation.
 */
export async function rebuildProjection(projection: Projection, deps: RebuildDeps): Promise<number> {
  const { store, readModels, clock, holder, signal } = deps;
  const live = (await readModels.pointers())[projection.name] ?? null;
  const generation = await generationToFill(projection, readModels, live);
  const declaration = { name: projection.name, generation, indexes: projection.indexes };
  const model: ReadModel = await readModels.open(declaration, { fillingWith: projection.patchIndexes ?? [] });
  const lease = await model.leases.acquire('feed', holder, leaseTtlMs);
  if (lease === null) throw new RebuildRunning(projection.name);
  const target = await createProjectionTarget(projection, model, lease, (failure) => {
    throw failure;
  });

  try {
    await fillUpTo(await store.head(), 'filling');
    report('indexing', await store.head(), 0);
    await model.completeIndexes();
    // Events arrive meanwhile; the rest after the switch is fed by the projector from the checkpoint reached here.
    await fillUpTo(await store.head(), 'catching_up');
    if (!(await readModels.switchPointer(projection.name, live, generation))) {
      throw new Error(`the live generation of ${projection.name} changed while it was rebuilt; nothing was switched`);
    }
    report('live', target.checkpoint(), 0);
    return generation;
  } finally {
    await model.leases.release(lease);
  }

  function report(phase: RebuildProgress['phase'], goal: number, eventsPerSecond: number): void {
    const position = target.checkpoint();
    deps.onProgress?.({ name: projection.name, generation, phase, position, target: goal, eventsPerSecond });
  }

  async function fillUpTo(goal: number, phase: RebuildProgress['phase']): Promise<void> {
    const types = Object.keys(projection.on);
    const startedMs = clock.nowMs();
    const startedAt = target.checkpoint();
    let renewedMs = startedMs;
    while (target.checkpoint() < goal) {
      signal?.throwIfAborted();
      await feedNext(target, types);
      const nowMs = clock.nowMs();
      if (nowMs - renewedMs > leaseTtlMs / 3) {
        await model.leases.renew(lease!, leaseTtlMs);
        renewedMs = nowMs;
      }
      const elapsedMs = Math.max(1, nowMs - startedMs);
      report(phase, goal, Math.round(((target.checkpoint() - startedAt) * 1_000) / elapsedMs));
    }
  }

  async function feedNext(to: ProjectionTarget, types: readonly string[]): Promise<void> {
    await to.feed(await store.readAll({ afterPosition: to.checkpoint(), limit: batchSize, types }));
  }
}
