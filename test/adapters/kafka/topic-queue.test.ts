import { describe, expect, it } from 'vitest';
import { createTopicQueue } from '../../../src/adapters/kafka/topic-queue.ts';
import type { BusMessage } from '../../../src/ports/message-bus.ts';
import { createGate, type Gate, numbered, valuesOf } from '../../contract/message-bus/recorder.ts';
import { eventually } from '../../spec/eventually.ts';

/** A store whose requests end when the test says so. */
function createGatedStore() {
  const requests: { readonly messages: BusMessage[]; readonly gate: Gate }[] = [];
  let atOnce = 0;
  let atOnceMax = 0;
  const store = async (messages: BusMessage[]): Promise<void> => {
    const gate = createGate();
    requests.push({ messages, gate });
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    try {
      await gate.passed;
    } finally {
      atOnce -= 1;
    }
  };
  return { store, requests, atOnceMax: () => atOnceMax };
}

describe('the messages for a topic of Kafka', () => {
  it('are sent one request at a time, with all that came meanwhile in the next', async () => {
    const { store, requests, atOnceMax } = createGatedStore();
    const queue = createTopicQueue(store);
    const calls = [0, 1, 2, 3].map((number) => queue.put(numbered(3, 3, `call-${number}`)));
    expect(requests).toHaveLength(1);
    requests[0]!.gate.open();
    await calls[0];
    await eventually('the rest is sent', () => requests.length === 2);
    requests[1]!.gate.open();
    await Promise.all(calls);
    expect(requests.map(({ messages }) => messages.length)).toEqual([3, 9]);
    expect(valuesOf(requests.flatMap(({ messages }) => messages))).toEqual(
      [0, 1, 2, 3].flatMap((number) => valuesOf(numbered(3, 3, `call-${number}`))),
    );
    expect(atOnceMax()).toBe(1);
  });

  it('are sent in requests that a broker takes, however many there are', async () => {
    const sizes: number[] = [];
    const stored: string[] = [];
    const queue = createTopicQueue(async (messages) => {
      sizes.push(messages.reduce((sum, { value }) => sum + value.length, 0));
      stored.push(...messages.map(({ key }) => key));
    });
    const large = Array.from({ length: 30 }, (_, number) => ({ key: `${number}`, value: 'x'.repeat(150_000) }));
    await queue.put(large);
    expect(stored).toEqual(large.map(({ key }) => key));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000_000);
  });

  it('fail with their own request only, and then the rest of their call is not sent', async () => {
    const { store, requests } = createGatedStore();
    const queue = createTopicQueue(store);
    const large = Array.from({ length: 3 }, (_, number) => ({ key: `${number}`, value: 'x'.repeat(900_000) }));
    const calls = [queue.put(large), queue.put(numbered(1, 1))];
    requests[0]!.gate.refuse(new Error('refused'));
    await expect(calls[0]).rejects.toThrow('refused');
    await eventually('the next call is sent', () => requests.length === 2);
    expect(valuesOf(requests[1]!.messages)).toEqual(['m-0']);
    requests[1]!.gate.open();
    await calls[1];
    expect(requests).toHaveLength(2);
  });
});
