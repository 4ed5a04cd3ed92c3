import type { Stores } from '../stores/stores.ts';
import type { DeliveryThreadCalls, DeliveryThreadData } from './delivery-worker.ts';
import { beginSupervisedThread, type BegunThreadOptions } from './begun-thread.ts';
import type { ThreadSupervision } from './supervised-thread.ts';

export interface DeliveryThread {
  /** Throws when it does not run, or stands still; a first start may take its time. */
  readonly check: () => Promise<void>;
  /** How far the relay is; null while it does not run here, or another process relays. */
  readonly relayPosition: () => Promise<number | null>;
  readonly close: () => Promise<void>;
}

/** It has messages of a few kilobytes in hand, however many follow each other. */
const youngMbMax = 12;

export interface DeliveryThreadOptions
  extends ThreadSupervision,
    Pick<BegunThreadOptions, 'after'>,
    Pick<Stores, 'shareOpsWriter'> {
  readonly data: DeliveryThreadData;
}

/**
 * Relay and deliverer share a thread: neither may take time from those who answer requests. Nobody waits for its start: what is
 * announced meanwhile stands in the event store, and requests can be served.
 */
export function beginDeliveryThread(options: DeliveryThreadOptions): DeliveryThread {
  const { shareOpsWriter, ...rest } = options;
  const begun = beginSupervisedThread<DeliveryThreadCalls>({
    ...rest,
    role: 'delivery',
    name: 'the thread of relay and deliverer',
    youngMbMax,
    handOver: () => {
      const opsWriter = shareOpsWriter();
      return { data: { opsWriter }, transfer: opsWriter === null ? [] : [opsWriter.port] };
    },
  });
  const check = async (): Promise<void> => {
    begun.checkStart();
    const [failed] = (await begun.running()?.serving().call('failures', null)) ?? [];
    if (failed !== undefined) throw new Error(failed);
  };
  const relayPosition = async () => (await begun.running()?.serving().call('relayPosition', null)) ?? null;
  return { check, relayPosition, close: begun.close };
}
