import { afterBurial } from '../../delivery/after-burial.ts';
import { begin, type DeliveryState, deliveryIdOf, dueNow, isSamePlace } from '../../delivery/delivery-state.ts';
import type { DeliveryMessage } from '../../delivery/message.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OperationalChange, OperationalStore, Stored, TransactionOutcome } from '../../ports/operational-store.ts';
import { createBatchedCalls, createBatchedFinds } from '../../concurrency/batched-calls.ts';
import { beginChange, type Deliveries, deliveryChange } from '../../records/delivery/delivery-documents.ts';
import { logRowChange } from '../../records/delivery/delivery-log.ts';
import type { DeliveryPlan, UnknownAnnouncement } from './delivery-plan.ts';
import { type Begun, unplannedRow } from './log-rows.ts';

export type Taken =
  /** The attempt is this member's until its lease is over. */
  | { readonly kind: 'begun'; readonly begun: Begun; readonly plan: DeliveryPlan }
  /** The message is behind this document, or all is done. */
  | { readonly kind: 'stale'; readonly document: DeliveryState; readonly next: DeliveryMessage | null }
  /** Another member is making this attempt, or what is to be sent cannot be read yet. */
  | { readonly kind: 'later'; readonly fromMs: number }
  /** What is to be sent could not be found out once too often, and the document says so. */
  | { readonly kind: 'given_up'; readonly document: DeliveryState; readonly error: unknown };

type Planned = DeliveryPlan | (Taken & { readonly kind: 'later' });

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

  /** When to look again for an announcement that is not there yet; throws when it should be by now. */
  async function announcementFromMs(stored: Stored<DeliveryState> | null, message: DeliveryMessage): Promise<number> {
    const { notBeforeMs } = await dueDocument(stored, message);
    const nowMs = clock.nowMs();
    if (nowMs - notBeforeMs < unknownForMsMax) return nowMs + unknownAgainMs;
    throw new Error(`release ${message.releaseId} has no announcement ${message.eventId}`);
  }

  async function plan(stored: Stored<DeliveryState> | null, message: DeliveryMessage): Promise<Planned> {
    const found = await planOf(message);
    if (found.kind !== 'unknown') return found;
    return { kind: 'later', fromMs: await announcementFromMs(stored, message) };
  }

  /** Notes that the bus gives the message up; answers the document when that was the last time. */
  async function bury(stored: Stored<DeliveryState> | null, message: DeliveryMessage): Promise<DeliveryState | null> {
    const nowMs = clock.nowMs();
    const document = afterBurial(stored?.doc ?? null, message, nowMs);
    const revision = stored?.revision ?? 0;
    const row = logRowChange(unplannedRow({ document, revision: revision + 1 }, nowMs));
    const isOver = document.phase === 'final';
    const outcome = await ops.transact([deliveryChange(document, revision), ...(isOver ? [row] : [])]);
    return isOver && outcome === 'written' ? document : null;
  }

  return async (message: DeliveryMessage, isLastTry: boolean): Promise<Taken> => {
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
      let planned: Planned;
      try {
        planned = await plan(stored, message);
      } catch (error) {
        if (error instanceof BackendUnavailable) throw error;
        const document = isLastTry ? await bury(stored, message) : null;
        if (document !== null) return { kind: 'given_up', document, error };
        if (!isLastTry) await dueDocument(stored, message);
        throw error;
      }
      if (planned.kind === 'later') return planned;
      const begun = beginNow();
      if (begun.kind !== 'begin') continue;
      const revision = stored?.revision ?? 0;
      const outcome = await write(beginChange(begun.document, revision, leaseMs));
      if (outcome === 'written') {
        return { kind: 'begun', begun: { document: begun.document, revision: revision + 1 }, plan: planned };
      }
    }
  };
};
