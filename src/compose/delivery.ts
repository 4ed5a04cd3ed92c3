import { systemIds } from '../adapters/system/ids.ts';
import { readTopicsFile } from '../adapters/system/topics-file.ts';
import type { BackendSettings } from '../config/backend-settings.ts';
import type { Stores } from './stores.ts';
import { startDeliveryThread } from './threads/delivery-thread.ts';
import { retryDelays as retryDelaysOf } from '../delivery/retry-delays.ts';
import { topicsFor } from '../delivery/topics.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { createCachedAnswer } from '../concurrency/cached-answer.ts';
import { ensureOwnTopics } from '../runtime/relay/own-topics.ts';
import { readRegistryId } from '../runtime/copying/store-identity.ts';

export interface DeliveryOptions {
  /** 32 bytes; opens the sealed signing keys. */
  readonly secretKey: Uint8Array;
  /** Webhooks may go to addresses that are not public. */
  readonly allowPrivateTargets: boolean;
  /** How long webhooks wait after each failure, as the settings spell it. */
  readonly retryDelays: readonly string[];
}

export interface Delivery {
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly close: () => Promise<void>;
}

export type DeliveryRole = 'relay' | 'deliverer';

/** Probes ask several times a second; the brokers need not be asked each time. */
const busAnswerKeptMs = 1_000;

/** Without Kafka the bus lies in the data folder of one machine. */
function warnOfSeparateBuses({ mongodbUrl, kafkaBrokers }: BackendSettings, runs: readonly DeliveryRole[], log: Log) {
  if (kafkaBrokers !== undefined) return;
  if (runs.length === 1) {
    log.warn('relay and deliverer run in different processes: without KAFKA_BROKERS they must share a data folder');
  } else if (mongodbUrl !== undefined) {
    log.warn('the message bus is embedded: processes on several machines need KAFKA_BROKERS, or only one may relay');
  }
}

/** Topics first, then the thread of relay and deliverer. */
export async function startDelivery(deps: {
  readonly stores: Stores;
  readonly backends: BackendSettings;
  readonly options: DeliveryOptions;
  readonly runs: readonly DeliveryRole[];
  readonly holder: string;
  readonly logLevel: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onFatal: (error: Error) => void;
  /** Waits for a server that is not there yet. */
  readonly reach: <T>(call: () => Promise<T>) => Promise<T>;
}): Promise<Delivery> {
  const { stores, backends, options, runs, holder, logLevel, clock, log, onFatal, reach } = deps;
  warnOfSeparateBuses(backends, runs, log);
  const registryId = await readRegistryId(stores.eventStore);
  if (registryId === null) throw new StartupError('The event store holds no registry.');
  const bus = await stores.openBus();
  const retryDelays = retryDelaysOf(options.retryDelays);
  const topics = topicsFor(readTopicsFile(), retryDelays);
  const ensure = () => ensureOwnTopics(bus, topics, { registryId, newBusId: systemIds.commandId });
  const { busId, notices } = await reach(ensure);
  for (const notice of notices) log.warn(notice);
  const { shareOpsWriter } = stores;
  const settings = { runs, holder, logLevel, busId, ...options, retryDelays, shareOpsWriter };
  const thread = await startDeliveryThread({ ...backends, ...settings, clock, log, onFatal });
  const messageBus = createCachedAnswer(clock, busAnswerKeptMs, bus.topics);
  return { checks: { delivery: thread.check, messageBus }, close: thread.close };
}
