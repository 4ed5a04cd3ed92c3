import { runTogether } from '../../concurrency/run-together.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import { acquireLeases, type HeldLeases, keepRenewing, LeaseLost } from '../resilience/held-leases.ts';
import { codeGenerationOf, firstBuild, nextBuild } from './generations.ts';
import { createProjectionTarget, type ProjectionTarget } from './projection-target.ts';

export interface FillProgress {
  readonly names: readonly string[];
  readonly phase: 'filling' | 'indexing' | 'catching_up' | 'live';
  readonly position: number;
  readonly target: number;
  /** Of those that matter to one of the read models. */
  readonly eventsPerSecond: number;
}

export interface FillDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly holder: string;
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
  readonly signal?: AbortSignal;
}

export type FillOutcome = { readonly name: string; readonly generation: number } & (
  | { readonly kind: 'live' }
  /** Another process does or did the same; nothing is lost. */
  | { readonly kind: 'overtaken'; readonly sentence: string }
  /** Filled, but another one that belongs to the same rollout is not: they go live together. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly error: Error }
);

interface Filling {
  readonly projection: Projection;
  readonly live: number | null;
  readonly target: ProjectionTarget;
  readonly held: HeldLeases;
}

const leaseTtlMs = 15_000;
const batchSize = 2_000;

/** Writes never stop, but each round of catching up is shorter than the one before. */
const catchUpRoundsMax = 10;

/** The generation to fill: one that an earlier filling left unfinished, else the next free number. */
async function generationToFill(projection: Projection, readModels: ReadModels, live: number | null): Promise<number> {
  const existing = await readModels.generations(projection.name);
  const unfinished = existing.filter(
    (stored) => stored > (live ?? -1) && codeGenerationOf(stored) === projection.generation,
  );
  return unfinished.length > 0 ? Math.max(...unfinished) : nextBuild(projection, existing);
}

const isRollout = ({ live, projection }: Filling): boolean =>
  live !== null && codeGenerationOf(live) !== projection.generation;

/**
 * Fills a new generation of each beside the live ones, in one pass over the log at the pace of the slowest, and switches
 * all pointers in one write. It can be killed at any moment: documents and checkpoint are stored together, and the next
 * run goes on from there. One that cannot be filled drops out.
 */
export async function fillGenerations(projections: readonly Projection[], deps: FillDeps): Promise<FillOutcome[]> {
  const { store, readModels, clock, holder, signal = new AbortController().signal } = deps;
  const outcomes: FillOutcome[] = [];
  let fillings: Filling[] = [];

  const drop = (
    filling: Filling,
    ending: { kind: 'failed'; error: Error } | { kind: 'overtaken'; sentence: string },
  ) => {
    fillings = fillings.filter((other) => other !== filling);
    outcomes.push({ name: filling.projection.name, generation: filling.target.generation, ...ending });
  };

  const report = (phase: FillProgress['phase'], target: number, eventsPerSecond: number): void =>
    deps.onProgress?.({ names: namesOf(fillings), phase, position: lowest(), target, eventsPerSecond });

  const lowest = (): number => Math.min(...fillings.map(({ target }) => target.checkpoint()));

  /** What fails because of one read model ends its filling only. */
  async function each(step: (filling: Filling) => Promise<void>): Promise<void> {
    const run = async (filling: Filling): Promise<void> => {
      try {
        await step(filling);
      } catch (error) {
        if (error instanceof BackendUnavailable || error instanceof LeaseLost) throw error;
        drop(filling, { kind: 'failed', error: error as Error });
      }
    };
    const ended = await Promise.allSettled(fillings.map(run));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  async function begin(projection: Projection): Promise<void> {
    const { name, indexes, patchIndexes: fillingWith = [] } = projection;
    const live = (await readModels.pointers())[name] ?? null;
    const generation = await generationToFill(projection, readModels, live);
    const model = await readModels.open({ name, generation, indexes }, { fillingWith });
    const held = await acquireLeases([{ leases: model.leases, name: 'feed', what: name }], {
      holder,
      ttlMs: leaseTtlMs,
      clock,
    });
    if (held === null) {
      const sentence = `a rebuild of ${name} is running already; wait for it or stop it first`;
      outcomes.push({ name, generation, kind: 'overtaken', sentence });
      return;
    }
    try {
      fillings.push({ projection, live, held, target: await createProjectionTarget(projection, model, held.all[0]!) });
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  /** One that cannot even be opened drops out as well. */
  async function tryToBegin(projection: Projection): Promise<void> {
    try {
      await begin(projection);
    } catch (error) {
      if (error instanceof BackendUnavailable) throw error;
      const { name } = projection;
      outcomes.push({ name, generation: firstBuild(projection), kind: 'failed', error: error as Error });
    }
  }

  async function fillUpTo(goal: number, phase: FillProgress['phase'], over: AbortSignal): Promise<void> {
    const startedMs = clock.nowMs();
    const types = [...new Set(fillings.flatMap(({ projection }) => Object.keys(projection.on)))];
    let folded = 0;
    while (fillings.length > 0 && lowest() < goal) {
      over.throwIfAborted();
      const batch = await store.readAll({ afterPosition: lowest(), limit: batchSize, types });
      await each(({ target }) => target.feed(batch));
      folded += batch.events.length;
      report(phase, goal, Math.round((folded * 1_000) / Math.max(1, clock.nowMs() - startedMs)));
    }
  }

  async function fill(over: AbortSignal): Promise<void> {
    await fillUpTo(await store.head(), 'filling', over);
    if (fillings.length === 0) return;
    report('indexing', await store.head(), 0);
    await each(({ target }) => target.model.completeIndexes());
    // As near to the head as can be, so that the switch does not take readers back in time.
    for (let round = 0; round < catchUpRoundsMax; round += 1) {
      const head = await store.head();
      if (lowest() >= head) return;
      await fillUpTo(head, 'catching_up', over);
    }
  }

  /** During a rollout some process must be able to serve at every moment: with the old ones, or with all of the new. */
  async function goLive(): Promise<void> {
    const isComplete = outcomes.length === 0; // none failed, and none is filled by another process
    for (;;) {
      const ready = fillings.filter((filling) => isComplete || !isRollout(filling));
      const switches = ready.map(({ projection: { name }, live, target: { generation } }) => ({
        name,
        expected: live,
        generation,
      }));
      if (ready.length === 0 || (await readModels.switchPointers(switches))) {
        for (const { projection, target } of fillings) {
          const kind = switches.some(({ name }) => name === projection.name) ? 'live' : 'waiting';
          outcomes.push({ name: projection.name, generation: target.generation, kind });
        }
        return;
      }
      const pointers = await readModels.pointers();
      for (const filling of ready) {
        const { name } = filling.projection;
        if ((pointers[name] ?? null) === filling.live) continue;
        const sentence = `the live generation of ${name} changed while it was rebuilt; nothing was switched`;
        drop(filling, { kind: 'overtaken', sentence });
      }
    }
  }

  const releaseAll = async (): Promise<void> => {
    for (const { held } of begun) await held.release();
  };
  const renewAll = async (): Promise<void> => {
    for (const { held } of begun) await held.renew();
  };
  let begun: readonly Filling[] = [];
  try {
    for (const projection of projections) {
      await tryToBegin(projection);
      begun = fillings;
    }
    if (fillings.length === 0) return outcomes;
    await runTogether(signal, [fill, keepRenewing({ ttlMs: leaseTtlMs, clock }, renewAll)]);
    signal.throwIfAborted();
    // Before the switch: were this process killed in between, the projector would have to wait for the leases to run out.
    await releaseAll();
    await goLive();
    if (fillings.length > 0) report('live', lowest(), 0);
    return outcomes;
  } finally {
    await releaseAll();
  }
}

const namesOf = (fillings: readonly Filling[]): string[] => fillings.map(({ projection }) => projection.name);
