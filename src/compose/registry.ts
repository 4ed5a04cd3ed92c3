import { hostname } from 'node:os';
import { dateRelease } from '../../commands/release/date-release.ts';
import { allProjections } from '../../projections/all-projections.ts';
import { createLog } from '../adapters/system/log.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { createTokenCounter } from '../adapters/tokenizer/token-counter.ts';
import { unreachableSentence } from '../config/unreachable-sentence.ts';
import { closeInTurn } from '../concurrency/close-in-turn.ts';
import { type DeliveryOptions, startDelivery } from './delivery.ts';
import type { BackendSettings } from '../config/backend-settings.ts';
import { openAllStores, type Stores } from './stores.ts';
import { allRoles, type Role } from '../config/settings.ts';
import { nameOwners } from '../domain/name/name-owners.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { createEventCodec } from '../kernel/event-codec.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { Log } from '../ports/log.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { startProjectorThread } from './threads/projector-thread.ts';
import { type BatchRunner, createBatchRunner } from '../runtime/commands/batch-runner.ts';
import { type CommandRunner, createCommandRunner } from '../runtime/commands/command-runner.ts';
import { startDueDates } from '../runtime/jobs/due-dates.ts';
import { eraserPosition, startEraser, waitUntilErased } from '../runtime/jobs/eraser.ts';
import { startExpirySweeper } from '../runtime/jobs/expiry-sweeper.ts';
import { codeGenerationOf } from '../runtime/projector/generations.ts';
import { createLiveReadModels, type LiveReadModels } from '../runtime/projector/live-read-models.ts';
import { relayPosition } from '../runtime/relay/relay-checkpoint.ts';
import { createSeal } from '../records/seal.ts';
import { requireSameSecretKey } from '../records/secret-key-mark.ts';
import {
  checkCheckpoint,
  checkIdentity,
  foundedAt,
  foundOrReadIdentity,
  readIdentity,
  requireUnused,
} from '../runtime/copying/store-identity.ts';
import { whenReachable } from '../runtime/resilience/when-reachable.ts';

interface OpenStoresOptions extends BackendSettings {
  /** How long a back end that cannot be reached yet is waited for. */
  readonly waitMs?: number | undefined;
  readonly onWait?: ((error: BackendUnavailable) => void) | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Told what an operator should know about how the stores fit together. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  readonly log?: Log;
  /** A part died that the service cannot go on without. */
  readonly onFatal: (error: Error) => void;
}

export interface RegistryOptions extends OpenStoresOptions {
  /** What runs in this process; all of it when absent. */
  readonly roles?: readonly Role[] | undefined;
  readonly logLevel: string;
  /** Public address of the web pages, without a slash at the end. */
  readonly webBaseUrl: string;
  /** Without it this process neither publishes nor delivers, whatever its roles. */
  readonly delivery?: DeliveryOptions | undefined;
}

export interface Registry extends Stores {
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly tokenCounter: TokenCounter;
  readonly live: LiveReadModels;
  readonly log: Log;
  /** What must work beside the stores, by name; a check that fails throws. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Resolves when the text that the erasure at this position names is in no file any more. */
  readonly erased: (position: number) => Promise<void>;
}

/** The stores, checked against each other; nothing runs yet. */
export const openStores = (options: OpenStoresOptions): Promise<Stores> =>
  openReachable(options, () => openCheckedStores(options));

async function openReachable<T>(options: OpenStoresOptions, open: () => Promise<T>): Promise<T> {
  const { waitMs = 0, onWait, signal } = options;
  const startedMs = systemClock.nowMs();
  try {
    return await whenReachable(open, { clock: systemClock, waitMs, onWait, signal });
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    const waitedMs = systemClock.nowMs() - startedMs;
    throw new StartupError(unreachableSentence(error.backend, options, waitedMs), { cause: error });
  }
}

/** The stores with every event as it is stored, old versions too: for copying. Nothing is founded or checked. */
export const openRawStores = (options: OpenStoresOptions): Promise<Stores> =>
  openReachable(options, () => openAllStores({ ...options, clock: systemClock, codec: createEventCodec() }));

async function openCheckedStores(options: OpenStoresOptions): Promise<Stores> {
  const stores = await openAllStores({ ...options, clock: systemClock });
  try {
    await checkStores(stores, options.onNotice);
    return stores;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function checkStores(
  { eventStore: store, readModels, ops }: Stores,
  onNotice: OpenStoresOptions['onNotice'],
): Promise<void> {
  const identified = { 'read models': readModels, 'operational data': ops };
  if ((await readIdentity(store)) === null) await requireUnused(store, identified);
  const registryId = await foundOrReadIdentity({ store, ids: systemIds, clock: systemClock });
  if ((await ops.identity()) === null && (await store.head()) > (await foundedAt(store))) {
    onNotice?.(
      'the operational store is new, but the registry is not: what it knew (signing keys of webhooks, deliveries, answers ' +
        'kept for repeats, contacts with sources, the fetch log) is not here; `registry migrate` moves it along',
    );
  }
  await checkIdentity(registryId, identified);
  const pointers = await readModels.pointers();
  // The head last: what the others have seen meanwhile is in the event store by then.
  const seen: [string, number][] = [
    ['The operational store', Math.max(await eraserPosition(ops), await relayPosition(ops))],
  ];
  for (const projection of allProjections) {
    const { name, indexes } = projection;
    const generation = pointers[name];
    // One made by other folds may have other indexes; it is left to the processes that know them.
    if (generation === undefined || codeGenerationOf(generation) !== projection.generation) continue;
    const model = await readModels.open({ name, generation, indexes });
    seen.push([`The read model ${name}`, await model.checkpoint()]);
  }
  const head = await store.head();
  for (const [name, position] of seen) checkCheckpoint(name, position, head);
}

/** Waits for every one of them, so that nothing is still starting when the first failure is thrown. */
async function allStarted<Starting extends readonly Promise<unknown>[]>(
  starting: Starting,
): Promise<{ -readonly [Index in keyof Starting]: Awaited<Starting[Index]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

/** Longer than a projector needs to be replaced by another one. */
const scrubWaitMs = 15_000;

/** Everything that runs in one process. */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { logLevel, onFatal, webBaseUrl, roles = allRoles, delivery } = options;
  const clock = systemClock;
  const log = createLog({ level: logLevel });
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

  const live = createLiveReadModels(readModels, allProjections, clock);
  const commands = createCommandRunner({ store, clock, random: systemRandom, nameOwners });
  const batches = createBatchRunner({ store, clock, random: systemRandom });

  async function startProjecting(): Promise<Registry['checks']> {
    const holder = `projector:${instance}`;
    const projector = await startProjectorThread({ ...options, holder, clock, log });
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
    const reach = <T>(call: () => Promise<T>) => openReachable(options, call);
    const started = await startDelivery({
      ...options,
      backends: options,
      options: delivery,
      stores,
      runs,
      holder,
      clock,
      log,
      reach,
    });
    closers.push(started.close);
    return started.checks;
  }

  async function startCounting(): Promise<TokenCounter> {
    const tokenCounter = await createTokenCounter({ onFatal });
    closers.push(tokenCounter.close);
    return tokenCounter;
  }

  function startJobs(): void {
    const holder = `main:${instance}`;
    const scrub = async (position: number) => {
      const names = allProjections.map(({ name }) => name);
      if (!(await live.waitFor(names, position, scrubWaitMs)))
        throw new Error('a read model has not passed an erasure');
      await readModels.scrub();
    };
    run(startEraser({ store, ops, clock, log, holder, scrub }));
    run(
      startDueDates({
        ops,
        clock,
        log,
        holder,
        pending: async () => (await live.current())?.get('pending') ?? null,
        dateRelease: async (releaseId) => {
          const commandId = systemIds.commandId();
          const request = { commandId, actor: 'system:due-dates', cause: 'system', correlationId: commandId } as const;
          await commands.run(dateRelease, { releaseId, webBaseUrl }, request);
        },
      }),
    );
    run(startExpirySweeper({ ops, clock, log }));
  }

  try {
    if (delivery !== undefined) await requireSameSecretKey(ops, createSeal(delivery.secretKey, systemRandom));
    // Together: each of them starts threads, and a start shall not be the sum of their times.
    const [projecting, delivering, tokenCounter] = await allStarted([
      roles.includes('projector') ? startProjecting() : Promise.resolve({}),
      startDelivering(),
      startCounting(),
    ] as const);
    if (roles.includes('fetcher')) startJobs();
    return {
      ...stores,
      commands,
      batches,
      tokenCounter,
      live,
      log,
      checks: { ...projecting, ...delivering },
      erased: (position) => waitUntilErased({ ops, clock }, position),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
