import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadModel, ReadModelSet, ReadModels } from '../../ports/read-models.ts';
import { codeGenerationOf } from './generations.ts';
import { createReadModelSet } from './read-model-set.ts';

export interface LiveReadModels {
  /**
   * All live generations: a request takes them once, so that no page mixes generations. Null while a read model that
   * these folds can read is still being filled.
   */
  readonly current: () => Promise<ReadModelSet | null>;
  /** True when all of these read models have seen that position; false when the time is over. */
  readonly waitFor: (reads: readonly Projection[], position: number, timeoutMs: number) => Promise<boolean>;
  /** How far all of these read models are. */
  readonly lowestPosition: (reads: readonly Projection[]) => Promise<number>;
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
    const models: ReadModel[] = [];
    for (const { name, generation, indexes } of projections) {
      const live = pointers[name];
      if (live === undefined || codeGenerationOf(live) !== generation) return null;
      models.push(await readModels.open({ name, generation: live, indexes }));
    }
    cached = { key, set: createReadModelSet(models) };
    return cached.set;
  }

  async function lowestPosition(reads: readonly Projection[]): Promise<number> {
    const set = await current();
    if (set === null) return 0;
    const checkpoints = await Promise.all(reads.map((projection) => set.of(projection).checkpoint()));
    return Math.min(Number.MAX_SAFE_INTEGER, ...checkpoints);
  }

  return {
    current,
    lowestPosition,
    waitFor: async (reads, position, timeoutMs) => {
      const endMs = clock.nowMs() + timeoutMs;
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMsMax, waitMs * 2)) {
        if ((await lowestPosition(reads)) >= position) return true;
        if (clock.nowMs() >= endMs) return false;
        await clock.sleep(waitMs);
      }
    },
  };
}
