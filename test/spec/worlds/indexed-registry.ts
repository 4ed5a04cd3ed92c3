import { createEmbeddedSearchIndexes } from '../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createEmbeddedVectorStore } from '../../../src/adapters/embedded/search-index/vector-store.ts';
import { openStaticEmbedder } from '../../../src/adapters/embedders/static-embedder.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createMutex } from '../../../src/concurrency/mutex.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import type {
  SearchFilter,
  SearchIndex,
  SearchIndexes,
  SearchKind,
  VectorStore,
} from '../../../src/ports/search-index.ts';
import { indexBatch } from '../../../src/runtime/searching/index-batch.ts';
import { searchedTypes } from '../../../src/runtime/searching/touched-documents.ts';
import { createVectorFiller } from '../../../src/runtime/searching/vector-filler.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import { createSeeded } from '../seeded.ts';
import type { TempFolder } from '../temp-folder.ts';
import { createTestRunners, requestOf } from './embedded-registry.ts';
import { copyOfFolder, followRegistry } from './followed-registry.ts';

const leaseMs = 3_600_000;
const everything: SearchFilter = { sources: { notIn: new Set() }, withCoverage: true };

/** An embedder that tells which texts it was given. */
const listening = (embedder: Embedder, heard: string[]): Embedder => ({
  ...embedder,
  embed: (texts, options) => {
    heard.push(...texts);
    return embedder.embed(texts, options);
  },
});

export interface IndexedGeneration {
  readonly index: SearchIndex;
  /** Brings read models and index along with the log. */
  readonly follow: () => Promise<void>;
  /** Gives vectors to all that wait; answers the texts that were embedded for it. */
  readonly fill: () => Promise<string[]>;
  /** The sources whose texts got vectors since the last time it was asked. */
  readonly takeFilled: () => string[];
  /** Documents that have all the words, by id. */
  readonly find: (words: string, kind?: SearchKind) => Promise<string[]>;
  /** Documents near to a text, the nearest first. */
  readonly findNear: (text: string, kind?: SearchKind) => Promise<string[]>;
}

interface FeedingParts {
  readonly indexes: SearchIndexes;
  readonly vectors: VectorStore;
  readonly embedder: Embedder;
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly models: ReadModelSet;
  readonly clock: Clock;
  /** Brings the read models along with the log. */
  readonly followModels: () => Promise<void>;
  /** Events that are indexed together. */
  readonly batchSize: () => number;
  /** The one whose place it shall take. */
  readonly former?: SearchIndex | undefined;
  /** Whether the embedder stands in for a better one. */
  readonly isFallback?: boolean | undefined;
  /** Fills before the embedder does. */
  readonly quick?: Embedder | undefined;
  /** What happens where it is told of sources that get vectors. */
  readonly onFilled?: (() => Promise<void>) | undefined;
}

/** One generation and who feeds it. */
export async function feedGeneration(parts: FeedingParts, generation: number): Promise<IndexedGeneration> {
  const {
    indexes,
    vectors,
    embedder,
    store,
    models,
    clock,
    followModels,
    batchSize,
    former,
    onFilled,
    isFallback = false,
    quick = null,
  } = parts;
  const index = await indexes.open(generation);
  const lease = await index.leases.acquire('search', 'test', leaseMs);
  if (lease === null) throw new Error('the index is taken');
  const heard: string[] = [];
  const filled = new Set<string>();
  const filler = createVectorFiller({
    index,
    vectors,
    embedders: { best: listening(embedder, heard), quick, isFallback },
    lease,
    clock,
    alone: createMutex(),
    models: async () => models,
    onFilled: async (sourceIds) => {
      await onFilled?.();
      for (const sourceId of sourceIds) filled.add(sourceId);
    },
  });
  const idsOf = async (list: { words: string } | { near: Float32Array }, kind: SearchKind): Promise<string[]> => {
    const common = { kind, filter: everything, limit: 50 };
    const asked =
      'words' in list
        ? { ...common, words: { tokens: list.words.split(' '), isPrefix: false } }
        : { ...common, near: [list.near], space: embedder.space };
    const [answer] = await index.search([asked]);
    return answer!.hits.map(({ id }) => id);
  };
  return {
    index,
    follow: async () => {
      await followModels();
      const head = await store.head();
      for (let at = await index.checkpoint(); at < head; at = await index.checkpoint()) {
        const batch = await store.readAll({ afterPosition: at, limit: batchSize(), types: searchedTypes });
        await indexBatch({ models, index, former, vectors, lease }, batch);
      }
    },
    fill: async () => {
      heard.length = 0;
      while ((await filler.step(new AbortController().signal)) !== null);
      return [...heard];
    },
    takeFilled: () => {
      const taken = [...filled];
      filled.clear();
      return taken;
    },
    find: async (words, kind = 'release') => (await idsOf({ words }, kind)).sort(),
    findNear: async (text, kind = 'release') => {
      const [near] = await embedder.embed([text]);
      return near == null ? [] : idsOf({ near }, kind);
    },
  };
}

/** A registry whose releases are indexed when somebody says so. It begins as a copy of an empty folder. */
export async function openIndexedRegistry(empty: TempFolder) {
  const folder = copyOfFolder(empty);
  const clock = createFakeClock();
  const store = openInThreadEventStore(folder.path);
  const followed = await followRegistry(folder.path, store, clock);
  const runners = createTestRunners(store, clock);
  const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock });
  const vectors = createEmbeddedVectorStore(folder.path);
  const plain = openStaticEmbedder({ clock: systemClock });
  const chance = createSeeded(1);
  const { models } = followed.live;
  let requests = 0;

  interface GenerationOptions {
    readonly batchSize?: number;
    readonly keeping?: VectorStore;
    readonly former?: SearchIndex;
    readonly reading?: ReadModelSet;
    readonly embedder?: Embedder;
    readonly isFallback?: boolean;
    readonly quick?: Embedder;
    readonly onFilled?: () => Promise<void>;
  }

  const openGeneration = (
    generation: number,
    {
      batchSize = 1_000,
      keeping = vectors,
      former,
      reading = models,
      embedder = plain,
      onFilled,
      isFallback,
      quick,
    }: GenerationOptions = {},
  ): Promise<IndexedGeneration> =>
    feedGeneration(
      {
        indexes,
        vectors: keeping,
        embedder,
        store,
        models: reading,
        former,
        onFilled,
        isFallback,
        quick,
        clock,
        followModels: () => followed.follow(chance),
        batchSize: () => batchSize,
      },
      generation,
    );

  return {
    folder: folder.path,
    clock,
    store,
    models,
    indexes,
    vectors,
    embedder: plain,
    openGeneration,
    nextRequest: () => requestOf((requests += 1)),
    ...runners,
    close: async () => {
      await indexes.close();
      await vectors.close();
      await plain.close();
      await followed.close();
      await store.close();
      folder.remove();
    },
  };
}

export type IndexedRegistry = Awaited<ReturnType<typeof openIndexedRegistry>>;
