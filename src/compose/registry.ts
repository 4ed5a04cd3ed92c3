import { hostname } from 'node:os';
import { abandonChangelogText } from '../../commands/changelog/abandon-changelog-text.ts';
import { dateRelease } from '../../commands/release/date-release.ts';
import { allProjections, generatedTextProjections, textProjections } from '../../projections/all-projections.ts';
import { pendingProjection } from '../../projections/pending/pending.ts';
import { createLog } from '../adapters/system/log.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import { createHttpClient } from '../adapters/undici/http-client.ts';
import { createTokenCounter } from '../adapters/tokenizer/token-counter.ts';
import { closeInTurn } from '../concurrency/close-in-turn.ts';
import { prepareBus } from './prepare-bus.ts';
import { createKeptCatalogue, type KeptCatalogue } from '../catalogue/kept-catalogue.ts';
import type { DeliverySettings } from './threads/delivery-worker.ts';
import { openReachable, openStores, type OpenStoresOptions } from './open-stores.ts';
import type { Stores } from './stores.ts';
import { createReleaseHint } from './release-hint.ts';
import { startSweeping } from './start-daily-sweep.ts';
import { assertFetchable } from './source-fetchers.ts';
import { startPurging } from './start-purging.ts';
import type { FetchSettings } from '../config/fetch-settings.ts';
import { assertProvider } from './start-generating.ts';
import type { GenerationSettings } from '../config/generation-settings.ts';
import { type Role, allRoles } from '../config/settings.ts';
import { namesText } from '../domain/changelog/state.ts';
import { nameOwners } from '../domain/name/name-owners.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Log } from '../ports/log.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { startDeliveryThread } from './threads/delivery-thread.ts';
import { createProjectedStamp } from './threads/projected-stamp.ts';
import { beginFetchingThread } from './threads/fetching-thread.ts';
import { startProjectorThread } from './threads/projector-thread.ts';
import { type BatchRunner, createBatchRunner } from '../runtime/commands/batch-runner.ts';
import { type CommandRunner, createCommandRunner } from '../runtime/commands/command-runner.ts';
import { startAbandonedGenerations } from '../runtime/jobs/abandoned-generations.ts';
import { startDueDates } from '../runtime/jobs/due-dates.ts';
import { startEraser, waitUntilErased } from '../runtime/jobs/eraser.ts';
import { createScrubTexts } from '../runtime/jobs/scrub-texts.ts';
import { startExpirySweeper } from '../runtime/jobs/expiry-sweeper.ts';
import { startTextSweeper } from '../runtime/jobs/text-sweeper.ts';
import { startLiveLooks } from '../runtime/projector/live-looks.ts';
import { createLiveReadModels, type LiveReadModels } from '../runtime/projector/live-read-models.ts';
import { startPresence } from '../runtime/resilience/presence.ts';
import { createSeal } from '../records/seal.ts';
import { createSnapshots } from '../records/snapshots.ts';
import { requireSameSecretKey } from '../records/secret-key-mark.ts';

export interface RegistryOptions extends OpenStoresOptions {
  /** What runs in this process; all of it when absent. */
  readonly roles?: readonly Role[] | undefined;
  readonly logLevel: string;
  /** Public address of the web pages, without a slash at the end. */
  readonly webBaseUrl: string;
  /** Without it this process neither publishes nor delivers, whatever its roles. */
  readonly delivery?: DeliverySettings | undefined;
  /** Without it this process fetches nothing, whatever its roles. */
  readonly fetching?: FetchSettings | undefined;
  /** Without it and `fetching` this process writes no overviews and summaries, whatever its roles. */
  readonly generation?: GenerationSettings | undefined;
}

export interface Registry extends Stores {
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly tokenCounter: TokenCounter;
  readonly live: LiveReadModels;
  readonly catalogues: KeptCatalogue;
  /** To third parties. */
  readonly http: HttpClient;
  /** Changes with everything that the projector of this process writes. */
  readonly projectedStamp: () => number;
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

/** A command that no caller has asked for. */
const systemRequest = (part: string): CommandRequest => {
  const commandId = systemIds.commandId();
  return { commandId, actor: `system:${part}`, cause: 'system', correlationId: commandId };
};

/** Waits for every one of them, so that nothing is still starting when the first failure is thrown. */
async function allStarted<Starting extends readonly Promise<unknown>[]>(
  starting: Starting,
): Promise<{ -readonly [Index in keyof Starting]: Awaited<Starting[Index]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

/** Everything that runs in one process. */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { backends, logLevel, onFatal, webBaseUrl, roles = allRoles, delivery, fetching, generation } = options;
  const clock = systemClock;
  const log = createLog({ level: logLevel });
  const supervision = { clock, log, onFatal };
  const stores = await openStores({ ...options, log });
  const { eventStore: store, readModels, ops } = stores;
  const instance = `${hostname()}:${process.pid}:${systemIds.commandId()}`;
  const closers: (() => Promise<void>)[] = [stores.close];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeInTurn([...closers].reverse()));
  const run = (part: { readonly done: Promise<void>; readonly close: () => Promise<void> }) => {
    part.done.catch(onFatal);
    closers.push(part.close);
  };

  const http = createHttpClient();
  closers.push(http.close);
  const stamp = createProjectedStamp();
  // Without a projector it never changes, and those who wait have to ask the stores.
  const projects = roles.includes('projector');
  const live = createLiveReadModels(readModels, allProjections, clock, {
    handOverMs,
    ...(projects && { stamp: stamp.value }),
  });
  const catalogues = createKeptCatalogue();
  const snapshots = createSnapshots({ ops, clock, log });
  closers.push(snapshots.settled);
  const deciding = { store, clock, random: systemRandom, snapshots };
  const commands = createCommandRunner({ ...deciding, nameOwners });
  // Over the network an absent stream costs a call; in the embedded store it costs no more than the hint would.
  const hint = backends.eventStoreUrl === undefined ? undefined : createReleaseHint(live, log);
  const batches = createBatchRunner({ ...deciding, hint });

  /** It takes as long as the threads take to start. Whoever reads first waits for it, and tries again when it failed. */
  function beginCatalogue(): void {
    const loading = live.current().then((models) => models && catalogues.of(models));
    loading.catch((error: unknown) => log.warn('the catalogue was not loaded ahead', { error }));
  }

  async function startProjecting(): Promise<Registry['checks']> {
    const holder = `projector:${instance}`;
    const data = { backends, logLevel, holder, stamp: stamp.memory };
    const projector = await startProjectorThread({ data, ...supervision });
    closers.push(projector.close);
    const projections = async () => {
      const [failed] = await projector.failures();
      if (failed !== undefined) throw new Error(failed.message);
    };
    return { projections };
  }

  async function startDelivering(): Promise<Registry['checks']> {
    const runs = (['relay', 'deliverer'] as const).filter((role) => roles.includes(role));
    if (runs.length === 0 || delivery === undefined) return {};
    const holder = `delivery:${instance}`;
    const data = { backends, delivery, runs, logLevel, holder, ...(projects && { stamp: stamp.memory }) };
    const reach = <T>(call: () => Promise<T>) => openReachable(options, call);
    const { busId, check: messageBus } = await prepareBus({ stores, data, clock, log, reach });
    const { shareOpsWriter } = stores;
    const thread = await startDeliveryThread({ data: { ...data, busId }, shareOpsWriter, ...supervision });
    closers.push(thread.close);
    return { delivery: thread.check, messageBus };
  }

  async function startCounting(): Promise<TokenCounter> {
    const tokenCounter = await createTokenCounter({ onFatal });
    closers.push(tokenCounter.close);
    return tokenCounter;
  }

  function beginFetching(): () => void {
    if (fetching === undefined || !roles.includes('fetcher')) return () => {};
    assertFetchable(systemResolver, fetching);
    if (generation !== undefined) assertProvider(generation);
    const holder = `fetcher:${instance}`;
    const told = { backends, fetching, generation, webBaseUrl, logLevel, holder };
    const data = { ...told, ...(projects && { stamp: stamp.memory }) };
    const { shareOpsWriter, shareEventWriter } = stores;
    const thread = beginFetchingThread({ data, shareOpsWriter, shareEventWriter, ...supervision });
    closers.push(thread.close);
    return thread.wake;
  }

  async function startJobs(): Promise<void> {
    const holder = `main:${instance}`;
    const holding = [...textProjections, ...generatedTextProjections];
    const scrubTexts = createScrubTexts({
      live: createLiveReadModels(readModels, holding, clock),
      readModels,
      holding,
    });
    run(startEraser({ store, ops, snapshots, clock, log, holder, scrubTexts }));
    run(startAbandonedGenerations({ readModels, projections: allProjections, clock, log }));
    run(
      startDueDates({
        ops,
        clock,
        log,
        holder,
        pending: async () => (await live.current())?.of(pendingProjection) ?? null,
        dateRelease: async (releaseId) => {
          await commands.run(dateRelease, { releaseId, webBaseUrl }, systemRequest('due-dates'));
        },
      }),
    );
    run(startExpirySweeper({ ops, clock, log }));
    run(
      startTextSweeper({
        store,
        ops,
        clock,
        log,
        holder,
        abandonText: async (sourceId, key) => {
          const { state } = await commands.run(abandonChangelogText, { sourceId, key }, systemRequest('text-sweeper'));
          return !namesText(state, key);
        },
      }),
    );
    const request = () => systemRequest('daily-sweep');
    run(await startSweeping({ ops, live, commands, clock, log, holder, request }));
    run(await startPurging({ ...deciding, readModels, ops, commands, batches, log, holder }));
  }

  try {
    run(startLiveLooks({ live, clock, log }));
    run(await startPresence({ leases: ops.leases, clock, log, holder: instance }));
    if (delivery !== undefined) await requireSameSecretKey(ops, createSeal(delivery.secretKey, systemRandom));
    if (roles.includes('http')) beginCatalogue();
    // Together: each of them starts threads, and a start shall not be the sum of their times.
    const [projecting, delivering, tokenCounter] = await allStarted([
      projects ? startProjecting() : Promise.resolve({}),
      startDelivering(),
      startCounting(),
    ] as const);
    if (roles.includes('fetcher')) await startJobs();
    const wakeFetching = beginFetching();
    return {
      ...stores,
      commands,
      batches,
      tokenCounter,
      live,
      catalogues,
      http,
      projectedStamp: stamp.value,
      log,
      checks: { ...projecting, ...delivering },
      erased: (position) => waitUntilErased({ ops, clock }, position),
      wakeFetching,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
