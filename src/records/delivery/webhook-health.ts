import type { Document } from '../../kernel/projection.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';

/** How a webhook fares; counters, not facts, so they lie beside the events. */
export interface WebhookHealth extends Document {
  /** Of the webhook. */
  readonly id: string;
  /** Attempts that failed since the last one that succeeded. */
  readonly consecutiveFailures: number;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastError: string | null;
}

export const webhookHealthDeclaration = { name: 'subscription-health', indexes: {} };

export const untriedHealth = (id: string): WebhookHealth => ({
  id,
  consecutiveFailures: 0,
  lastSuccessAtMs: null,
  lastFailureAtMs: null,
  lastError: null,
});

export interface WebhookHealths {
  /** Of each of these webhooks, in the same order; read anew each time: deliverers of other processes write all the while. */
  readonly getMany: (webhookIds: readonly string[]) => Promise<WebhookHealth[]>;
  readonly remove: (webhookId: string) => Promise<void>;
}

export async function openWebhookHealths(ops: OperationalStore): Promise<WebhookHealths> {
  const stored = await ops.collection<WebhookHealth>(webhookHealthDeclaration);
  return {
    getMany: async (webhookIds) => {
      const found = new Map((await stored.getMany(webhookIds)).map(({ doc }) => [doc.id, doc]));
      return webhookIds.map((id) => found.get(id) ?? untriedHealth(id));
    },
    remove: async (id) => {
      await ops.transact([{ kind: 'delete', collection: webhookHealthDeclaration.name, id }]);
    },
  };
}

export interface AttemptForHealth {
  readonly outcome: 'success' | 'retry' | 'perm_fail' | 'dlq';
  readonly errorMessage: string | null;
  readonly atMs: number;
}

/** Skipped deliveries and tests leave it alone (contract 13.7). */
export const healthAfter = (health: WebhookHealth, attempt: AttemptForHealth): WebhookHealth =>
  attempt.outcome === 'success'
    ? { ...health, consecutiveFailures: 0, lastSuccessAtMs: attempt.atMs }
    : {
        ...health,
        consecutiveFailures: health.consecutiveFailures + 1,
        lastFailureAtMs: attempt.atMs,
        lastError: attempt.errorMessage,
      };
