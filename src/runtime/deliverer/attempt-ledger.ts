import { createBatchedCalls } from '../../concurrency/batched-calls.ts';
import type { DeliveryState } from '../../delivery/delivery-state.ts';
import type { OperationalChange, OperationalCollection, OperationalStore } from '../../ports/operational-store.ts';
import { deliveryChange } from '../../records/delivery/delivery-documents.ts';
import { type DeliveryLogRow, logRowChange } from '../../records/delivery/delivery-log.ts';
import type { DeliveryCollections } from '../../records/delivery/delivery-collections.ts';
import {
  type AttemptForHealth,
  healthAfter,
  type WebhookHealth,
  webhookHealthDeclaration,
  untriedHealth,
} from '../../records/delivery/webhook-health.ts';
import type { Waits } from './waits.ts';

export interface EndedAttempt {
  /** Of the document when the attempt was begun. */
  readonly revision: number;
  /** As it is now that the attempt has ended. */
  readonly document: DeliveryState;
  readonly row: DeliveryLogRow;
}

export interface AttemptLedger {
  /**
   * Writes the end of an attempt: document, log row and health at once. False when another member has taken the attempt
   * for lost meanwhile; then the document is theirs, and only what was done is told.
   */
  readonly write: (attempt: EndedAttempt) => Promise<boolean>;
}

/** A transaction holds three documents of each. */
const attemptsPerFlushMax = 100;

const countsForHealth = (row: DeliveryLogRow): row is DeliveryLogRow & AttemptForHealth =>
  row.outcome !== 'skipped' && row.outcome !== 'auto_disabled' && !row.isTest;

/** The healths after these rows, each written only if it is still as it was read. */
async function healthChanges(
  healths: OperationalCollection<WebhookHealth>,
  rows: readonly DeliveryLogRow[],
): Promise<OperationalChange[]> {
  const counted = rows.filter(countsForHealth);
  const ids = [...new Set(counted.map(({ webhookId }) => webhookId))];
  const stored = new Map((await healths.getMany(ids)).map((each) => [each.doc.id, each]));
  return ids.map((id) => ({
    kind: 'put',
    collection: webhookHealthDeclaration.name,
    doc: counted
      .filter(({ webhookId }) => webhookId === id)
      .reduce<WebhookHealth>(healthAfter, stored.get(id)?.doc ?? untriedHealth(id)),
    expected: stored.get(id)?.revision ?? 0,
  }));
}

const endChanges = ({ document, revision, row }: EndedAttempt): OperationalChange[] => [
  deliveryChange(document, revision),
  logRowChange(row),
];

/**
 * Many attempts end at about the same time, and a durable write takes as long for one as for a hundred: while one
 * transaction is under way, those that end meanwhile gather for the next.
 */
export function createAttemptLedger(deps: {
  readonly ops: Pick<OperationalStore, 'transact'>;
  readonly collections: DeliveryCollections;
  /** An outage is waited out here: an attempt that was made must not be made again because a store was away. */
  readonly waits: Pick<Waits, 'reach'>;
}): AttemptLedger {
  const { ops, collections, waits } = deps;
  const { deliveries, rows, healths } = collections;

  const transact = (changes: OperationalChange[]) => waits.reach(() => ops.transact(changes));

  async function writeAll(attempts: readonly EndedAttempt[]): Promise<boolean> {
    const health = await waits.reach(() =>
      healthChanges(
        healths,
        attempts.map(({ row }) => row),
      ),
    );
    return (await transact([...attempts.flatMap(endChanges), ...health])) === 'written';
  }

  async function writeOne(attempt: EndedAttempt): Promise<boolean> {
    const { document, revision, row } = attempt;
    for (let isTakenOver = false; ; ) {
      // An earlier try may have been stored although its answer was lost; all of it was then.
      if ((await waits.reach(() => rows.get(row.id))) !== null) return !isTakenOver;
      const stored = await waits.reach(() => deliveries.get(document.id));
      isTakenOver = stored?.revision !== revision;
      const health = await waits.reach(() => healthChanges(healths, [row]));
      const end = isTakenOver ? [logRowChange(row)] : endChanges(attempt);
      if ((await transact([...end, ...health])) === 'written') return !isTakenOver;
    }
  }

  /** Together if that can be; if one of them met something else, each by itself. */
  async function write(attempts: readonly EndedAttempt[]): Promise<boolean[]> {
    if (await writeAll(attempts)) return attempts.map(() => true);
    const written: boolean[] = [];
    for (const attempt of attempts) written.push(await writeOne(attempt));
    return written;
  }

  return { write: createBatchedCalls(write, attemptsPerFlushMax) };
}
