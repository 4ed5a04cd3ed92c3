import type { Clock } from '../ports/clock.ts';
import type { ReadModels } from '../ports/read-models.ts';

interface RetiredGeneration {
  readonly name: string;
  readonly generation: number;
}

export interface RetiredGenerations {
  /** Generations that were live a moment ago; the first look finds none, so a restart ends all grace. */
  readonly inGrace: (
    pointers: Readonly<Record<string, number>>,
    names: readonly string[],
  ) => Promise<RetiredGeneration[]>;
  readonly dropExpired: () => Promise<void>;
}

/** Remembers which generations were live, feeds them a while longer and drops them then. */
export function retireOldGenerations(deps: {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly graceMs: number;
}): RetiredGenerations {
  const { readModels, clock, graceMs } = deps;
  const lastLive = new Map<string, number>();
  const retiring: (RetiredGeneration & { readonly untilMs: number })[] = [];
  const seen = new Set<string>();

  return {
    inGrace: async (pointers, names) => {
      for (const name of names) {
        const live = pointers[name];
        if (live === undefined) continue;
        const before = lastLive.get(name);
        if (before !== undefined && before !== live) {
          retiring.push({ name, generation: before, untilMs: clock.nowMs() + graceMs });
        }
        if (!seen.has(name)) {
          seen.add(name);
          // What lies below the live one at the start was retired by an earlier process; a higher one is being filled.
          for (const old of await readModels.generations(name)) {
            if (old < live) retiring.push({ name, generation: old, untilMs: 0 });
          }
        }
        lastLive.set(name, live);
      }
      return retiring
        .filter(({ name, generation, untilMs }) => untilMs > clock.nowMs() && pointers[name] !== generation)
        .map(({ name, generation }) => ({ name, generation }));
    },
    dropExpired: async () => {
      const expired = retiring.filter(({ untilMs }) => untilMs <= clock.nowMs());
      for (const entry of expired) {
        retiring.splice(retiring.indexOf(entry), 1);
        if (lastLive.get(entry.name) !== entry.generation) await readModels.drop(entry.name, entry.generation);
      }
    },
  };
}
