import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemIds } from '../../adapters/system/ids.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { unreachableSentence } from '../../config/unreachable-sentence.ts';
import { BackendBusy, BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { createEventCodec } from '../../kernel/event-codec.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import type { Log } from '../../ports/log.ts';
import {
  checkCheckpoint,
  checkIdentity,
  foundedAt,
  foundOrReadIdentity,
  readIdentity,
  requireUnused,
} from '../../runtime/copying/store-identity.ts';
import { eraserPosition } from '../../runtime/jobs/eraser-progress.ts';
import { codeGenerationOf } from '../../runtime/projector/generations.ts';
import { relayPosition } from '../../runtime/relay/relay-checkpoint.ts';
import { whenReachable } from '../../runtime/resilience/when-reachable.ts';
import { openAllStores, type Stores } from './stores.ts';

export interface OpenStoresOptions {
  readonly backends: BackendSettings;
  /** How long a back end that cannot be reached yet is waited for. */
  readonly waitMs?: number | undefined;
  readonly onWait?: ((error: BackendUnavailable) => void) | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Told what an operator should know about how the stores fit together. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  readonly log?: Log;
  /** Whether it is asked for what is near; absent: it is not, and no vectors are held in memory. */
  readonly searches?: boolean;
  /** A part died that the service cannot go on without. */
  readonly onFatal: (error: Error) => void;
}

const storesOptions = ({ backends, log, searches = false, onFatal }: OpenStoresOptions) => ({
  ...backends,
  clock: systemClock,
  searches,
  ...(log && { log }),
  onFatal,
});

/** The stores, checked against each other; nothing runs yet. */
export const openStores = (options: OpenStoresOptions): Promise<Stores> =>
  openReachable(options, () => openCheckedStores(options));

/** Waits for a server that is not there yet, as long as the options say. */
export async function openReachable<T>(options: OpenStoresOptions, open: () => Promise<T>): Promise<T> {
  const { backends, waitMs = 0, onWait, signal } = options;
  const startedMs = systemClock.nowMs();
  try {
    return await whenReachable(open, { clock: systemClock, waitMs, onWait, signal });
  } catch (error) {
    if (!(error instanceof BackendUnavailable) || error instanceof BackendBusy) throw error;
    const waitedMs = systemClock.nowMs() - startedMs;
    throw new StartupError(unreachableSentence(error.backend, backends, waitedMs), { cause: error });
  }
}

/** The stores with every event as it is stored, old versions too: for copying. Nothing is founded or checked. */
export const openRawStores = (options: OpenStoresOptions): Promise<Stores> =>
  openReachable(options, () =>
    openAllStores({ ...storesOptions(options), codec: createEventCodec(), onlyLooks: true }),
  );

async function openCheckedStores(options: OpenStoresOptions): Promise<Stores> {
  const stores = await openAllStores(storesOptions(options));
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
  // One made by other folds may have other indexes; it is left to the processes that know them.
  const known = allProjections.flatMap(({ name, indexes, generation: made }) => {
    const generation = pointers[name];
    return generation === undefined || codeGenerationOf(generation) !== made ? [] : [{ name, generation, indexes }];
  });
  // The head last: what the others have seen meanwhile is in the event store by then.
  const seen: [string, number][] = [
    ['The operational store', Math.max(await eraserPosition(ops), await relayPosition(ops))],
    // Together: over a network, one after the other takes long.
    ...(await Promise.all(
      known.map(async (declaration): Promise<[string, number]> => {
        const model = await readModels.open(declaration);
        return [`The read model ${declaration.name}`, await model.checkpoint()];
      }),
    )),
  ];
  const head = await store.head();
  for (const [name, position] of seen) checkCheckpoint(name, position, head);
}
