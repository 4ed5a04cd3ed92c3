import { workerData } from 'node:worker_threads';
import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { createLog } from '../../adapters/system/log.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import { systemStopwatch } from '../../adapters/system/stopwatch.ts';
import { dieOf, serveThread } from '../../adapters/threads/serve-thread.ts';
import { stepAside } from '../../adapters/threads/step-aside.ts';
import { createHttpClient } from '../../adapters/undici/http-client.ts';
import { closeInTurn } from '../../concurrency/close-in-turn.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import type { FetchSettings } from '../../config/fetch-settings.ts';
import type { GenerationSettings } from '../../config/generation-settings.ts';
import { nameOwners } from '../../domain/name/name-owners.ts';
import type { TokenCounter } from '../../ports/token-counter.ts';
import { createSnapshots } from '../../records/snapshots.ts';
import { tellContacts } from '../../records/told-contacts.ts';
import { createBatchRunner } from '../../runtime/commands/batch-runner.ts';
import { createCommandRunner } from '../../runtime/commands/command-runner.ts';
import { gatherAppends } from '../../runtime/commands/gathered-appends.ts';
import { measuredAppends } from '../../runtime/measuring/measured-appends.ts';
import { createLiveReadModels } from '../../runtime/projector/live-read-models.ts';
import { whenReachable } from '../../runtime/resilience/when-reachable.ts';
import { createWorkMeters, type WorkMemory } from '../metrics/work-meters.ts';
import { createReleaseHint } from '../release-hint.ts';
import { startFetching } from '../start-fetching.ts';
import { startGenerating } from '../start-generating.ts';
import { closeJobs, startJobs } from '../start-jobs.ts';
import { openFetchingStores, type SharedWriters } from '../stores/stores.ts';
import { createProjectedStamp } from './projected-stamp.ts';
import { createReadingThread } from './reading-thread.ts';

export interface FetchingThreadData {
  readonly backends: BackendSettings;
  readonly fetching: FetchSettings;
  /** Without it nothing is written about releases. */
  readonly generation: GenerationSettings | undefined;
  readonly webBaseUrl: string;
  readonly logLevel: string;
  /** Names the fetcher of this process; a thread that follows a dead one goes on with its leases. */
  readonly holder: string;
  /** What the threads of the process count together. */
  readonly meters: WorkMemory;
  /** Changes with what the projector of this process writes, if it has one. */
  readonly stamp?: SharedArrayBuffer;
}

/** Besides, the writers of the process. */
export interface SharedWithFetching {
  readonly writers: SharedWriters;
}

export type FetchingThreadCalls = {
  /** Something is due that was not a moment ago. */
  wake: (input: null) => void;
};

/**
 * Nobody waits for this thread, so it counts by itself: a thread beside it would take more memory. The tables are loaded
 * with the first texts: where nothing is fetched, or not yet, they would be half of what this thread takes.
 */
const ownTokenCounter: TokenCounter = {
  countMany: async (texts) => {
    const { countTokens } = await import('../../adapters/tokenizer/count-tokens.ts');
    return texts.map(countTokens);
  },
  close: async () => undefined,
};

/** What fetches find is stored that much later, together: they come at most every few hours, and nobody waits for one. */
const storedTogetherMs = 50;

await serveThread<FetchingThreadCalls>(async () => {
  stepAside('unasked');
  const { writers, ...data } = workerData as FetchingThreadData & SharedWithFetching;
  const { backends, fetching, generation, webBaseUrl, logLevel, holder, stamp } = data;
  const clock = systemClock;
  const log = createLog({ level: logLevel });
  // Started again in the middle of an outage, it waits for the end of it, however long.
  const options = { ...backends, clock, log, onFatal: dieOf };
  const waiting = { clock, waitMs: Number.POSITIVE_INFINITY };
  const stores = await whenReachable(() => openFetchingStores(options, writers), waiting);
  const meters = createWorkMeters(data.meters);
  const { readModels, ops } = stores;
  const store = measuredAppends(stores.eventStore, meters.appends, systemStopwatch);
  const projected = stamp && createProjectedStamp(stamp);
  const live = createLiveReadModels(readModels, allProjections, clock, { ...(projected && { projected }) });
  const snapshots = createSnapshots({ ops, clock, log });
  const deciding = { store, clock, random: systemRandom, snapshots };
  const commands = createCommandRunner({ ...deciding, nameOwners });
  const hint = backends.eventStoreUrl === undefined ? undefined : createReleaseHint(live, log);
  const fetched = gatherAppends(store, { clock, withinMs: storedTogetherMs });
  const batches = createBatchRunner({ ...deciding, store: fetched, hint });
  const http = createHttpClient();
  const reading = createReadingThread({ settings: fetching, clock, onFatal: dieOf });

  const common = { ops, live, commands, clock, log, holder, webBaseUrl };
  const parts = {
    ...common,
    ops: projected === undefined ? ops : tellContacts(ops, projected.touch),
    eventStore: store,
    batches,
    tokenCounter: ownTokenCounter,
    fetchers: reading.fetchers,
    random: systemRandom,
    onFetched: meters.fetches.add,
  };
  const fetches = await whenReachable(() => startFetching(parts, fetching), waiting);
  for (const { done } of fetches.parts) done.catch(dieOf);
  const generating = { ...common, store, snapshots, http, extractive: reading.extractive };
  const generator = generation === undefined ? null : startGenerating(generating, generation);
  generator?.done.catch(dieOf);
  // A purge waits for each of its steps, so these are not stored later than they must.
  const steps = createBatchRunner({ ...deciding, hint });
  const told = { ...common, snapshots, random: systemRandom, requests: meters.requests.value };
  const deps = { ...told, stores: { ...stores, eventStore: store }, batches: steps };
  const jobs = await whenReachable(() => startJobs(deps), waiting);
  for (const { done } of jobs) done.catch(dieOf);
  return {
    calls: { wake: fetches.wake },
    close: () =>
      closeInTurn([
        ...fetches.parts.map(({ close }) => close),
        ...(generator === null ? [] : [generator.close]),
        () => closeJobs(jobs),
        ...[reading.close, http.close, snapshots.settled, stores.close],
      ]),
  };
});
