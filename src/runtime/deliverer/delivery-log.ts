import type { AttemptErrorCode } from '../../delivery/next-step.ts';
import type { Document, KeyValue } from '../../kernel/projection.ts';
import type { OperationalChange, OperationalStore } from '../../ports/operational-store.ts';

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
  indexes: { byWebhook: ['webhookId', 'atMs'], byWebhookFailed: ['webhookId', 'failed', 'atMs'] },
};

const keptMs = 90 * 24 * 3_600_000;

export interface DeliveryLogPage {
  readonly webhookId: string;
  readonly failedOnly: boolean;
  /** The keys of the last row before: its time and its id. */
  readonly after?: readonly KeyValue[];
  readonly limit: number;
}

export interface DeliveryLog {
  /** The newest first. */
  readonly page: (page: DeliveryLogPage) => Promise<DeliveryLogRow[]>;
}

/** As part of the transaction that ends the attempt. */
export const logRowChange = (doc: DeliveryLogRow): OperationalChange => ({
  kind: 'put',
  collection: deliveryLogDeclaration.name,
  doc,
  expiresAtMs: doc.atMs + keptMs,
});

export async function openDeliveryLog(ops: OperationalStore): Promise<DeliveryLog> {
  const rows = await ops.collection<DeliveryLogRow>(deliveryLogDeclaration);
  return {
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
