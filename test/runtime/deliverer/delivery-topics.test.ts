import { expect, it } from 'vitest';
import { retryDelays } from '../../../src/delivery/retry-delays.ts';
import { deliveryTopics } from '../../../src/runtime/deliverer/delivery-topics.ts';

const topics = deliveryTopics(retryDelays(['5s', '30s', '5m']));

it('has a retry topic for each delay', () => {
  expect(topics.retries).toEqual(['webhooks.retry.5s', 'webhooks.retry.30s', 'webhooks.retry.5m']);
});

it.each([
  [-1, 'webhooks.deliveries'],
  [3_999, 'webhooks.deliveries'],
  [4_000, 'webhooks.retry.5s'],
  [24_000, 'webhooks.retry.30s'],
  [3_600_000, 'webhooks.retry.5m'],
])('lets a message wait %i ms on %s', (waitMs, topic) => {
  expect(topics.topicFor(waitMs)).toBe(topic);
});
