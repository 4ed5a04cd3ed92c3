import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { closeInTurn } from '../concurrency/close-in-turn.ts';
import { openRawStores, openStores } from '../compose/stores/open-stores.ts';
import type { Stores } from '../compose/stores/stores.ts';
import { type BackendSettings, backendsOf, storesOf } from '../config/backend-settings.ts';
import type { Projection } from '../kernel/projection.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { copyDocuments } from '../runtime/copying/copy-documents.ts';
import { copyEvents } from '../runtime/copying/copy-events.ts';
import { LeaseLost, whileHeld } from '../runtime/resilience/held-leases.ts';
import { acquirePresence } from '../runtime/resilience/presence.ts';
import { type FillProgress, fillGenerations } from '../runtime/projector/filling/fill-generations.ts';
import { codeGenerationOf } from '../runtime/projector/generations.ts';
import { readIdentity, readRegistryId } from '../runtime/copying/store-identity.ts';
import { digestLog, type LogDigest } from '../runtime/copying/verify-copy.ts';
import { type RunCommand, type CliContext, UsageError } from './cli-command.ts';
import { placeRelay } from './migrate-relay.ts';
import { movableRecords } from '../records/all-records.ts';
import { createProgress } from './progress.ts';

/** What lies in servers already is named by the settings, as for the service that is to be moved. */
function sourceOf({ flags, config }: CliContext): BackendSettings {
  if (flags['from'] !== 'embedded') throw new UsageError('Say --from embedded: no other event store can be moved yet.');
  const { dataDir, eventStoreUrl, mongodbUrl } = backendsOf(config);
  if (eventStoreUrl !== undefined) throw new UsageError('Unset EVENT_STORE_URL: it names where the events come from.');
  if (!existsSync(join(dataDir, 'events.sqlite'))) {
    throw new UsageError(`There is no registry in the folder ${dataDir}; name its data folder with --data.`);
  }
  if (mongodbUrl === undefined && !existsSync(join(dataDir, 'ops.sqlite'))) {
    throw new UsageError(
      `The documents of this registry are not in ${dataDir}: set MONGODB_URL as the service has it.`,
    );
  }
  return { dataDir, mongodbUrl };
}

/** Where to: each address names its own kind; what no address is given for goes into another data folder. */
function targetOf({ words, flags }: CliContext, from: BackendSettings): BackendSettings {
  const urls = [flags['to'], ...words].filter((url): url is string => typeof url === 'string');
  const eventStoreUrl = urls.find((url) => /^esdb(\+discover)?:/.test(url));
  const mongodbUrl = urls.find((url) => /^mongodb(\+srv)?:/.test(url));
  if (urls.length === 0 || urls.some((url) => url !== eventStoreUrl && url !== mongodbUrl)) {
    throw new UsageError('--to takes the address of an EventStoreDB (esdb:…), of a MongoDB (mongodb:…), or both.');
  }
  if (mongodbUrl !== undefined && mongodbUrl === from.mongodbUrl) {
    throw new UsageError(
      'Name another database of MongoDB with --to: what is built from a copy must not meet the old.',
    );
  }
  const into = flags['into'];
  if (typeof into === 'string') {
    if (resolve(into) === resolve(from.dataDir)) throw new UsageError('--into takes another folder than --data.');
  } else if (eventStoreUrl === undefined || mongodbUrl === undefined) {
    throw new UsageError('Name a new folder with --into <folder>: what has no address is embedded, there.');
  }
  return { dataDir: typeof into === 'string' ? into : from.dataDir, eventStoreUrl, mongodbUrl };
}

interface Copying {
  readonly source: Stores;
  readonly target: Stores;
  readonly signal: AbortSignal;
}

const sameOf = (from: LogDigest, to: LogDigest): boolean => from.events === to.events && from.sha256 === to.sha256;

async function copyLog(context: CliContext, { source, target, signal }: Copying): Promise<LogDigest> {
  const copying = createProgress('Copying events', context);
  await copyEvents({
    source: source.eventStore,
    target: target.eventStore,
    signal,
    onProgress: ({ position, target: total, events }) =>
      copying.show({ done: position, total, detail: `${events} events` }),
  }).finally(copying.end);
  const verifying = createProgress('Verifying', context);
  const digests: LogDigest[] = [];
  for (const { eventStore } of [source, target]) {
    const total = await eventStore.head();
    const onProgress = ({ position, events }: { position: number; events: number }) =>
      verifying.show({ done: position, total, detail: `${events} events` });
    digests.push(await digestLog(eventStore, onProgress));
  }
  verifying.end();
  const [from, to] = digests as [LogDigest, LogDigest];
  if (sameOf(from, to)) return from;
  throw new StartupError(
    `The copy is not the same: ${from.events} events with hash ${from.sha256} became ${to.events} with ${to.sha256}. ` +
      'If the registry was written to meanwhile, stop it and copy again to an empty store.',
  );
}

async function rebuildAll(
  context: CliContext,
  { eventStore: store, readModels }: Stores,
  signal: AbortSignal,
): Promise<void> {
  const holder = `migrate:${process.pid}:${systemIds.commandId()}`;
  const pointers = await readModels.pointers();
  const head = await store.head();
  const unfilled: Projection[] = [];
  for (const projection of allProjections) {
    const { name, indexes } = projection;
    const live = pointers[name];
    const isOurs = live !== undefined && codeGenerationOf(live) === projection.generation;
    const model = isOurs ? await readModels.open({ name, generation: live, indexes }) : null;
    if (model === null || (await model.checkpoint()) < head) unfilled.push(projection);
  }
  const progress = createProgress('Filling read models', context);
  const onProgress = ({ position, target, eventsPerSecond }: FillProgress) =>
    progress.show({ done: position, total: target, detail: `${eventsPerSecond} events/s` });
  const outcomes = await fillGenerations(unfilled, {
    store,
    readModels,
    clock: systemClock,
    holder,
    onProgress,
    signal,
  }).finally(progress.end);
  for (const outcome of outcomes) {
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'overtaken' || outcome.kind === 'differs') throw new StartupError(`${outcome.sentence}.`);
  }
}

/** Nobody may write to the source meanwhile. */
async function withSourceAtRest<T>({ ops }: Stores, work: (over: AbortSignal) => Promise<T>): Promise<T> {
  const holder = `migrate:${process.pid}:${systemIds.commandId()}`;
  const held = await acquirePresence({ leases: ops.leases, clock: systemClock, holder });
  if (held === null) {
    throw new StartupError('The service runs on this data folder. Stop it; if it was killed, wait ten seconds.');
  }
  try {
    return await whileHeld(held, work);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    throw new StartupError('A service was started on this data folder meanwhile. Stop it and run the command again.');
  }
}

/** A service that was started meanwhile waits for no lease to serve; if it wrote, the copy is not all of it. */
async function requireUnchanged({ eventStore }: Stores, head: number): Promise<void> {
  if ((await eventStore.head()) === head) return;
  throw new StartupError(
    'The registry was written to while it was copied. Stop the service and run the command again.',
  );
}

/** Told before hours of copying rather than after. */
async function refuseOtherRegistry(source: Stores, target: Stores): Promise<void> {
  const registryId = await readRegistryId(source.eventStore);
  if (registryId === null) throw new StartupError('There is no registry in this data folder.');
  const wanted = await readIdentity(target.eventStore);
  for (const store of [target.readModels, target.ops]) {
    const known = await store.identity();
    if (known === null || known === wanted) continue;
    throw new StartupError(
      `The stores to copy to were built from registry ${known}${wanted === null ? '' : `, not from ${wanted}`}. ` +
        'Name an empty database or folder.',
    );
  }
}

async function migrate(context: CliContext, from: BackendSettings, to: BackendSettings): Promise<LogDigest> {
  let died: Error | undefined;
  const onFatal = (error: Error) => {
    died = error;
  };
  const { waitMs } = storesOf(context.config);
  const opened: Stores[] = [];
  const open = async (opening: Promise<Stores>): Promise<Stores> => {
    const stores = await opening;
    opened.unshift(stores);
    return stores;
  };
  try {
    const source = await open(openRawStores({ backends: from, onFatal }));
    return await withSourceAtRest(source, async (over) => {
      const raw = await open(openRawStores({ backends: to, waitMs, onFatal }));
      await refuseOtherRegistry(source, raw);
      const head = await source.eventStore.head();
      const digest = await copyLog(context, { source, target: raw, signal: over });
      await raw.close();
      // Opened anew as the service does it: it recognises what belongs to this registry, and knows old event versions.
      const target = await open(openStores({ backends: to, waitMs, onFatal }));
      for (const declaration of movableRecords) await copyDocuments(source.ops, target.ops, declaration);
      await placeRelay(source, target);
      await rebuildAll(context, target, over);
      await requireUnchanged(source, head);
      return digest;
    });
  } catch (error) {
    throw died ?? error;
  } finally {
    await closeInTurn(opened.map(({ close }) => close));
  }
}

const settingsFor = (from: string, { dataDir, eventStoreUrl, mongodbUrl }: BackendSettings): string[] => [
  ...(eventStoreUrl === undefined ? [] : ['EVENT_STORE_URL, as given with --to']),
  ...(mongodbUrl === undefined ? [] : ['MONGODB_URL, as given with --to']),
  `DATA_DIR=${dataDir}`,
  existsSync(join(from, 'secret.key'))
    ? `SECRET_KEY, as in ${join(from, 'secret.key')}`
    : 'SECRET_KEY, as before or made with openssl rand -hex 32',
];

export const runMigrate: RunCommand = async (context) => {
  const from = sourceOf(context);
  const { dataDir } = from;
  const to = targetOf(context, from);
  const digest = await migrate(context, from, to);
  if (context.json) context.print(JSON.stringify(digest));
  else {
    context.print(
      [
        `${digest.events} events are copied and the same, hash ${digest.sha256}; every read model is filled.`,
        `The data folder ${dataDir} was left as it is. Start the service with:`,
        ...settingsFor(dataDir, to).map((line) => `  ${line}`),
      ].join('\n'),
    );
  }
  return 0;
};
