import { createMutex, type Mutex } from '../../concurrency/mutex.ts';
import type { Part } from '../../concurrency/run-together.ts';
import { createWakeableSleep } from '../../concurrency/wakeable-sleep.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import type { SearchIndex, SearchIndexes, VectorStore } from '../../ports/search-index.ts';
import type { Generated } from '../projector/generations.ts';
import type { LiveReadModels } from '../projector/live-read-models.ts';
import { followWithLease, type LeasedFollower } from '../resilience/follow-with-lease.ts';
import { acquireLeases, type HeldLeases } from '../resilience/held-leases.ts';
import { createChangeWriter } from './change-writer.ts';
import { feedLeaseName, feedLeaseTtlMs } from './feed-lease.ts';
import { fillVectors } from './fill-vectors.ts';
import { indexBatch } from './index-batch.ts';
import { indexedProjections } from './indexed-projections.ts';
import { createSearchGenerations } from './search-generations.ts';
import { createSettler } from './settler.ts';
import { searchedTypes } from './touched-documents.ts';
import type { FillingEmbedders } from './vector-filler.ts';

export interface SearchFeederDeps {
  readonly store: Pick<EventStore, 'subscribe' | 'head'>;
  readonly indexes: SearchIndexes;
  readonly vectors: VectorStore;
  /** Null where nothing is embedded. */
  readonly embedders: FillingEmbedders | null;
  readonly live: Pick<LiveReadModels, 'current' | 'waitFor'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  readonly generated: Generated;
  /** Texts of these sources get vectors. */
  readonly onFilled: (sourceIds: ReadonlySet<string>) => Promise<void>;
}

const batchSize = 1_000;
const modelsWaitMs = 2_000;
const checkpointEveryMs = 1_000;
/** A write of the index costs much the same for one document and for a hundred: those that come close together share one. */
const gatherMs = 200;

interface HeldIndex extends HeldLeases {
  readonly index: SearchIndex;
  readonly generation: number;
}

/** How far the log was read, and how far the index says so. */
interface Passed {
  position: number;
  written: number;
}

/**
 * The search index follows the log: words with the events, vectors behind them at their own pace. While one by newer code is
 * filled, the one that is searched is fed on.
 */
export function startSearchFeeder(deps: SearchFeederDeps): LeasedFollower {
  const { store, indexes, vectors, embedders, live, clock, log, holder, onFilled } = deps;
  const generations = createSearchGenerations({ ...deps, space: embedders?.best.space ?? null });

  const acquire = (wantedGeneration: () => Promise<number | null>) => async (): Promise<HeldIndex | null> => {
    const generation = await wantedGeneration();
    if (generation === null) return null;
    const index = await indexes.open(generation);
    const wanted = [{ leases: index.leases, name: feedLeaseName, what: 'search' }];
    const held = await acquireLeases(wanted, { holder, ttlMs: feedLeaseTtlMs, clock });
    return held && { ...held, index, generation };
  };

  /** Null when it is over before they have got there. */
  async function modelsAt(position: number, over: AbortSignal): Promise<ReadModelSet | null> {
    while (!over.aborted) {
      const models = (await live.waitFor(indexedProjections, position, modelsWaitMs)) ? await live.current() : null;
      if (models !== null) return models;
    }
    return null;
  }

  /** Events that concern no document move the checkpoint, too, but not each by a write of its own. */
  function keepCheckpoint({ index, all: [lease] }: HeldIndex, alone: Mutex, passed: Passed): Part {
    const save = async (): Promise<void> => {
      const { position, written } = passed;
      if (position <= written) return; // a batch has written it meanwhile
      await createChangeWriter(index, lease!).finish(position);
      passed.written = position;
    };
    return async (over) => {
      while (!over.aborted) {
        await clock.sleep(checkpointEveryMs, over);
        if (!over.aborted && passed.position > passed.written) await alone.run(save);
      }
    };
  }

  const feed = (
    what: string,
    wanted: () => Promise<number | null>,
    watch: (generation: number, index: SearchIndex) => Part,
  ): LeasedFollower =>
    followWithLease<HeldIndex>({
      store,
      clock,
      log,
      what,
      acquire: acquire(wanted),
      open: async (held) => {
        const { index, generation } = held;
        const lease = held.all[0]!;
        const alone = createMutex();
        const woken = createWakeableSleep(clock);
        const from = await index.checkpoint();
        const passed: Passed = { position: from, written: from };
        const pointer = await indexes.pointer();
        const former = pointer === null || pointer === generation ? undefined : await indexes.open(pointer);
        const settler = createSettler(index, clock);
        const onWritten = settler.written;
        const filling = { index, vectors, lease, alone, models: live.current, onFilled, onWritten, clock, log, woken };
        return {
          from,
          types: searchedTypes,
          batchSize,
          onBatch: async (batch, over) => {
            if (batch.events.length > 0) {
              const models = await modelsAt(batch.position, over);
              if (models === null) return;
              await alone.run(() => indexBatch({ models, index, former, vectors, lease }, batch));
              passed.written = batch.position;
              await settler.written();
              woken.wake();
            }
            passed.position = batch.position;
            const mayMoreFollow = batch.events.length > 0 && batch.events.length < batchSize;
            if (mayMoreFollow) await clock.sleep(gatherMs, over);
          },
          beside: [
            watch(generation, index),
            keepCheckpoint(held, alone, passed),
            settler.keep,
            ...(embedders === null ? [] : [fillVectors({ ...filling, embedders })]),
          ],
        };
      },
    });

  const searched = feed('search', generations.live, generations.watchLive);
  const built = feed('the new search index', generations.building, generations.watchBuilding);
  return {
    done: Promise.all([searched.done, built.done]).then(() => undefined),
    close: async () => {
      await Promise.all([searched.close(), built.close()]);
    },
    position: searched.position,
    ownPosition: searched.ownPosition,
    failure: () => searched.failure() ?? built.failure(),
  };
}
