import { expect, it } from 'vitest';
import { memoryInUse } from '../../spec/memory-in-use.ts';
import type { MessageBusHarness } from './harness.ts';
import { createGate, type Gate, makeNames, numbered, soon, startRecorder, waitingIn } from './recorder.ts';

/** Handlers that each wait until they are let go, the oldest first. */
function createTurnstile() {
  const gates: Gate[] = [];
  return {
    handle: async () => {
      const gate = createGate();
      gates.push(gate);
      await gate.passed;
    },
    waiting: () => gates.length,
    letOneGo: () => gates.shift()?.open(),
  };
}

export function specifyLimiting(harness: MessageBusHarness): void {
  it('begins as many as it may at once, and never more', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const turnstile = createTurnstile();
    await bus.produce(names.topic, numbered(60, 60));
    const recorder = startRecorder(bus, names, { concurrency: 4, handle: turnstile.handle });
    for (let left = 60; left > 0; left -= 1) {
      await soon('all that may run do', () => turnstile.waiting() === Math.min(4, left));
      turnstile.letOneGo();
    }
    await soon('all are finished', () => recorder.finished.length === 60);
    expect(recorder.atOnceMax()).toBe(4);
  });

  it('begins one of a key at a time, and of others meanwhile', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const turnstile = createTurnstile();
    await bus.produce(names.topic, numbered(30, 3));
    const recorder = startRecorder(bus, names, { concurrency: 10, handle: turnstile.handle });
    await soon('one of each key is begun', () => turnstile.waiting() === 3);
    for (let left = 30; left > 0; left -= 1) {
      await soon('there is one to let go', () => turnstile.waiting() > 0);
      turnstile.letOneGo();
    }
    await soon('all are finished', () => recorder.finished.length === 30);
    expect(recorder.perKeyMax()).toBe(1);
    expect(recorder.atOnceMax()).toBe(3);
  });

  it('begins as many of a key as it may, in their order', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const turnstile = createTurnstile();
    await bus.produce(names.topic, numbered(12, 1));
    const recorder = startRecorder(bus, names, { concurrency: 10, concurrencyPerKey: 3, handle: turnstile.handle });
    for (let left = 12; left > 0; left -= 1) {
      await soon('all that may run do', () => turnstile.waiting() === Math.min(3, left));
      turnstile.letOneGo();
    }
    await soon('all are finished', () => recorder.finished.length === 12);
    expect(recorder.perKeyMax()).toBe(3);
    expect(recorder.begun.map(({ value }) => value)).toEqual(numbered(12, 1).map(({ value }) => value));
  });

  it('counts what is tried again among those that run', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    await bus.produce(names.topic, numbered(40, 8));
    const recorder = startRecorder(bus, names, {
      concurrency: 3,
      handle: async ({ attempt }) => {
        await harness.passTime(5);
        if (attempt === 1) throw new Error('once');
      },
    });
    await soon('all are finished', () => recorder.finished.length >= 40);
    expect(recorder.atOnceMax()).toBeLessThanOrEqual(3);
    expect(recorder.perKeyMax()).toBe(1);
  });

  it('refuses limits that are none', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      expect(() => startRecorder(bus, names, { concurrency })).toThrow(String(concurrency));
    }
    expect(() => startRecorder(bus, names, { concurrencyPerKey: 0 })).toThrow('0');
    expect(() => startRecorder(bus, names, { topics: [] })).toThrow('topics');
  });

  it('reads no more than it can hold while a handler is slow', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const count = 240;
    for (let number = 0; number < count; number += 10) {
      const value = `${number} `.padEnd(900_000, '.');
      await bus.produce(
        names.topic,
        Array.from({ length: 10 }, (_, index) => ({ key: `key-${number + index}`, value })),
      );
    }
    const beforeBytes = memoryInUse();
    const turnstile = createTurnstile();
    const { group, topic, deadLetterTopic } = names;
    bus.consume({ group, topics: [topic], deadLetterTopic, concurrency: 2, handle: turnstile.handle });
    let handled = 0;
    for (; handled < 80; handled += 1) {
      await soon('two are begun', () => turnstile.waiting() === 2);
      turnstile.letOneGo();
    }
    // What is not handled yet would be 144 MB.
    expect(memoryInUse() - beforeBytes).toBeLessThan(80_000_000);
    for (; handled < count; handled += 1) {
      await soon('there is one to let go', () => turnstile.waiting() > 0);
      turnstile.letOneGo();
    }
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
  });
}
