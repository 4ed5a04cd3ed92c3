import { workerData } from 'node:worker_threads';
import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { createLog } from '../../adapters/system/log.ts';
import { dieOf, serveThread } from '../../adapters/threads/serve-thread.ts';
import { stepAside } from '../../adapters/threads/step-aside.ts';
import { createHttpClient } from '../../adapters/undici/http-client.ts';
import { closeInTurn } from '../../concurrency/close-in-turn.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import type { EmbeddingSettings } from '../../config/embedding-settings.ts';
import type { Meaning } from '../../ports/embedder.ts';
import { createLiveReadModels } from '../../runtime/projector/live-read-models.ts';
import { whenReachable } from '../../runtime/resilience/when-reachable.ts';
import { startSearchFeeder } from '../../runtime/searching/search-feeder.ts';
import { createEmbeddedTimes } from '../../records/embedded-times.ts';
import { tellContacts } from '../../records/told-contacts.ts';
import { searchGenerated } from '../../search/search-generation.ts';
import type { SharedOpsWriter } from '../../adapters/embedded/operational-store/writer-client.ts';
import { openEmbedders } from '../open-embedders.ts';
import { openFeedingStores } from '../stores/stores.ts';
import { createProjectedStamp } from './projected-stamp.ts';

export interface SearchThreadData {
  readonly backends: BackendSettings;
  readonly embedding: EmbeddingSettings;
  /** Whether the search index is fed here; queries are embedded in any case. */
  readonly feeds: boolean;
  readonly logLevel: string;
  /** Names the feeder of this process; a thread that follows a dead one goes on with its lease. */
  readonly holder: string;
  /** Changes with what the projector of this process writes, if it has one. */
  readonly stamp?: SharedArrayBuffer;
}

export interface SharedWithSearch {
  readonly opsWriter: SharedOpsWriter | null;
}

export type SearchThreadCalls = {
  /** What a query means, and in which space. */
  embedQuery: (text: string) => Promise<Meaning>;
  /** Null where nothing is embedded. */
  space: (input: null) => string | null;
  /** Whether a lesser model than is wanted embeds queries. */
  isEmbedderReplaced: (input: null) => boolean;
  /** Why the index stands still; null when it does not. */
  failure: (input: null) => string | null;
  /** How far the index is; null while it is not fed here. */
  position: (input: null) => number | null;
};

await serveThread<SearchThreadCalls>(async () => {
  stepAside('unasked');
  const { opsWriter, ...data } = workerData as SearchThreadData & SharedWithSearch;
  const { backends, embedding, feeds, logLevel, holder, stamp } = data;
  const clock = systemClock;
  const log = createLog({ level: logLevel });
  const http = createHttpClient();
  const embedders = await openEmbedders({ http, clock, log }, embedding);
  const closers: (() => Promise<void>)[] = [http.close];
  if (embedders !== null) closers.unshift(embedders.best.close);

  async function startFeeding() {
    const options = { ...backends, clock, log, onFatal: dieOf };
    // Started again in the middle of an outage, it waits for the end of it, however long.
    const waiting = { clock, waitMs: Number.POSITIVE_INFINITY };
    const stores = await whenReachable(() => openFeedingStores(options, opsWriter), waiting);
    closers.unshift(stores.close);
    const { eventStore: store, readModels, ops, vectors, openIndexes } = stores;
    const indexes = await whenReachable(openIndexes, waiting);
    const projected = stamp && createProjectedStamp(stamp);
    const live = createLiveReadModels(readModels, allProjections, clock, { ...(projected && { projected }) });
    const told = projected === undefined ? ops : tellContacts(ops, projected.touch);
    const times = await whenReachable(() => createEmbeddedTimes(told), waiting);
    const onFilled = (sourceIds: ReadonlySet<string>) => times.record(sourceIds, clock.nowMs());
    const feeding = {
      store,
      indexes,
      vectors,
      embedders,
      live,
      clock,
      log,
      holder,
      onFilled,
      generated: searchGenerated,
    };
    const feeder = startSearchFeeder(feeding);
    feeder.done.catch(dieOf);
    closers.unshift(feeder.close);
    return feeder;
  }

  const feeder = feeds ? await startFeeding() : null;
  return {
    calls: {
      embedQuery: async (text) => {
        if (embedders === null) return null;
        const [meaning] = await embedders.best.embed([text], { isQuery: true });
        return meaning ?? null;
      },
      space: () => embedders?.best.space ?? null,
      isEmbedderReplaced: () => embedders !== null && embedders.replacedBecause() !== null,
      failure: () => feeder?.failure()?.message ?? null,
      position: () => feeder?.ownPosition() ?? null,
    },
    close: () => closeInTurn(closers),
  };
});
