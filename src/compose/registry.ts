import { hostname } from 'node:os';
import { allProjections } from '../../projections/all-projections.ts';
import { createLog } from '../adapters/system/log.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import { systemStopwatch } from '../adapters/system/stopwatch.ts';
import { createHttpClient } from '../adapters/undici/http-client.ts';
import { createTokenCounter } from '../adapters/tokenizer/token-counter.ts';
import { closeInTurn } from '../concurrency/close-in-turn.ts';
import { createShortTurns } from '../concurrency/short-turns.ts';
import { prepareBus } from './prepare-bus.ts';
import type { ReadReleases } from '../catalogue/instants/read-releases.ts';
import { catalogueReads } from '../catalogue/catalogue.ts';
import { createKeptCatalogue, type KeptCatalogue } from '../catalogue/kept-catalogue.ts';
import type { DeliverySettings } from './threads/delivery-worker.ts';
import { createWorkMeters, type WorkMeters } from './metrics/work-meters.ts';
import { openReachable, openStores, type OpenStoresOptions } from './stores/open-stores.ts';
import type { Stores } from './stores/stores.ts';
import { createReleaseHint } from './release-hint.ts';
import { beginSearching } from './begin-searching.ts';
import { assertFetchable } from './source-fetchers.ts';
import { type RunningPart, startJobs } from './start-jobs.ts';
import type { EmbeddingSettings } from '../config/embedding-settings.ts';
import type { FetchSettings } from '../config/fetch-settings.ts';
import { assertProvider } from './start-generating.ts';
import type { GenerationSettings } from '../config/generation-settings.ts';
import { type Role, allRoles } from '../config/settings.ts';
import { nameOwners } from '../domain/name/name-owners.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Log } from '../ports/log.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { beginDeliveryThread } from './threads/delivery-thread.ts';
import { createProjectedStamp, type ProjectedStamp, toldWrites } from './threads/projected-stamp.ts';
import { createToldDocuments } from './threads/told-documents.ts';
import { beginFetchingThread } from './threads/fetching-thread.ts';
import { startProjectorThread } from './threads/projector-thread.ts';
import { type BatchRunner, createBatchRunner } from '../runtime/commands/batch-runner.ts';
import { type CommandRunner, createCommandRunner } from '../runtime/commands/command-runner.ts';
import { measuredAppends } from '../runtime/measuring/measured-appends.ts';
import { waitUntilErased } from '../runtime/jobs/eraser-progress.ts';
import { startLiveLooks } from '../runtime/projector/live-looks.ts';
import { createLiveReadModels, type LiveReadModels } from '../runtime/projector/live-read-models.ts';
import { startPresence } from '../runtime/resilience/presence.ts';
import type { SearchReading } from '../search/search-reading.ts';
import { createSeal } from '../records/secrets/seal.ts';
import { createSnapshots } from '../records/snapshots.ts';
import { requireSameSecretKey } from '../records/secrets/secret-key-mark.ts';

export interface RegistryOptions extends OpenStoresOptions {
  /** What runs in this process; all of it when absent. */
  readonly roles?: readonly Role[] | undefined;
  readonly logLevel: string;
  /** Public address of the web pages, without a slash at the end. */
  readonly webBaseUrl: string;
  /** Without it this process neither publishes nor delivers, whatever its roles. */
  readonly delivery?: DeliverySettings | undefined;
  /**
   * Without it this process fetches nothing, whatever its roles; and the jobs of the fetcher run on the thread that answers
   * requests, for there is no other.
   */
  readonly fetching?: FetchSettings | undefined;
  /** Without it this process neither indexes nor searches, whatever its roles. */
  readonly embedding?: EmbeddingSettings | undefined;
  /** How the catalogue gets the releases; on the thread that answers requests when absent. */
  readonly readReleases?: ReadReleases | undefined;
  /** Without it and `fetching` this process writes no overviews and summaries, whatever its roles. */
  readonly generation?: GenerationSettings | undefined;
}

/** What can be known of the work in this process. */
export interface RegistryMeasures {
  readonly roles: readonly Role[];
  readonly meters: WorkMeters;
  /** How far the relay is, and null while another process relays; null where none runs here. */
  readonly relayPosition: (() => Promise<number | null>) | null;
  /** The same for what feeds the search index. */
  readonly searchPosition: (() => Promise<number | null>) | null;
  /** Whether a lesser model than is wanted embeds queries; null where nothing is embedded. */
  readonly isEmbedderReplaced: (() => Promise<boolean | null>) | null;
}

export interface Registry extends Stores {
  readonly measures: RegistryMeasures;
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly tokenCounter: TokenCounter;
  readonly live: LiveReadModels;
  readonly catalogues: KeptCatalogue;
  readonly search: SearchReading;
  /** To third parties. */
  readonly http: HttpClient;
  /** What the projector of this process has written; whoever finds out what another one has touches that. */
  readonly projected: Pick<ProjectedStamp, 'value' | 'switches' | 'isTouchedSince' | 'touch' | 'position'>;
  readonly log: Log;
  /** What must work beside the stores, by name; a check that fails throws. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Resolves when the text that the erasure at this position names is in no file any more. */
  readonly erased: (position: number) => Promise<void>;
  /** A source is due that was not a moment ago; nobody here has to care where fetching is left to other processes. */
  readonly wakeFetching: () => void;
}

/** Long enough for a newer process to load and for whoever sends it requests to find out, also by looks every 10 s. */
const handOverMs = 30_000;

/** Waits for every one of them, so that nothing is still starting when the first failure is thrown. */
async function allStarted<Starting extends readonly Promise<unknown>[]>(
  starting: Starting,
): Promise<{ -readonly [Index in keyof Starting]: Awaited<Starting[Index]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

/** Everything that runs in one process. */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const {
    backends,
    logLevel,
    onFatal,
    webBaseUrl,
    roles = allRoles,
    delivery,
    fetching,
    generation,
    embedding,
    readReleases,
  } = options;
  const clock = systemClock;
  const log = createLog({ level: logLevel });
  const ending = new AbortController();
  const supervision = { clock, log, onFatal, ending: ending.signal };
  const meters = createWorkMeters();
  const opened = await openStores({ ...options, log, searches: roles.includes('http') });
  const stores = { ...opened, eventStore: measuredAppends(opened.eventStore, meters.appends, systemStopwatch) };
  const { eventStore: store, readModels, ops } = stores;
  const instance = `${hostname()}:${process.pid}:${systemIds.commandId()}`;
  const closers: (() => Promise<void>)[] = [stores.close];
  let closing: Promise<void> | undefined;
  const close = () => {
    ending.abort();
    return (closing ??= closeInTurn([...closers].reverse()));
  };
  const run = (part: RunningPart) => {
    part.done.catch(onFatal);
    closers.push(part.close);
  };

  const http = createHttpClient();
  closers.push(http.close);
  const tokenCounter = createTokenCounter({ onFatal });
  closers.push(tokenCounter.close);
  const stamp = createProjectedStamp();
  // Without a projector it never changes, and those who wait have to ask the stores.
  const projects = roles.includes('projector');
  const live = createLiveReadModels(readModels, allProjections, clock, {
    handOverMs,
    ...(projects && { projected: stamp }),
  });
  const told = projects && roles.includes('http') ? createToldDocuments(catalogueReads.map(({ name }) => name)) : null;
  const catalogues = createKeptCatalogue({
    ...(told && { told: toldWrites(stamp, told) }),
    readReleases,
    takeTurn: createShortTurns(clock),
  });
  const snapshots = createSnapshots({ ops, clock, log });
  closers.push(snapshots.settled);
  const deciding = { store, clock, random: systemRandom, snapshots };
  const commands = createCommandRunner({ ...deciding, nameOwners });
  // Over the network an absent stream costs a call; in the embedded store it costs no more than the hint would.
  const hint = backends.eventStoreUrl === undefined ? undefined : createReleaseHint(live, log);
  const batches = createBatchRunner({ ...deciding, hint });

  /**
   * It takes as long as the threads take to start. Whoever reads first waits for it, and tries again when it failed. Answers
   * when that is over, however it ended.
   */
  async function loadCatalogue(): Promise<void> {
    try {
      const models = await live.current();
      if (models !== null) await catalogues.of(models);
    } catch (error) {
      log.warn('the catalogue was not loaded ahead', { error });
    }
  }

  async function startProjecting(): Promise<Registry['checks']> {
    const holder = `projector:${instance}`;
    const data = { backends, logLevel, holder, stamp: stamp.memory };
    const projector = await startProjectorThread({ data, ...(told && { told }), ...supervision });
    closers.push(projector.close);
    const projections = async () => {
      const [failed] = await projector.failures();
      if (failed !== undefined) throw new Error(failed.message);
    };
    return { projections };
  }

  async function prepareDelivering(after: Promise<void>): Promise<{
    readonly checks: Registry['checks'];
    readonly relayPosition: RegistryMeasures['relayPosition'];
  }> {
    const runs = (['relay', 'deliverer'] as const).filter((role) => roles.includes(role));
    if (runs.length === 0 || delivery === undefined) return { checks: {}, relayPosition: null };
    const holder = `delivery:${instance}`;
    const told = { backends, delivery, runs, logLevel, holder, meters: meters.memory };
    const data = { ...told, ...(projects && { stamp: stamp.memory }) };
    const reach = <T>(call: () => Promise<T>) => openReachable(options, call);
    const { busId, check: messageBus } = await prepareBus({ stores, data, clock, log, reach });
    const { shareOpsWriter } = stores;
    const thread = beginDeliveryThread({ data: { ...data, busId }, after, shareOpsWriter, ...supervision });
    closers.push(thread.close);
    const relayPosition = runs.includes('relay') ? thread.relayPosition : null;
    return { checks: { delivery: thread.check, messageBus }, relayPosition };
  }

  function beginFetching(after: Promise<void>): () => void {
    if (fetching === undefined || !roles.includes('fetcher')) return () => {};
    assertFetchable(systemResolver, fetching);
    if (generation !== undefined) assertProvider(generation);
    const holder = `fetcher:${instance}`;
    const told = { backends, fetching, generation, webBaseUrl, logLevel, holder, meters: meters.memory };
    const data = { ...told, ...(projects && { stamp: stamp.memory }) };
    const { shareOpsWriter, shareEventWriter } = stores;
    const thread = beginFetchingThread({ data, after, shareOpsWriter, shareEventWriter, ...supervision });
    closers.push(thread.close);
    return thread.wake;
  }

  try {
    run(startLiveLooks({ live, clock, log }));
    run(await startPresence({ leases: ops.leases, clock, log, holder: instance }));
    if (delivery !== undefined) await requireSameSecretKey(ops, createSeal(delivery.secretKey, systemRandom));
    const catalogueLoaded = roles.includes('http') ? loadCatalogue() : Promise.resolve();
    // Together: each of them starts threads, and a start shall not be the sum of their times.
    const [projecting, delivering] = await allStarted([
      projects ? startProjecting() : Promise.resolve({}),
      prepareDelivering(catalogueLoaded),
    ] as const);
    if (roles.includes('fetcher') && fetching === undefined) {
      const holder = `main:${instance}`;
      const requests = meters.requests.value;
      const runs = { commands, batches, snapshots, random: systemRandom };
      const jobs = { ...runs, stores, live, clock, log, holder, webBaseUrl, requests };
      for (const part of await startJobs(jobs)) run(part);
    }
    const wakeFetching = beginFetching(catalogueLoaded);
    const searching = beginSearching({
      ...{ stores, backends, embedding, roles, logLevel, supervision },
      holder: `search:${instance}`,
      ...(projects && { stamp: stamp.memory }),
      catalogueLoaded,
      isClosing: () => closing !== undefined,
      onStarted: (closeThread) => void closers.push(closeThread),
    });
    return {
      ...stores,
      commands,
      batches,
      tokenCounter,
      live,
      catalogues,
      search: searching.search,
      http,
      projected: stamp,
      log,
      checks: { ...projecting, ...delivering.checks, ...searching.checks },
      measures: {
        roles,
        meters,
        relayPosition: delivering.relayPosition,
        searchPosition: searching.position,
        isEmbedderReplaced: searching.isEmbedderReplaced,
      },
      erased: (position) => waitUntilErased({ ops, clock }, position),
      wakeFetching,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
