import { begin, type DeliveryState, deliveryIdOf, dueNow, isSamePlace } from '../../delivery/delivery-state.ts';
import type { DeliveryMessage } from '../../delivery/message.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OperationalChange, OperationalStore, Stored, TransactionOutcome } from '../../ports/operational-store.ts';
import { createBatchedCalls, createBatchedFinds } from '../../concurrency/batched-calls.ts';
import { type Deliveries, deliveryChange } from '../../records/delivery-documents.ts';
import type { DeliveryPlan, UnknownAnnouncement } from './delivery-plan.ts';
import type { Begun } from './log-rows.ts';

export type Taken =
  /** The attempt is this member's until its lease is over. */
  | { readonly kind: 'begun'; readonly begun: Begun; readonly plan: DeliveryPlan }
  /** The message is behind this document, or all is done. */
  | { readonly kind: 'stale'; readonly document: DeliveryState; readonly next: DeliveryMessage | null }
  /** Another member is making this attempt, or what is to be sent cannot be read yet. */
  | { readonly kind: 'later'; readonly fromMs: number };

export interface TakeDeliveryDeps {
  readonly ops: Pick<OperationalStore, 'transact'>;
  readonly deliveries: Deliveries;
  readonly planOf: (message: DeliveryMessage) => Promise<DeliveryPlan | UnknownAnnouncement>;
  readonly clock: Clock;
  readonly leaseMs: number;
}

const readsAtOnceMax = 256;
const writesAtOnceMax = 100;
/** A member of the event store that follows may be that far behind; what it does not show by then is not there. */
const unknownForMsMax = 5 * 60_000;
const unknownAgainMs = 5_000;

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
  const find = createBatchedFinds(deliveries.getMany, ({ doc }) => doc.id, readsAtOnceMax);
  const write = createBatchedCalls(transactEach(ops), writesAtOnceMax);

  /**
   * The document at the place of the message, written where there is none: else nobody would know of the delivery once
   * the bus gives its message up. It says since when the attempt is due; the message is produced anew with later times.
   */
  async function dueDocument(stored: Stored<DeliveryState> | null, message: DeliveryMessage): Promise<DeliveryState> {
    const document = stored?.doc ?? null;
    if (document !== null && isSamePlace(message, document)) return document;
    const due = dueNow(document, message, clock.nowMs());
    await write(deliveryChange(due, stored?.revision ?? 0)); // after a conflict another member has written one
    return due;
  }

  async function waitForAnnouncement(
    stored: Stored<DeliveryState> | null,
    message: DeliveryMessage,
  ): Promise<Taken & { readonly kind: 'later' }> {
    const { notBeforeMs } = await dueDocument(stored, message);
    const nowMs = clock.nowMs();
    if (nowMs - notBeforeMs < unknownForMsMax) return { kind: 'later', fromMs: nowMs + unknownAgainMs };
    throw new Error(`release ${message.releaseId} has no announcement ${message.eventId}`);
  }

  return async (message: DeliveryMessage): Promise<Taken> => {
    for (;;) {
      const stored = await find(deliveryIdOf(message.eventId, message.webhookId));
      const document = stored?.doc ?? null;
      const beginNow = () => begin(document, message, clock.nowMs(), leaseMs);
      const seen = beginNow();
      if (seen.kind === 'busy') return { kind: 'later', fromMs: seen.untilMs };
      if (seen.kind === 'stale') {
        if (document === null) throw new Error('a message cannot be behind a document that is not there');
        return { ...seen, document };
      }
      // All that can fail comes before the lease: a message that cannot be sent at all then runs out of its tries
      // instead of finding the attempt busy with itself, and reading takes no time from the lease.
      const plan = await planOf(message).catch(async (error: unknown) => {
        if (!(error instanceof BackendUnavailable)) await dueDocument(stored, message);
        throw error;
      });
      if (plan.kind === 'unknown') return waitForAnnouncement(stored, message);
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
