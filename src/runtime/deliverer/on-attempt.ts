import type { NextStep } from '../../delivery/next-step.ts';

export interface AttemptInfo {
  readonly eventId: string;
  readonly webhookId: string;
  readonly run: number;
  readonly attempt: number;
  /** When it began. */
  readonly atMs: number;
  readonly outcome: NextStep['outcome'];
}

/** Told of each attempt once its end is written. */
export type OnAttempt = (info: AttemptInfo) => void;

/** How an attempt ended, or why none was made. */
export const deliveryOutcomes = ['success', 'retry', 'perm_fail', 'dlq', 'skipped', 'given_up'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Told once that is written. */
export type OnDeliveryOutcome = (outcome: DeliveryOutcome) => void;
