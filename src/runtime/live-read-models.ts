import type { Projection } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReadModel, ReadModels } from '../ports/read-models.ts';
import { codeGenerationOf } from './generations.ts';

/** All live generations as of one moment: a request takes them once, so that no page mixes generations. */
export type ReadModelSet = ReadonlyMap<string, ReadModel>;

export interface LiveReadModels {
  /** Null while a read model that these folds can read is still being filled. */
  readonly current: () => Promise<ReadModelSet | null>;
  /** True when all named read models have seen that position; false when the time is over. */
  readonly waitFor: (names: readonly string[], position: number, timeoutMs: number) => Promise<boolean>;
}

const firstWaitMs = 1;
const waitMsMax = 10;

export function createLiveReadModels(
  readModels: ReadModels,
  projections: readonly Projection[],
  clock: Clock,
): LiveReadModels {
  let cached: { readonly key: string; readonly set: ReadModelSet } | null = null;

  async function current(): Promise<ReadModelSet | null> {
    const pointers = await readModels.pointers();
    const key = projections.map(({ name }) => pointers[name] ?? '-').join();
    if (cached?.key === key) return cached.set;
    const set = new Map<string, ReadModel>();
    for (const { name, generation, indexes } of projections) {
      const live = pointers[name];
      if (live === undefined || codeGenerationOf(live) !== generation) return null;
      set.set(name, await readModels.open({ name, generation: live, indexes }));
    }
    cached = { key, set };
    return set;
  }

  async function havePassed(names: readonly string[], position: number): Promise<boolean> {
    const set = await current();
    if (set === null) return false;
    for (const name of names) {
      const model = set.get(name);
      if (model === undefined) throw new Error(`there is no read model ${name}`);
      if ((await model.checkpoint()) < position) return false;
    }
    return true;
  }

  return {
    current,
    waitFor: async (names, position, timeoutMs) => {
      const endMs = clock.nowMs() + timeoutMs;
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMsMax, waitMs * 2)) {
        if (await havePassed(names, position)) return true;
        if (clock.nowMs() >= endMs) return false;
        await clock.sleep(waitMs);
      }
    },
  };
}
