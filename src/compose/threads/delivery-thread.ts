import type { Stores } from '../stores.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { startSupervisedThread } from './supervised-thread.ts';
import type { DeliveryThreadCalls, DeliveryThreadData } from './delivery-worker.ts';

export interface DeliveryThread {
  /** Throws when it does not run, or stands still. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface DeliveryThreadOptions extends Omit<DeliveryThreadData, 'role' | 'opsWriter'> {
  readonly shareOpsWriter: Stores['shareOpsWriter'];
  readonly clock: Clock;
  readonly log: Log;
  readonly onFatal: (error: Error) => void;
}

/** Relay and deliverer share a thread: neither may take time from those who answer requests. */
export async function startDeliveryThread(options: DeliveryThreadOptions): Promise<DeliveryThread> {
  const { shareOpsWriter, clock, log, onFatal, ...data } = options;
  const { dataDir, eventStoreUrl, batchAppend, mongodbUrl, kafkaBrokers, topicPrefix } = data;
  const { runs, logLevel, holder, busId, secretKey, allowPrivateTargets, retryDelays } = data;
  const backends = { dataDir, eventStoreUrl, batchAppend, mongodbUrl, kafkaBrokers, topicPrefix };
  const thread = await startSupervisedThread<DeliveryThreadCalls>({
    name: 'the thread of relay and deliverer',
    prepare: () => {
      const opsWriter = shareOpsWriter();
      const settings = { runs, logLevel, holder, busId, secretKey, allowPrivateTargets, retryDelays };
      return {
        workerData: { role: 'delivery', ...backends, ...settings, opsWriter },
        transfer: opsWriter === null ? [] : [opsWriter.port],
      };
    },
    clock,
    log,
    onFatal,
  });
  const check = async (): Promise<void> => {
    const [failed] = await thread.serving().call('failures', null);
    if (failed !== undefined) throw new Error(failed);
  };
  return { check, close: thread.close };
}
