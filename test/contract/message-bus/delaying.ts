import { expect, it } from 'vitest';
import type { MessageBusHarness } from './harness.ts';
import { declared, makeNames, numbered, soon, startRecorder, valuesOf, waitingIn } from './recorder.ts';

export function specifyDelaying(harness: MessageBusHarness): void {
  it('hands a message over no earlier than its topic is delayed by after it was produced', async () => {
    const bus = await harness.make();
    const delayMs = 1_200;
    const names = await makeNames(bus, { partitions: 2 });
    const early: string[] = [];
    const { begun } = startRecorder(bus, names, {
      delaysMs: new Map([[names.topic, delayMs]]),
      handle: async ({ value, producedAtMs }) => {
        if (harness.nowMs() < producedAtMs + delayMs) early.push(value);
      },
    });
    for (let round = 0; round < 6; round += 1) {
      await bus.produce(names.topic, numbered(5, 5, `round-${round}`));
      await harness.passTime(200);
    }
    expect(await waitingIn(bus, names)).toBeGreaterThan(0);
    await soon('all are handed over', () => begun.length >= 30);
    expect(early).toEqual([]);
  });

  it('begins them in the order in which they were produced', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 1 });
    const messages = numbered(6, 1);
    for (const message of messages) {
      await bus.produce(names.topic, [message]);
      await harness.passTime(150);
    }
    const { begun } = startRecorder(bus, names, { delaysMs: new Map([[names.topic, 600]]) });
    await soon('all are handed over', () => begun.length >= 6);
    expect(valuesOf(begun)).toEqual(valuesOf(messages));
  });

  it('does not hold up the other topics of a consumer, nor its close', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const late = declared({ partitions: 1 });
    await bus.ensureTopics([late]);
    await bus.produce(late.name, numbered(3, 3, 'late'));
    const messages = numbered(20, 10);
    await bus.produce(names.topic, messages);
    const { begun, consumer } = startRecorder(bus, names, {
      topics: [late.name, names.topic],
      delaysMs: new Map([[late.name, 3_600_000]]),
      concurrency: 1,
    });
    await soon('the others are handed over', () => begun.length >= 20);
    await consumer.close();
    expect(valuesOf(begun).sort()).toEqual(valuesOf(messages).sort());
    expect(await waitingIn(bus, { ...names, topic: late.name })).toBe(3);
  });
}
