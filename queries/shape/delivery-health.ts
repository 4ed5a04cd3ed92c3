import type { WebhookDocument } from '../../projections/webhooks/webhooks.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';

/** How the deliveries of a webhook went. */
export interface DeliveryCounters {
  readonly consecutiveFailures: number;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastError: string | null;
}

type Switch = Pick<WebhookDocument, 'enabled' | 'disabledReason'>;

/** From this many failed attempts on a receiver is failing, not just degraded (contract 13.8). */
const failingFrom = 5;

const healthOf = ({ enabled }: Switch, consecutiveFailures: number) => {
  if (!enabled) return 'paused';
  if (consecutiveFailures === 0) return 'healthy';
  return consecutiveFailures < failingFrom ? 'degraded' : 'failing';
};

const pausedSentences = {
  manual: 'Paused by hand: nothing is sent until it is enabled again.',
  auto: 'Paused by itself because too many deliveries failed; enable it again once the receiver works.',
  gone: 'Paused by itself because the receiver answered that it is gone.',
};

const attempts = (count: number): string =>
  count === 1 ? 'The last attempt failed' : `The last ${count} attempts failed`;

const summaryOf = (
  { enabled, disabledReason }: Switch,
  { consecutiveFailures, lastSuccessAtMs }: DeliveryCounters,
): string => {
  if (!enabled) return pausedSentences[disabledReason ?? 'manual'];
  if (consecutiveFailures >= failingFrom) return `${attempts(consecutiveFailures)}; look at the receiver.`;
  if (consecutiveFailures > 0) return `${attempts(consecutiveFailures)}; what can be sent again will be.`;
  return lastSuccessAtMs === null ? 'Nothing was delivered yet.' : 'Deliveries arrive.';
};

const timeOf = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));

/** The part of a webhook's record that tells how it fares. */
export const deliveryHealth = (webhook: Switch, counters: DeliveryCounters) => ({
  deliveryHealth: healthOf(webhook, counters.consecutiveFailures),
  consecutiveFailures: counters.consecutiveFailures,
  lastSuccessAt: timeOf(counters.lastSuccessAtMs),
  lastFailureAt: timeOf(counters.lastFailureAtMs),
  lastError: counters.lastError,
  deliveryHealthSummary: summaryOf(webhook, counters),
});
