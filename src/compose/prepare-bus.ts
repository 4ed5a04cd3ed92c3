import { systemIds } from '../adapters/system/ids.ts';
import { readTopicsFile } from '../adapters/system/topics-file.ts';
import { createCachedAnswer } from '../concurrency/cached-answer.ts';
import type { BackendSettings } from '../config/backend-settings.ts';
import { retryDelays } from '../delivery/retry-delays.ts';
import { topicsFor } from '../delivery/topics.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { readRegistryId } from '../runtime/copying/store-identity.ts';
import { ensureOwnTopics } from '../runtime/relay/own-topics.ts';
import type { Stores } from './stores/stores.ts';
import type { DeliveryThreadData } from './threads/delivery-worker.ts';

/** Probes ask several times a second; the brokers need not be asked each time. */
const busAnswerKeptMs = 1_000;

/** Without Kafka the bus lies in the data folder of one machine. */
function warnOfSeparateBuses({ mongodbUrl, kafkaBrokers }: BackendSettings, isAlone: boolean, log: Log): void {
  if (kafkaBrokers !== undefined) return;
  if (isAlone) {
    log.warn('relay and deliverer run in different processes: without KAFKA_BROKERS they must share a data folder');
  } else if (mongodbUrl !== undefined) {
    log.warn('the message bus is embedded: processes on several machines need KAFKA_BROKERS, or only one may relay');
  }
}

/** The bus with the topics of relay and deliverer, before either of them starts. */
export async function prepareBus(deps: {
  readonly stores: Pick<Stores, 'eventStore' | 'openBus'>;
  readonly data: Omit<DeliveryThreadData, 'busId'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Waits for a server that is not there yet. */
  readonly reach: <T>(call: () => Promise<T>) => Promise<T>;
}): Promise<{ readonly busId: string; readonly check: () => Promise<unknown> }> {
  const { stores, data, clock, log, reach } = deps;
  warnOfSeparateBuses(data.backends, data.runs.length === 1, log);
  const registryId = await readRegistryId(stores.eventStore);
  if (registryId === null) throw new StartupError('The event store holds no registry.');
  const bus = await stores.openBus();
  const topics = topicsFor(readTopicsFile(), retryDelays(data.delivery.retryDelays));
  const ensure = () => ensureOwnTopics(bus, topics, { registryId, newBusId: systemIds.commandId });
  const { busId, notices } = await reach(ensure);
  for (const notice of notices) log.warn(notice);
  return { busId, check: createCachedAnswer(clock, busAnswerKeptMs, bus.topics) };
}
