import type { DeliveryState } from '../../delivery/delivery-state.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { logRowChange } from '../../records/delivery/delivery-log.ts';
import { autoDisabledRow } from './log-rows.ts';
import type { Waits } from './waits.ts';

/**
 * Disables a webhook whose receiver said that it is gone, and answers when that was, the same for every call; null
 * for one that is not disabled for this reason, such as one that was deleted.
 */
export type Disable = (webhookId: string) => Promise<string | null>;

export interface DisableGoneDeps {
  readonly disable: Disable;
  readonly ops: Pick<OperationalStore, 'transact'>;
  readonly waits: Pick<Waits, 'reach'>;
  readonly log: Log;
}

/** Follows a delivery that ended so. Twice is as good as once, so a crash in between is mended by its message. */
export const createDisableGone = ({ disable, ops, waits, log }: DisableGoneDeps) => {
  async function disableAndTell(last: DeliveryState): Promise<void> {
    const disabledAt = await disable(last.webhookId);
    if (disabledAt === null) return;
    const row = logRowChange(autoDisabledRow(last, Date.parse(disabledAt)));
    await ops.transact([{ ...row, expected: 0 }]); // a conflict means that it is told already
  }

  return async (last: DeliveryState, lost: AbortSignal): Promise<void> => {
    try {
      await waits.reach(() => disableAndTell(last), lost);
    } catch (error) {
      if (error instanceof BackendUnavailable) throw error;
      // The delivery itself has ended; the next one to this receiver disables the webhook.
      const { webhookId } = last;
      log.error('a webhook whose receiver is gone could not be disabled', { webhookId, error });
    }
  };
};
