import type { Stores } from '../stores/stores.ts';
import type { DeliveryThreadCalls, DeliveryThreadData } from './delivery-worker.ts';
import { beginSupervisedThread } from './begun-thread.ts';
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
/** A start takes a second. In an outage it waits for the end of that, however long. */
const startingMsMax = 10_000;

export interface DeliveryThreadOptions extends ThreadSupervision, Pick<Stores, 'shareOpsWriter'> {
  readonly data: DeliveryThreadData;
  /** It begins when this has resolved: those who wait for that need the processor. */
  readonly after: Promise<void>;
}

/**
 * Relay and deliverer share a thread: neither may take time from those who answer requests. Nobody waits for its start: what is
 * announced meanwhile stands in the event store, and requests can be served.
 */
export function beginDeliveryThread(options: DeliveryThreadOptions): DeliveryThread {
  const { shareOpsWriter, ...rest } = options;
  const name = 'the thread of relay and deliverer';
  const begun = beginSupervisedThread<DeliveryThreadCalls>({
    ...rest,
    role: 'delivery',
    name,
    youngMbMax,
    handOver: () => {
      const opsWriter = shareOpsWriter();
      return { data: { opsWriter }, transfer: opsWriter === null ? [] : [opsWriter.port] };
    },
  });
  const check = async (): Promise<void> => {
    if (begun.startingMs() > startingMsMax) throw new Error(`${name} has not started yet`);
    const [failed] = (await begun.running()?.serving().call('failures', null)) ?? [];
    if (failed !== undefined) throw new Error(failed);
  };
  const relayPosition = async () => (await begun.running()?.serving().call('relayPosition', null)) ?? null;
  return { check, relayPosition, close: begun.close };
}
