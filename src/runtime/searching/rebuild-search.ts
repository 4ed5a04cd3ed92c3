import { createMutex } from '../../concurrency/mutex.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import { type SearchIndex, type SearchIndexes, searchKinds, type VectorStore } from '../../ports/search-index.ts';
import { codeGenerationOf, type Generated, nextBuild } from '../projector/generations.ts';
import type { LiveReadModels } from '../projector/live-read-models.ts';
import { acquireLeases, type HeldLeases, whileHeld } from '../resilience/held-leases.ts';
import { feedLeaseName, feedLeaseTtlMs } from './feed-lease.ts';
import { indexBatch } from './index-batch.ts';
import { indexedProjections } from './indexed-projections.ts';
import { searchedTypes } from './touched-documents.ts';
import { createVectorFiller, type FillingEmbedders } from './vector-filler.ts';

export interface RebuildSearchDeps {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly indexes: SearchIndexes;
  readonly vectors: VectorStore;
  readonly embedders: FillingEmbedders | null;
  readonly live: Pick<LiveReadModels, 'current' | 'waitFor'>;
  readonly clock: Clock;
  readonly holder: string;
  readonly generated: Generated;
  readonly onProgress?: (step: {
    readonly phase: 'words' | 'vectors';
    readonly done: number;
    readonly total: number;
  }) => void;
}

export interface RebuiltSearch {
  readonly generation: number;
  readonly releases: number;
  readonly chunks: number;
}

const batchSize = 1_000;
const modelsWaitMs = 10_000;
const triesMax = 5;
const retryMs = 200;
const start = { position: 0, id: '' };

/** Fills the search index anew beside the live one and switches to it. A killed rebuild goes on where it was. */
export async function rebuildSearch(deps: RebuildSearchDeps): Promise<RebuiltSearch> {
  const { store, indexes, vectors, embedders, live, clock, holder, generated, onProgress } = deps;
  const never = new AbortController().signal;

  const take = async (generation: number): Promise<{ index: SearchIndex; held: HeldLeases } | null> => {
    const index = await indexes.open(generation);
    const wanted = [{ leases: index.leases, name: feedLeaseName, what: 'search' }];
    // Whoever looks whether somebody feeds it has the lease for a moment, too.
    for (let tries = 1; tries <= triesMax; tries += 1) {
      const held = await acquireLeases(wanted, { holder, ttlMs: feedLeaseTtlMs, clock });
      if (held !== null) return { index, held };
      await clock.sleep(retryMs);
    }
    return null;
  };

  /** One that was begun and that nobody works on, else a new one. */
  async function begin(pointer: number | null) {
    const existing = await indexes.generations();
    const isOurs = (each: number) => codeGenerationOf(each) === generated.generation;
    for (const generation of existing.filter((each) => each > (pointer ?? -1) && isOurs(each)).reverse()) {
      const taken = await take(generation);
      if (taken !== null) return { generation, ...taken };
    }
    const generation = nextBuild(generated, existing);
    const taken = await take(generation);
    if (taken === null) throw new Error('another process rebuilds the search index');
    return { generation, ...taken };
  }

  async function fillWords(index: SearchIndex, lease: Lease, former: SearchIndex | undefined): Promise<void> {
    for (let at = await index.checkpoint(); at < (await store.head()); at = await index.checkpoint()) {
      const batch = await store.readAll({ afterPosition: at, limit: batchSize, types: searchedTypes });
      if (!(await live.waitFor(indexedProjections, batch.position, modelsWaitMs))) {
        throw new Error('the read models do not follow the log: is a projector running?');
      }
      const models = await live.current();
      if (models === null) throw new Error('the read models are being filled');
      await indexBatch({ models, index, former, vectors, lease }, batch);
      onProgress?.({ phase: 'words', done: batch.position, total: await store.head() });
    }
  }

  /** Known ones, and quick ones for the rest: whoever feeds the index afterwards makes those better. */
  async function fillVectors(index: SearchIndex, lease: Lease, { best, quick }: FillingEmbedders): Promise<void> {
    const isWaiting = async (): Promise<boolean> => {
      for (const kind of searchKinds) {
        if ((await index.withoutVectors(kind, { space: best.space }, start, 1)).length > 0) return true;
      }
      return false;
    };
    const filler = createVectorFiller({
      index,
      vectors,
      embedders: { best, quick },
      lease,
      clock,
      alone: createMutex(),
      models: live.current,
      onFilled: async () => {},
    });
    let done = 0;
    while (await isWaiting()) {
      if ((await filler.step(never)) === null) throw new Error('the read models are being filled');
      done += 1;
      onProgress?.({ phase: 'vectors', done, total: done });
    }
  }

  const pointer = await indexes.pointer();
  const { generation, index, held } = await begin(pointer);
  return whileHeld(held, async () => {
    const lease = held.all[0]!;
    const former = pointer === null ? undefined : await indexes.open(pointer);
    await fillWords(index, lease, former);
    if (embedders !== null) await fillVectors(index, lease, embedders);
    await fillWords(index, lease, former); // what came meanwhile
    await index.scrub(); // erasures did not wait for it
    await index.settle();
    if (!(await indexes.switchPointer(pointer, generation))) {
      throw new Error('another search index was switched to meanwhile; this one is left for the next rebuild');
    }
    await index.scrub(); // of what was erased meanwhile
    return { generation, releases: await index.count('release'), chunks: await index.count('chunk') };
  });
}
