import type { AttemptErrorCode } from '../../delivery/next-step.ts';
import type { Document, KeyValue } from '../../kernel/projection.ts';
import type { OperationalChange, OperationalStore } from '../../ports/operational-store.ts';
import { deliveriesKeptMs } from './delivery-documents.ts';

/** One attempt, or why none was made (contract 13.9). */
export interface DeliveryLogRow extends Document {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly run: number;
  readonly attempt: number;
  readonly outcome: 'success' | 'retry' | 'perm_fail' | 'dlq' | 'skipped' | 'auto_disabled';
  /** 0 when no answer came. */
  readonly httpStatus: number;
  readonly latencyMs: number;
  readonly errorCode: AttemptErrorCode | 'disabled' | 'withdrawn' | null;
  readonly errorMessage: string | null;
  /** When the attempt began. */
  readonly atMs: number;
  readonly nextAttemptAtMs: number | null;
  readonly isTest: boolean;
  /** 1 for the rows that `failed=true` asks for, so that an index finds them. */
  readonly failed: 0 | 1;
}

export const deliveryLogDeclaration = {
  name: 'delivery-log',
  indexes: { byWebhook: ['webhookId', 'atMs', 'attempt'], byWebhookFailed: ['webhookId', 'failed', 'atMs', 'attempt'] },
};

/** In one transaction. */
const removedAtOnce = 500;
/** In one request. What is left over can be reached by nobody and expires. */
const removedMax = 20_000;

export interface DeliveryLogPage {
  readonly webhookId: string;
  readonly failedOnly: boolean;
  /** The keys of the last row before: its time, its attempt and its id. */
  readonly after?: readonly KeyValue[];
  readonly limit: number;
}

export interface DeliveryLog {
  /** The newest first, within a moment the highest attempt. */
  readonly page: (page: DeliveryLogPage) => Promise<DeliveryLogRow[]>;
  /** Removes the rows of a webhook (contract 13.9). */
  readonly remove: (webhookId: string) => Promise<void>;
}

export const logRowChange = (doc: DeliveryLogRow): OperationalChange & { readonly kind: 'put' } => ({
  kind: 'put',
  collection: deliveryLogDeclaration.name,
  doc,
  expiresAtMs: doc.atMs + deliveriesKeptMs,
});

export async function openDeliveryLog(ops: OperationalStore): Promise<DeliveryLog> {
  const rows = await ops.collection<DeliveryLogRow>(deliveryLogDeclaration);
  const collection = deliveryLogDeclaration.name;

  return {
    remove: async (webhookId) => {
      for (let removed = 0; removed < removedMax; removed += removedAtOnce) {
        const found = await rows.query({ index: 'byWebhook', equals: { webhookId }, limit: removedAtOnce });
        if (found.length > 0) await ops.transact(found.map(({ doc }) => ({ kind: 'delete', collection, id: doc.id })));
        if (found.length < removedAtOnce) return;
      }
    },
    page: async ({ webhookId, failedOnly, after, limit }) => {
      const found = await rows.query({
        index: failedOnly ? 'byWebhookFailed' : 'byWebhook',
        equals: failedOnly ? { webhookId, failed: 1 } : { webhookId },
        direction: 'descending',
        limit,
        ...(after && { after }),
      });
      return found.map(({ doc }) => doc);
    },
  };
}
