import type { Clock } from '../../ports/clock.ts';
import type { ReadModels } from '../../ports/read-models.ts';

interface RetiredGeneration {
  readonly name: string;
  readonly generation: number;
  readonly fedUntilMs: number;
  /** Later than the feeding ends, so that every process has let go of it. */
  readonly droppedFromMs: number;
}

export interface RetiredGenerations {
  /** Generations that were live a moment ago; the first look finds none, so a restart ends all grace. */
  readonly inGrace: (
    pointers: Readonly<Record<string, number>>,
    names: readonly string[],
  ) => Promise<Pick<RetiredGeneration, 'name' | 'generation'>[]>;
  /** Leaves those alone that are still being fed here. */
  readonly dropExpired: (isFed: (name: string, generation: number) => boolean) => Promise<void>;
}

/** Remembers which generations were live, has them fed a while longer and drops them then. */
export function retireOldGenerations(deps: {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly graceMs: number;
}): RetiredGenerations {
  const { readModels, clock, graceMs } = deps;
  const lastLive = new Map<string, number>();
  const retired = new Map<string, RetiredGeneration>();
  const keyOf = (name: string, generation: number) => `${name}.g${generation}`;

  const retire = (name: string, generation: number, fedUntilMs: number) =>
    retired.set(keyOf(name, generation), { name, generation, fedUntilMs, droppedFromMs: fedUntilMs + graceMs / 10 });

  return {
    inGrace: async (pointers, names) => {
      const nowMs = clock.nowMs();
      for (const name of names) {
        const live = pointers[name];
        if (live === undefined) continue;
        const before = lastLive.get(name);
        if (before === undefined) {
          // Retired by an earlier process. One that was never live stays: it may be what somebody goes back to.
          for (const old of await readModels.pastGenerations(name)) if (old < live) retire(name, old, 0);
        } else if (before !== live) retire(name, before, nowMs + graceMs);
        lastLive.set(name, live);
        retired.delete(keyOf(name, live)); // it may be live for the second time
      }
      return [...retired.values()]
        .filter(({ fedUntilMs }) => fedUntilMs > nowMs)
        .map(({ name, generation }) => ({ name, generation }));
    },
    dropExpired: async (isFed) => {
      const nowMs = clock.nowMs();
      for (const [key, { name, generation, droppedFromMs }] of retired) {
        if (droppedFromMs > nowMs || isFed(name, generation)) continue;
        // It may have become live for the second time since the last look.
        if ((await readModels.pointers())[name] !== generation) await readModels.drop(name, generation);
        retired.delete(key);
      }
    },
  };
}
