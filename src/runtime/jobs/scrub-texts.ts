import type { Projection } from '../../kernel/projection.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import type { LiveReadModels } from '../projector/live-read-models.ts';

export interface ScrubTextsDeps {
  /** Without what this process would only hand over: texts must be gone from what is live. */
  readonly live: Pick<LiveReadModels, 'current' | 'waitFor'>;
  readonly readModels: Pick<ReadModels, 'pointers' | 'generations' | 'dropAbandoned' | 'scrub'>;
  /** The read models that hold texts; no other one keeps an erasure waiting. */
  readonly holding: readonly Projection[];
  /** The same for the search index. */
  readonly scrubSearch: (position: number) => Promise<void>;
}

/** Longer than a projector needs to be replaced by another one. */
const waitMs = 15_000;

/** Whoever builds a large index does not come to renew its lease meanwhile, and would lose all that it has filled. */
const abandonedMs = 60_000;

export interface ScrubTexts {
  /** False while the live read models are of other folds, or still being filled: then it is left to other processes. */
  readonly isPossible: () => Promise<boolean>;
  /**
   * Removes what is left of erased texts in read models and search index, once those that hold them have passed the erasure.
   * The index follows events of its own: it has to pass the last of those.
   */
  readonly scrub: (position: number, searchPosition?: number) => Promise<void>;
}

export function createScrubTexts({ live, readModels, holding, scrubSearch }: ScrubTextsDeps): ScrubTexts {
  const isPossible = async (): Promise<boolean> => (await live.current()) !== null;

  /** Whoever fills or feeds one passes the erasure, too; what nobody works on would keep the text. */
  async function dropAbandoned(): Promise<void> {
    const pointers = await readModels.pointers();
    for (const { name } of holding) {
      for (const generation of await readModels.generations(name)) {
        if (generation !== pointers[name]) await readModels.dropAbandoned(name, generation, abandonedMs);
      }
    }
  }

  return {
    isPossible,
    scrub: async (position, searchPosition = position) => {
      if (!(await isPossible())) throw new Error('the live read models are of another version');
      if (!(await live.waitFor(holding, position, waitMs))) throw new Error('a read model has not passed an erasure');
      await dropAbandoned();
      await readModels.scrub();
      await scrubSearch(searchPosition);
    },
  };
}
