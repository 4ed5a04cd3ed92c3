import { type DeliveryState, dueNow, isSamePlace } from './delivery-state.ts';
import type { DeliveryMessage } from './message.ts';

/** What cannot be planned three times, ten minutes apart, will never be. */
const burialsMax = 3;

/**
 * The bus is about to give the message of an attempt up that nobody could begin. The delivery is due from now on, until
 * somebody misses it; after the last burial it has failed for good.
 */
export const afterBurial = (document: DeliveryState | null, message: DeliveryMessage, nowMs: number): DeliveryState => {
  const known = document !== null && isSamePlace(message, document) ? document : dueNow(document, message, nowMs);
  const buried: DeliveryState = {
    ...known,
    phase: 'due',
    notBeforeMs: nowMs,
    leaseUntilMs: null,
    burials: known.burials + 1,
    changedAtMs: nowMs,
  };
  return buried.burials < burialsMax ? buried : { ...buried, phase: 'final', outcome: 'dlq', errorCode: null };
};
