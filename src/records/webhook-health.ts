import type { Document } from '../kernel/projection.ts';

/** How a subscription fares; counters, not facts, so they lie beside the events. */
export interface WebhookHealth extends Document {
  /** Of the subscription. */
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
