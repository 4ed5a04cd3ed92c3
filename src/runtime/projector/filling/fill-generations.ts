import { fewAtOnce } from '../../../concurrency/few-at-once.ts';
import { runTogether } from '../../../concurrency/run-together.ts';
import { BackendUnavailable } from '../../../kernel/backend-unavailable.ts';
import type { Projection } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventBatch, EventStore } from '../../../ports/event-store.ts';
import type { ReadModels } from '../../../ports/read-models.ts';
import { keepRenewing } from '../../resilience/held-leases.ts';
import { concernsAll } from '../feed-targets.ts';
import { beginFilling, type Filling } from './begin-filling.ts';
import { codeGenerationOf, firstBuild } from '../generations.ts';
import { createLivePace } from '../live-pace.ts';
import { refusalSentence, switchFillings } from './switch-fillings.ts';
import { verifyFillings } from './verify-fillings.ts';
import type { Verified } from './verify-generations.ts';

export interface FillProgress {
  readonly names: readonly string[];
  readonly phase: 'filling' | 'indexing' | 'catching_up' | 'verifying' | 'live';
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
  /** Read models that are fed meanwhile, by whatever process, and shall not fall behind. */
  readonly givingWayTo?: readonly Projection[];
  /** A read model that is live with these folds already is left alone; else another generation of it is made. */
  readonly missingOnly?: boolean;
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
  readonly signal?: AbortSignal;
}

export type FillOutcome = { readonly name: string; readonly generation: number } & (
  | { readonly kind: 'live'; readonly verified: Verified }
  /** Another process does or did the same; nothing is lost. */
  | { readonly kind: 'overtaken'; readonly sentence: string }
  /** Filled, but another one that belongs to the same rollout is not: they go live together. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly error: Error }
  /** Filled, but not what the events say; it is dropped, so that the next filling begins anew. */
  | { readonly kind: 'differs'; readonly sentence: string }
);

const leaseTtlMs = 15_000;

/**
 * What is folded of a batch is held until it is written: of two read models, not of all of them. So one is folded while
 * a server writes the other.
 */
const fedAtOnce = 2;

/** Writes never stop, but each round of catching up is shorter than the one before. */
const catchUpRoundsMax = 10;

const isRollout = ({ live, projection }: Filling): boolean =>
  live !== null && codeGenerationOf(live) !== projection.generation;

/**
 * Fills a new generation of each beside the live ones, in one pass over the log at the pace of the slowest, verifies them
 * by a second fold, and switches all pointers in one write. It can be killed at any moment: documents and checkpoint are stored together, and the next
 * run goes on from there. One that cannot be filled drops out.
 */
export async function fillGenerations(projections: readonly Projection[], deps: FillDeps): Promise<FillOutcome[]> {
  const { store, readModels, clock, holder, givingWayTo = [], missingOnly = false } = deps;
  const { signal = new AbortController().signal } = deps;
  const pace = createLivePace({ store, readModels, clock, live: givingWayTo });
  const outcomes: FillOutcome[] = [];
  let fillings: Filling[] = [];
  let verified: ReadonlyMap<Filling, Verified> = new Map();
  const spoiled: Filling[] = [];

  const drop = (
    filling: Filling,
    ending: { kind: 'failed'; error: Error } | { kind: 'overtaken' | 'differs'; sentence: string },
  ) => {
    fillings = fillings.filter((other) => other !== filling);
    outcomes.push({ name: filling.projection.name, generation: filling.target.generation, ...ending });
  };

  const report = (phase: FillProgress['phase'], target: number, eventsPerSecond: number, position = lowest()): void =>
    deps.onProgress?.({ names: namesOf(fillings), phase, position, target, eventsPerSecond });

  const lowest = (): number => Math.min(...fillings.map(({ target }) => target.checkpoint()));

  /** What fails because of one read model ends its filling only. */
  async function run(filling: Filling, step: (filling: Filling) => Promise<void>): Promise<void> {
    try {
      await step(filling);
    } catch (error) {
      if (concernsAll(error)) throw error;
      drop(filling, { kind: 'failed', error: error as Error });
    }
  }

  /** False when one of them is not where it was thought to be, or fails: each finds its place, or its failure, when it is fed. */
  async function passOver(passing: readonly Filling[], position: number): Promise<boolean> {
    const moves = passing.map(({ projection: { name }, target: { generation, checkpoint } }) => ({
      name,
      generation,
      from: checkpoint(),
      position,
    }));
    try {
      if ((await readModels.passOver(moves)) < moves.length) return false;
    } catch (error) {
      if (concernsAll(error)) throw error;
      return false;
    }
    for (const { target } of passing) target.passedTo(position);
    return true;
  }

  /** Most events concern few read models: where only the checkpoint moves, one write is enough for all. */
  async function feedAll(batch: EventBatch): Promise<void> {
    const behind = fillings.filter(({ target }) => target.checkpoint() < batch.position);
    const passing = behind.filter(({ target }) => !target.concerns(batch));
    const arePassed = passing.length > 0 && (await passOver(passing, batch.position));
    const fed = arePassed ? behind.filter((filling) => !passing.includes(filling)) : behind;
    await fewAtOnce(fed, fedAtOnce, (filling) => run(filling, ({ target }) => target.feed(batch)));
  }

  /** One that cannot even be opened drops out as well. */
  async function tryToBegin(projection: Projection): Promise<void> {
    try {
      const begun = await beginFilling(projection, { readModels, clock, holder, leaseTtlMs, missingOnly });
      if ('target' in begun) fillings.push(begun);
      else {
        const { generation, overtaken: sentence } = begun;
        outcomes.push({ name: projection.name, generation, kind: 'overtaken', sentence });
      }
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
      await pace.giveWay(over);
      const batch = await store.readAll({ afterPosition: lowest(), limit: pace.eventsAtOnce(), types });
      await feedAll(batch);
      folded += batch.events.length;
      report(phase, goal, Math.round((folded * 1_000) / Math.max(1, clock.nowMs() - startedMs)));
    }
  }

  /** As near to the head as can be, so that the switch does not take readers back in time. */
  async function catchUp(over: AbortSignal): Promise<void> {
    for (let round = 0; round < catchUpRoundsMax; round += 1) {
      const head = await store.head();
      if (lowest() >= head) return;
      await fillUpTo(head, 'catching_up', over);
    }
  }

  /** Of a rollout all or none. */
  const switchable = (): readonly Filling[] => {
    const isComplete = outcomes.length === 0; // none failed, and none is filled by another process
    return fillings.filter((filling) => isComplete || !isRollout(filling));
  };

  const verify = (over: AbortSignal): Promise<Map<Filling, Verified>> =>
    verifyFillings(
      {
        store,
        pace,
        switchable,
        catchUp: () => catchUp(over),
        onProgress: ({ position, target }) => report('verifying', target, 0, position),
        onFailure: (filling, error) => drop(filling, { kind: 'failed', error }),
        onDifference: (filling, sentence) => {
          spoiled.push(filling);
          drop(filling, { kind: 'differs', sentence });
        },
      },
      over,
    );

  async function fill(over: AbortSignal): Promise<void> {
    await fillUpTo(await store.head(), 'filling', over);
    if (fillings.length === 0) return;
    report('indexing', await store.head(), 0);
    for (const filling of fillings) {
      await run(filling, ({ target }) => target.model.completeIndexes(() => pace.giveWay(over)));
    }
    await catchUp(over);
    verified = await verify(over);
  }

  async function goLive(): Promise<void> {
    const live = await switchFillings(switchable, readModels, (filling, refused) => {
      drop(filling, { kind: 'overtaken', sentence: refusalSentence(refused) });
      if (refused.reason === 'gone') begun = begun.filter((other) => other !== filling); // its lease went with it
    });
    for (const filling of fillings) {
      const outcome = { name: filling.projection.name, generation: filling.target.generation };
      const result = live.includes(filling) ? verified.get(filling) : undefined;
      outcomes.push(
        result === undefined ? { ...outcome, kind: 'waiting' } : { ...outcome, kind: 'live', verified: result },
      );
    }
  }

  /**
   * Erasures up to the switch have looked for their texts in the generations that were live until then. Their files are
   * scrubbed without the leases: it may take long, and from here on readers wait for what is fed.
   */
  async function scrubSwitched(): Promise<void> {
    if (fillings.length === 0) return;
    await catchUp(signal);
    await releaseAll();
    await readModels.scrub();
  }

  /** So that nobody goes on with them. */
  async function dropSpoiled(): Promise<void> {
    for (const { projection, target, held } of spoiled) {
      await held.renew(); // nobody else has gone on with it yet
      if ((await readModels.pointers())[projection.name] === target.generation) continue;
      begun = begun.filter((filling) => filling.held !== held);
      await readModels.drop(projection.name, target.generation);
    }
  }

  /** Each once: what has been let go may be dropped by another one. */
  const releaseAll = async (): Promise<void> => {
    const leaving = begun;
    begun = [];
    for (const { held } of leaving) await held.release();
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
    await dropSpoiled();
    await renewAll(); // what another one has taken over meanwhile is not switched
    // Before the leases are let go: nobody can take for unfinished what is about to be live.
    await goLive();
    await scrubSwitched();
    if (fillings.length > 0) report('live', lowest(), 0);
    return outcomes;
  } finally {
    await releaseAll();
  }
}

const namesOf = (fillings: readonly Filling[]): string[] => fillings.map(({ projection }) => projection.name);
