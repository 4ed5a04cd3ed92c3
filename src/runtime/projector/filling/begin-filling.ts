import type { Projection } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ReadModels } from '../../../ports/read-models.ts';
import { acquireLeases, type HeldLeases } from '../../resilience/held-leases.ts';
import { codeGenerationOf, nextBuild } from '../generations.ts';
import { createProjectionTarget, type ProjectionTarget } from '../projection-target.ts';

/** A generation that is being filled, and by nobody else. */
export interface Filling {
  readonly projection: Projection;
  /** What readers see meanwhile. */
  readonly live: number | null;
  readonly target: ProjectionTarget;
  readonly held: HeldLeases;
}

/** Another process does or did the same; nothing is lost. */
export interface OvertakenFilling {
  readonly generation: number;
  readonly overtaken: string;
}

export interface BeginFillingDeps {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly holder: string;
  readonly leaseTtlMs: number;
  /** A read model that is live with these folds already is left alone; else another generation of it is made. */
  readonly missingOnly: boolean;
}

export const changedMeanwhile = (name: string): string =>
  `the live generation of ${name} changed while it was rebuilt; nothing was switched`;

/**
 * The generation to fill: one that an earlier filling left unfinished, else the next free number. One that was live is left
 * to those who drop it. Beside folds of another generation, older or newer, it may have a lower number than the live one.
 */
async function generationToFill(projection: Projection, readModels: ReadModels, live: number | null): Promise<number> {
  const existing = await readModels.generations(projection.name);
  const past = await readModels.pastGenerations(projection.name);
  const isAfterLive = (stored: number) =>
    live === null || stored > live || codeGenerationOf(live) !== projection.generation;
  const unfinished = existing.filter(
    (stored) =>
      codeGenerationOf(stored) === projection.generation &&
      stored !== live &&
      isAfterLive(stored) &&
      !past.includes(stored),
  );
  return unfinished.length > 0 ? Math.max(...unfinished) : nextBuild(projection, existing);
}

/** Takes a generation to fill, where there is one for us. */
export async function beginFilling(
  projection: Projection,
  deps: BeginFillingDeps,
): Promise<Filling | OvertakenFilling> {
  const { readModels, clock, holder, leaseTtlMs: ttlMs, missingOnly } = deps;
  const { name, indexes, patchIndexes: fillingWith = [] } = projection;
  const liveNow = async () => (await readModels.pointers())[name] ?? null;
  const live = await liveNow();
  if (missingOnly && live !== null && codeGenerationOf(live) >= projection.generation) {
    return { generation: live, overtaken: `${name} is live already` };
  }
  const generation = await generationToFill(projection, readModels, live);
  const model = await readModels.open({ name, generation, indexes }, { fillingWith });
  const wanted = [{ leases: model.leases, name: 'feed', what: name }];
  const held = await acquireLeases(wanted, { holder, ttlMs, clock });
  if (held === null) {
    return { generation, overtaken: `a rebuild of ${name} is running already; wait for it or stop it first` };
  }
  try {
    // Whoever had it before switches to it before it lets go: then it is fed, and not for filling.
    if ((await liveNow()) !== live) {
      await held.release();
      return { generation, overtaken: changedMeanwhile(name) };
    }
    return { projection, live, held, target: await createProjectionTarget(projection, model, held.all[0]!) };
  } catch (error) {
    await held.release();
    throw error;
  }
}
