import { begin, type DeliveryState, deliveryIdOf } from '../../delivery/delivery-state.ts';
import type { DeliveryMessage } from '../../delivery/message.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  OperationalChange,
  OperationalCollection,
  OperationalStore,
  TransactionOutcome,
} from '../../ports/operational-store.ts';
import { createGathered, createGatheredFinds } from '../gathered.ts';
import { deliveryChange } from './delivery-documents.ts';
import type { DeliveryPlan } from './delivery-plan.ts';
import type { Begun } from './log-rows.ts';

export type Taken =
  /** The attempt is this member's until its lease is over. */
  | { readonly kind: 'begun'; readonly begun: Begun; readonly plan: DeliveryPlan }
  /** The message is behind this document, or all is done. */
  | { readonly kind: 'stale'; readonly document: DeliveryState; readonly next: DeliveryMessage | null }
  | { readonly kind: 'busy'; readonly untilMs: number };

export interface TakeDeliveryDeps {
  readonly ops: Pick<OperationalStore, 'transact'>;
  readonly deliveries: OperationalCollection<DeliveryState>;
  readonly planOf: (message: DeliveryMessage) => Promise<DeliveryPlan>;
  readonly clock: Clock;
  readonly leaseMs: number;
}

const readsAtOnceMax = 256;
const writesAtOnceMax = 100;

/** All in one transaction, and where one of them conflicts each in its own. */
const transactEach =
  ({ transact }: TakeDeliveryDeps['ops']) =>
  async (changes: readonly OperationalChange[]): Promise<TransactionOutcome[]> => {
    const outcome = await transact(changes);
    if (outcome === 'written' || changes.length === 1) return changes.map(() => outcome);
    return Promise.all(changes.map((change) => transact([change])));
  };

/** Makes sure that nobody else makes the attempt that a message names. After an outage it is simply called again. */
export const createTakeDelivery = ({ ops, deliveries, planOf, clock, leaseMs }: TakeDeliveryDeps) => {
  const find = createGatheredFinds(deliveries.getMany, ({ doc }) => doc.id, readsAtOnceMax);
  const write = createGathered(transactEach(ops), writesAtOnceMax);

  return async (message: DeliveryMessage): Promise<Taken> => {
    for (;;) {
      const stored = await find(deliveryIdOf(message.eventId, message.subscriptionId));
      const document = stored?.doc ?? null;
      const beginNow = () => begin(document, message, clock.nowMs(), leaseMs);
      const seen = beginNow();
      if (seen.kind === 'busy') return seen;
      if (seen.kind === 'stale') {
        if (document === null) throw new Error('a message cannot be behind a document that is not there');
        return { ...seen, document };
      }
      // All that can fail comes before the lease: a message that cannot be sent at all then runs out of its tries
      // instead of finding the attempt busy with itself, and reading takes no time from the lease.
      const plan = await planOf(message);
      const begun = beginNow();
      if (begun.kind !== 'begin') continue;
      const revision = stored?.revision ?? 0;
      const outcome = await write(deliveryChange(begun.document, revision));
      if (outcome === 'written') {
        return { kind: 'begun', begun: { document: begun.document, revision: revision + 1 }, plan };
      }
    }
  };
};
