import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { ReadModel, ReadModels } from '../../ports/read-models.ts';
import { codeGenerationOf, nextBuild } from './generations.ts';
import { createProjectionTarget, type ProjectionTarget } from './projection-target.ts';

export interface RebuildProgress {
  readonly name: string;
  readonly generation: number;
  readonly phase: 'filling' | 'indexing' | 'catching_up' | 'live';
  readonly position: number;
  readonly target: number;
  /** Of those that matter to the read model. */
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

/** Writes never stop, but each round of catching up is shorter than the one before. */
const catchUpRoundsMax = 10;

/** Another process does or did the same; nothing is lost. */
export class RebuildOvertaken extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'RebuildOvertaken';
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
  if (lease === null) {
    throw new RebuildOvertaken(`a rebuild of ${projection.name} is running already; wait for it or stop it first`);
  }
  const target = await createProjectionTarget(projection, model, lease, (failure) => {
    throw failure;
  });

  try {
    await fillUpTo(await store.head(), 'filling');
    report('indexing', await store.head(), 0);
    await model.completeIndexes();
    await catchUp();
    // Before the switch: were this process killed in between, the projector would have to wait for the lease to run out.
    await model.leases.release(lease);
    if (!(await readModels.switchPointer(projection.name, live, generation))) {
      throw new RebuildOvertaken(
        `the live generation of ${projection.name} changed while it was rebuilt; nothing was switched`,
      );
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

  /** As near to the head as can be, so that the switch does not take readers back in time. */
  async function catchUp(): Promise<void> {
    for (let round = 0; round < catchUpRoundsMax; round += 1) {
      const head = await store.head();
      if (target.checkpoint() >= head) return;
      await fillUpTo(head, 'catching_up');
    }
  }

  async function fillUpTo(goal: number, phase: RebuildProgress['phase']): Promise<void> {
    const types = Object.keys(projection.on);
    const startedMs = clock.nowMs();
    let folded = 0;
    let renewedMs = startedMs;
    while (target.checkpoint() < goal) {
      signal?.throwIfAborted();
      folded += await feedNext(target, types);
      const nowMs = clock.nowMs();
      if (nowMs - renewedMs > leaseTtlMs / 3) {
        await model.leases.renew(lease!, leaseTtlMs);
        renewedMs = nowMs;
      }
      const elapsedMs = Math.max(1, nowMs - startedMs);
      report(phase, goal, Math.round((folded * 1_000) / elapsedMs));
    }
  }

  async function feedNext(to: ProjectionTarget, types: readonly string[]): Promise<number> {
    const batch = await store.readAll({ afterPosition: to.checkpoint(), limit: batchSize, types });
    await to.feed(batch);
    return batch.events.length;
  }
}
