import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Gate } from './gated-event-store.ts';
import type { Seeded } from './seeded.ts';

export interface Interleaving {
  /** A gate for one actor: it waits there until it is this actor's turn. */
  readonly gateOf: (actor: number) => Gate;
  /** Lets the actors run one step at a time in a seeded order; some crash for good. */
  readonly play: (actors: readonly (() => Promise<void>)[]) => Promise<void>;
}

/** Makes several writers interleave at every await, as processes do, but repeatably. */
export function createInterleaving(
  random: Seeded,
  options: { readonly crashPercent: number; readonly beforeStep: () => void },
): Interleaving {
  const waiting = new Map<number, () => void>();
  return {
    gateOf: (actor) => () => new Promise((resolve) => waiting.set(actor, resolve)),
    play: async (actors) => {
      const active = new Set(actors.keys());
      const failures: unknown[] = [];
      actors.forEach((run, actor) => {
        void run()
          .catch((error: unknown) => failures.push(error))
          .finally(() => active.delete(actor));
      });
      while (active.size > 0) {
        // Whoever is not at a gate is inside the store: its step ends soon.
        while ([...active].some((actor) => !waiting.has(actor))) await nextTurn();
        if (active.size === 0) break;
        options.beforeStep();
        const actor = random.pick([...active].sort((a, b) => a - b));
        const step = waiting.get(actor)!;
        waiting.delete(actor);
        if (random.chance(options.crashPercent)) active.delete(actor);
        else step();
        await nextTurn();
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
