import type { RetryDelay } from '../../delivery/retry-delays.ts';
import { tierOf } from '../../delivery/tier-of.ts';
import { deliveriesTopic, retryTopicOf } from '../../delivery/topics.ts';

export interface DeliveryTopics {
  /** One for each delay, in their order. */
  readonly retries: readonly string[];
  /** Where a message waits that long: on the retry topic that holds it longest, or on the topic of deliveries itself. */
  readonly topicFor: (waitMs: number) => string;
}

export const deliveryTopics = (delays: readonly RetryDelay[]): DeliveryTopics => {
  const retries = delays.map(retryTopicOf);
  const delaysMs = delays.map(({ delayMs }) => delayMs);
  return {
    retries,
    topicFor: (waitMs) => {
      const tier = tierOf(waitMs, delaysMs);
      return (tier === null ? undefined : retries[tier]) ?? deliveriesTopic;
    },
  };
};
