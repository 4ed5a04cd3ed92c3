import type { TopicDeclaration } from '../ports/message-bus.ts';
import type { RetryDelay } from './retry-delays.ts';
import { tierHoldMs } from './tier-of.ts';

export const registryEventsTopic = 'registry.events';
export const deliveriesTopic = 'webhooks.deliveries';
export const deadLettersTopic = 'webhooks.dlq';

const retryPrefix = 'webhooks.retry.';

export const retryTopicOf = ({ name }: RetryDelay): string => `${retryPrefix}${name}`;

/** How long each retry topic holds its messages. */
export const retryHoldsMs = (delays: readonly RetryDelay[]): ReadonlyMap<string, number> =>
  new Map(delays.map((delay) => [retryTopicOf(delay), tierHoldMs(delay.delayMs)]));

export const delivererGroup = 'webhook-deliverers';
export const retryGroup = 'webhook-retries';

/** The group of this service that consumes a topic; null for topics that others read. */
export const groupOf = (topic: string): string | null => {
  if (topic === deliveriesTopic) return delivererGroup;
  return topic.startsWith(retryPrefix) ? retryGroup : null;
};

const weekMs = 7 * 24 * 3_600_000;

/** What is declared for all, with a retry topic for each delay that is really used. */
export function topicsFor(declared: readonly TopicDeclaration[], delays: readonly RetryDelay[]): TopicDeclaration[] {
  const others = declared.filter(({ name }) => !name.startsWith(retryPrefix));
  const retries = delays.map((delay): TopicDeclaration => {
    const name = retryTopicOf(delay);
    return declared.find((topic) => topic.name === name) ?? { name, partitions: 3, retentionMs: weekMs };
  });
  return [...others, ...retries];
}
