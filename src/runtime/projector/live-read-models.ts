import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadModel, ReadModels } from '../../ports/read-models.ts';
import { codeGenerationOf } from './generations.ts';

/** All live generations as of one moment: a request takes them once, so that no page mixes generations. */
export type ReadModelSet = ReadonlyMap<string, ReadModel>;

export interface LiveReadModels {
  /** Null while a read model that these folds can read is still being filled. */
  readonly current: () => Promise<ReadModelSet | null>;
  /** True when all named read models have seen that position; false when the time is over. */
  readonly waitFor: (names: readonly string[], position: number, timeoutMs: number) => Promise<boolean>;
  /** How far all of the named read models are. */
  readonly lowestPosition: (names: readonly string[]) => Promise<number>;
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

  async function lowestPosition(names: readonly string[]): Promise<number> {
    const set = await current();
    if (set === null) return 0;
    const checkpointOf = async (name: string): Promise<number> => {
      const model = set.get(name);
      if (model === undefined) throw new Error(`there is no read model ${name}`);
      return model.checkpoint();
    };
    return Math.min(Number.MAX_SAFE_INTEGER, ...(await Promise.all(names.map(checkpointOf))));
  }

  return {
    current,
    lowestPosition,
    waitFor: async (names, position, timeoutMs) => {
      const endMs = clock.nowMs() + timeoutMs;
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMsMax, waitMs * 2)) {
        if ((await lowestPosition(names)) >= position) return true;
        if (clock.nowMs() >= endMs) return false;
        await clock.sleep(waitMs);
      }
    },
  };
}
