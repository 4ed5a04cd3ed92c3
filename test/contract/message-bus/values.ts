import { expect, it } from 'vitest';
import type { BusMessage } from '../../../src/ports/message-bus.ts';
import type { MessageBusHarness } from './harness.ts';
import { makeNames, soon, startRecorder } from './recorder.ts';

const messages: readonly BusMessage[] = [
  { key: 'unicode', value: 'Grüße, 世界 👩‍🚀 \u0000 \ud83c\udf89 "quoted" \\ \n\r\t' },
  { key: 'empty', value: '' },
  { key: '', value: 'of the empty key' },
  { key: 'ключ', value: 'a key beyond ASCII' },
  { key: 'headers', value: '{}', headers: { traceparent: '00-abc-def-01', empty: '', Größe: '☃' } },
  { key: 'large', value: 'é'.repeat(450_000) },
];

export function specifyValues(harness: MessageBusHarness): void {
  it('hands over keys, values and headers as they were produced', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const fromMs = harness.nowMs();
    await bus.produce(names.topic, messages);
    const untilMs = harness.nowMs();
    const { begun } = startRecorder(bus, names);
    await soon('all came', () => begun.length >= messages.length);
    for (const { key, value, headers = {} } of messages) {
      const received = begun.filter((message) => message.key === key);
      expect(received).toHaveLength(1);
      const { producedAtMs, partition, offset, ...rest } = received[0]!;
      expect(rest).toEqual({ topic: names.topic, key, value, headers, attempt: 1 });
      expect(producedAtMs).toBeGreaterThanOrEqual(fromMs);
      expect(producedAtMs).toBeLessThanOrEqual(untilMs);
      expect(Number.isSafeInteger(partition) && Number.isSafeInteger(offset)).toBe(true);
    }
  });

  it('refuses a message of more than a million bytes whole with the call that brings it', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 1 });
    const large = { key: 'k', value: 'é'.repeat(500_001) };
    await expect(bus.produce(names.topic, [{ key: 'k', value: 'before' }, large])).rejects.toThrow(names.topic);
    await bus.produce(names.topic, [{ key: 'k', value: 'after' }]);
    const { begun } = startRecorder(bus, names);
    await soon('the other came', () => begun.length > 0);
    expect(begun.map(({ value }) => value)).toEqual(['after']);
  });

  it('takes a call without messages', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    await bus.produce(names.topic, []);
  });

  it('gives offsets that rise within a partition', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 2 });
    for (let round = 0; round < 5; round += 1) {
      await bus.produce(
        names.topic,
        Array.from({ length: 20 }, (_, index) => ({ key: `key-${index}`, value: `${round}` })),
      );
    }
    const { begun } = startRecorder(bus, names, { concurrency: 1 });
    await soon('all came', () => begun.length >= 100);
    const byKey = new Map<string, number>();
    for (const { key, partition, offset } of begun) {
      const place = `${partition} ${key}`;
      expect(offset).toBeGreaterThan(byKey.get(place) ?? -1);
      byKey.set(place, offset);
    }
    expect(byKey.size).toBe(20);
    expect(new Set(begun.map(({ partition }) => partition))).toEqual(new Set([0, 1]));
  });
}
