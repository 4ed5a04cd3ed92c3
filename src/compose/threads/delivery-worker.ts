import { workerData } from 'node:worker_threads';
import { disableWebhook } from '../../../commands/webhook/disable-webhook.ts';
import { allProjections } from '../../../projections/all-projections.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { withdrawnReleases, withdrawnReleasesReads } from '../../../queries/releases/withdrawn-releases.ts';
import type { SharedOpsWriter } from '../../adapters/embedded/operational-store/writer-client.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemIds } from '../../adapters/system/ids.ts';
import { createLog } from '../../adapters/system/log.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import { systemResolver } from '../../adapters/system/resolver.ts';
import { dieOf, serveThread } from '../../adapters/threads/serve-thread.ts';
import { createHttpClient } from '../../adapters/undici/http-client.ts';
import { closeInTurn } from '../../concurrency/close-in-turn.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { createWorkMeters, type WorkMemory } from '../metrics/work-meters.ts';
import { openDeliveryStores, openEventStore, type Stores } from '../stores/stores.ts';
import { retryDelays } from '../../delivery/retry-delays.ts';
import { createTargetGuard } from '../../delivery/target-guard.ts';
import { nameOwners } from '../../domain/name/name-owners.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import { createCommandRunner } from '../../runtime/commands/command-runner.ts';
import { startDeliverer } from '../../runtime/deliverer/deliverer.ts';
import { createBatchedCalls } from '../../concurrency/batched-calls.ts';
import { createLiveReadModels, type LiveReadModels } from '../../runtime/projector/live-read-models.ts';
import { createProjectedStamp } from './projected-stamp.ts';
import { startRelay } from '../../runtime/relay/relay.ts';
import { createSeal } from '../../records/secrets/seal.ts';
import { createSigningKeys } from '../../records/secrets/signing-keys.ts';
import { readRegistryId } from '../../runtime/copying/store-identity.ts';
import { whenReachable } from '../../runtime/resilience/when-reachable.ts';

export interface DeliverySettings {
  /** 32 bytes; opens the sealed signing keys. */
  readonly secretKey: Uint8Array;
  /** Webhooks may go to addresses that are not public. */
  readonly allowPrivateTargets: boolean;
  /** How long webhooks wait after each failure, as the settings spell it. */
  readonly retryDelays: readonly string[];
}

export interface DeliveryThreadData {
  readonly backends: BackendSettings;
  readonly delivery: DeliverySettings;
  readonly runs: readonly ('relay' | 'deliverer')[];
  readonly logLevel: string;
  /** Names relay and deliverer of this process; a thread that follows a dead one goes on with their leases. */
  readonly holder: string;
  /** Of the bus that the topics were ensured on. */
  readonly busId: string;
  /** What the threads of the process count together. */
  readonly meters: WorkMemory;
  /** Changes with what the projector of this process writes, if it has one. */
  readonly stamp?: SharedArrayBuffer;
}

/** Besides, the writer of the process; null when its operational store lies elsewhere. */
type ToldData = DeliveryThreadData & { readonly opsWriter: SharedOpsWriter | null };

export type DeliveryThreadCalls = {
  /** Why parts stand still. */
  failures: (input: null) => string[];
  /** How far the relay is; null while it does not run here, or another process relays. */
  relayPosition: (input: null) => number | null;
};

interface Part {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
  readonly failure?: () => Error | null;
  /** Of the relay. */
  readonly ownPosition?: () => number | null;
}

type Opened = Pick<Stores, 'eventStore' | 'ops'> & { readonly bus: MessageBus };

/** What a receiver may ask back for when it gets an announcement. */
const announcedReads = [releaseDetailProjection, releaseFeedProjection];

const deliveryReads = [...announcedReads, ...withdrawnReleasesReads];

/** Of one question whether they were withdrawn. */
const releasesAtOnceMax = 256;

async function startRelayPart(
  { holder, busId }: DeliveryThreadData,
  stores: Opened,
  live: LiveReadModels,
  log: Log,
): Promise<Part> {
  const { eventStore: store, ops, bus } = stores;
  const registryId = await readRegistryId(store);
  if (registryId === null) throw new Error('the event store holds no registry');
  return startRelay({
    store,
    ops,
    bus,
    clock: systemClock,
    log,
    holder,
    registryId,
    busId,
    waitForReadModels: (position, timeoutMs) => live.waitFor(announcedReads, position, timeoutMs),
    readModelsPosition: () => live.lowestPosition(announcedReads),
  });
}

/** Disabling is rare, so what appends is opened when it is needed first. */
function createDisabling(open: () => Promise<EventStore>) {
  let opening: Promise<EventStore> | null = null;
  return {
    disable: async (webhookId: string): Promise<string | null> => {
      opening ??= open().catch((error: unknown) => {
        opening = null; // the next one tries again
        throw error;
      });
      const store = await opening;
      const commands = createCommandRunner({ store, clock: systemClock, random: systemRandom, nameOwners });
      const commandId = systemIds.commandId();
      const request = { commandId, actor: 'system:deliverer', cause: 'system', correlationId: commandId } as const;
      const { state } = await commands.run(disableWebhook, { webhookId, reason: 'gone' }, request);
      return state.status === 'active' && state.disabledReason === 'gone' ? state.updatedAt : null;
    },
    close: async () => (await opening)?.close(),
  };
}

async function startDelivererPart(
  data: DeliveryThreadData,
  stores: Opened,
  live: LiveReadModels,
  log: Log,
): Promise<Part> {
  const { backends, delivery, holder, meters } = data;
  const { secretKey, allowPrivateTargets: allowPrivate } = delivery;
  const { eventStore: store, ops, bus } = stores;
  const signingKeys = await createSigningKeys({ ops, random: systemRandom, seal: createSeal(secretKey, systemRandom) });
  const http = createHttpClient();
  const disabling = createDisabling(() => openEventStore({ ...backends, clock: systemClock, onFatal: dieOf }, false));
  const isWithdrawn = createBatchedCalls(async (releaseIds: readonly string[]): Promise<boolean[]> => {
    const models = await live.current();
    if (models === null) return releaseIds.map(() => false);
    const withdrawn = await withdrawnReleases({ models }, { releaseIds });
    return releaseIds.map((id) => withdrawn.has(id));
  }, releasesAtOnceMax);
  const deliverer = startDeliverer({
    bus,
    ops,
    store,
    signingKeys,
    http,
    targets: createTargetGuard({ resolver: systemResolver, allowPrivate }),
    isWithdrawn,
    disable: disabling.disable,
    delays: retryDelays(delivery.retryDelays),
    clock: systemClock,
    random: systemRandom,
    log,
    holder,
    onOutcome: createWorkMeters(meters).deliveries.add,
  });
  return { done: deliverer.done, close: () => closeInTurn([deliverer.close, http.close, disabling.close]) };
}

await serveThread<DeliveryThreadCalls>(async () => {
  const { opsWriter, ...data } = workerData as ToldData;
  const { backends, runs, logLevel, stamp } = data;
  const log = createLog({ level: logLevel });
  // Started again in the middle of an outage, it waits for the end of it, however long.
  const options = { ...backends, clock: systemClock, log, onFatal: dieOf };
  const waiting = { clock: systemClock, waitMs: Number.POSITIVE_INFINITY };
  const stores = await whenReachable(() => openDeliveryStores(options, opsWriter), waiting);
  const opened: Opened = { ...stores, bus: await stores.openBus() };
  const live = createLiveReadModels(stores.readModels, allProjections, systemClock, {
    opened: deliveryReads,
    ...(stamp && { projected: createProjectedStamp(stamp) }),
  });
  const starts = { relay: startRelayPart, deliverer: startDelivererPart };
  const parts: Part[] = [];
  for (const name of runs) parts.push(await whenReachable(() => starts[name](data, opened, live, log), waiting));
  for (const { done } of parts) done.catch(dieOf);
  return {
    calls: {
      failures: () => parts.flatMap(({ failure }) => failure?.()?.message ?? []),
      relayPosition: () => parts.find(({ ownPosition }) => ownPosition !== undefined)?.ownPosition?.() ?? null,
    },
    close: () => closeInTurn([...parts.map(({ close }) => close), stores.close]),
  };
});
