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

interface Filled {
  readonly index: SearchIndex;
  readonly lease: Lease;
  readonly former: SearchIndex | undefined;
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

  async function fillWords({ index, lease, former }: Filled): Promise<void> {
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

  /**
   * Known ones, and quick ones for the rest: whoever feeds the index afterwards makes those better. What was suppressed or erased
   * meanwhile never gets any, so that words are brought along in between; and what waits after a whole walk is left to the feeder.
   */
  async function fillVectors({ index, lease, former }: Filled, filling: FillingEmbedders): Promise<void> {
    const { best } = filling;
    const target = await index.checkpoint();
    const isWaiting = async (): Promise<boolean> => {
      for (const kind of searchKinds) {
        const waiting = await index.withoutVectors(kind, { space: best.space }, start, 1);
        if (waiting.some(({ position }) => position <= target)) return true;
      }
      return false;
    };
    const filler = createVectorFiller({
      index,
      vectors,
      embedders: filling,
      lease,
      clock,
      alone: createMutex(),
      models: live.current,
      onFilled: async () => {},
    });
    let walkedAt: number | null = null;
    while (await isWaiting()) {
      const step = await filler.step(never);
      await fillWords({ index, lease, former });
      if (step !== null) {
        onProgress?.({ phase: 'vectors', done: Math.min(step.position, target), total: target });
        continue;
      }
      if ((await live.current()) === null) throw new Error('the read models are being filled');
      const at = await index.checkpoint();
      if (at === walkedAt) return;
      walkedAt = at;
    }
  }

  const pointer = await indexes.pointer();
  const { generation, index, held } = await begin(pointer);
  const rebuilt = await whileHeld(held, async () => {
    const former = pointer === null ? undefined : await indexes.open(pointer);
    const filled: Filled = { index, lease: held.all[0]!, former };
    await fillWords(filled);
    if (embedders !== null) await fillVectors(filled, embedders);
    await fillWords(filled); // what came meanwhile
    await index.scrub(); // erasures did not wait for it
    await fillWords(filled); // that may have taken minutes, and nobody shall miss what was found before
    await index.settle();
    if (!(await indexes.switchPointer(pointer, generation))) {
      throw new Error('another search index was switched to meanwhile; this one is left for the next rebuild');
    }
    return { generation, releases: await index.count('release'), chunks: await index.count('chunk') };
  });
  await index.scrub(); // of what was erased meanwhile, while others feed it
  return rebuilt;
}
