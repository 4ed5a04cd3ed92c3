import type { Stores } from '../stores/stores.ts';
import type { DeliveryThreadCalls, DeliveryThreadData } from './delivery-worker.ts';
import { startSupervisedThread, type ThreadSupervision } from './supervised-thread.ts';

export interface DeliveryThread {
  /** Throws when it does not run, or stands still. */
  readonly check: () => Promise<void>;
  /** How far the relay is; null while it does not run here, or another process relays. */
  readonly relayPosition: () => Promise<number | null>;
  readonly close: () => Promise<void>;
}

/** It has messages of a few kilobytes in hand, however many follow each other. */
const youngMbMax = 12;

/** Relay and deliverer share a thread: neither may take time from those who answer requests. */
export async function startDeliveryThread(
  options: ThreadSupervision & Pick<Stores, 'shareOpsWriter'> & { readonly data: DeliveryThreadData },
): Promise<DeliveryThread> {
  const { shareOpsWriter, ...rest } = options;
  const thread = await startSupervisedThread<DeliveryThreadCalls>({
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
    const [failed] = await thread.serving().call('failures', null);
    if (failed !== undefined) throw new Error(failed);
  };
  const relayPosition = async () => thread.serving().call('relayPosition', null);
  return { check, relayPosition, close: thread.close };
}
