import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkedTopics } from '../../src/adapters/dispatch/checked-topics.ts';
import { defaultRetryDelays, retryDelays } from '../../src/delivery/retry-delays.ts';
import { topicsFor } from '../../src/delivery/topics.ts';
import type { TopicDeclaration } from '../../src/ports/message-bus.ts';

const declaration: z.ZodType<TopicDeclaration> = z.strictObject({
  name: z.string(),
  partitions: z.int(),
  retentionMs: z.int(),
  delayMs: z.int(),
});

const read = (): TopicDeclaration[] =>
  z.array(declaration).parse(JSON.parse(readFileSync(new URL('../../ops/topics.json', import.meta.url), 'utf8')));

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

describe('ops/topics.json', () => {
  it('declares topics that every back end can have, each once', () => {
    const names = checkedTopics(read()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['registry.events', 'webhooks.deliveries', 'webhooks.dlq']));
  });

  it('has a retry topic for each delay, which hands over as early as jitter of 20 % allows', () => {
    const retries = read().filter(({ name }) => name.startsWith('webhooks.retry.'));
    expect(retries.map(({ name }) => name.slice('webhooks.retry.'.length))).toEqual([
      '5s',
      '30s',
      '5m',
      '30m',
      '2h',
      '5h',
      '10h',
      '14h',
    ]);
    for (const { name, delayMs } of retries) {
      const [, count, unit] = /\.(\d+)([smh])$/.exec(name)!;
      expect(delayMs).toBe((Number(count) * unitsMs[unit!]! * 4) / 5);
    }
  });

  it('has exactly the retry topics that the settings ask for', () => {
    const names = topicsFor(read(), retryDelays(defaultRetryDelays.split(','))).map(({ name }) => name);
    expect(names.sort()).toEqual(
      read()
        .map(({ name }) => name)
        .sort(),
    );
    const [first, second] = topicsFor(read(), retryDelays(['1s', '5s'])).filter(({ delayMs }) => delayMs > 0);
    expect(first).toEqual({ ...second, name: 'webhooks.retry.1s', delayMs: 800 });
    expect(second).toEqual(read().find(({ name }) => name === 'webhooks.retry.5s'));
  });

  it('keeps a message much longer than it delays it', () => {
    const dayMs = 24 * 3_600_000;
    for (const { retentionMs, delayMs } of read()) expect(retentionMs).toBeGreaterThan(delayMs + 2 * dayMs);
  });
});
