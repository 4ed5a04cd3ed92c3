import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkedTopics } from '../../src/adapters/dispatch/checked-topics.ts';
import { defaultRetryDelays, retryDelays } from '../../src/delivery/retry-delays.ts';
import { retryHoldsMs, topicsFor } from '../../src/delivery/topics.ts';
import type { TopicDeclaration } from '../../src/ports/message-bus.ts';

const declaration: z.ZodType<TopicDeclaration> = z.strictObject({
  name: z.string(),
  partitions: z.int(),
  retentionMs: z.int(),
});

const read = (): TopicDeclaration[] =>
  z.array(declaration).parse(JSON.parse(readFileSync(new URL('../../ops/topics.json', import.meta.url), 'utf8')));

const delays = retryDelays(defaultRetryDelays.split(','));

describe('ops/topics.json', () => {
  it('declares topics that every back end can have, each once', () => {
    const names = checkedTopics(read()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['registry.events', 'webhooks.deliveries', 'webhooks.dlq']));
  });

  it('has exactly the retry topics that the settings ask for', () => {
    const names = topicsFor(read(), delays).map(({ name }) => name);
    expect(names.sort()).toEqual(
      read()
        .map(({ name }) => name)
        .sort(),
    );
    const retries = topicsFor(read(), retryDelays(['1s', '5s'])).filter(({ name }) => name.includes('retry'));
    const declared = read().find(({ name }) => name === 'webhooks.retry.5s');
    expect(retries).toEqual([{ ...declared, name: 'webhooks.retry.1s' }, declared]);
  });

  it('keeps a message much longer than it is held', () => {
    const dayMs = 24 * 3_600_000;
    const holdsMs = retryHoldsMs(delays);
    for (const { name, retentionMs } of read()) {
      expect(retentionMs).toBeGreaterThan((holdsMs.get(name) ?? 0) + 2 * dayMs);
    }
  });
});
