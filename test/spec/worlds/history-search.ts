import { createEmbeddedSearchIndexes } from '../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createEmbeddedVectorStore } from '../../../src/adapters/embedded/search-index/vector-store.ts';
import { openStaticEmbedder } from '../../../src/adapters/embedders/static-embedder.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { SearchedIndex } from '../compare/compare-search.ts';
import type { Seeded } from '../seeded.ts';
import type { FollowedRegistry } from './followed-registry.ts';
import { feedGeneration } from './indexed-registry.ts';

export interface HistorySearch extends SearchedIndex {
  /** Indexes what is new, in batches of random sizes, and gives it vectors. */
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The search index of a random history. */
export async function openHistorySearch(deps: {
  readonly folder: string;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly followed: FollowedRegistry;
  readonly random: Seeded;
}): Promise<HistorySearch> {
  const { folder, store, clock, followed, random } = deps;
  const indexes = await createEmbeddedSearchIndexes({ folder, clock });
  const vectors = createEmbeddedVectorStore(folder);
  const plain = openStaticEmbedder({ clock: systemClock });
  const { models } = followed.live;
  const fed = await feedGeneration(
    {
      indexes,
      vectors,
      embedder: plain,
      store,
      models,
      clock,
      followModels: () => followed.follow(random),
      batchSize: () => random.int(1, random.pick([1, 5, 60])),
    },
    1,
  );
  return {
    index: fed.index,
    embedder: {
      space: async () => plain.space,
      embed: async (text) => (await plain.embed([text], { isQuery: true }))[0] ?? null,
    },
    follow: async () => {
      await fed.follow();
      await fed.fill();
    },
    close: async () => {
      await indexes.close();
      await vectors.close();
      await plain.close();
    },
  };
}
