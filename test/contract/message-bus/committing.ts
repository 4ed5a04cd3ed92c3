import { expect, it } from 'vitest';
import type { MessageBusHarness } from './harness.ts';
import { createGate, makeNames, numbered, soon, startRecorder, valuesOf, waitingIn } from './recorder.ts';

export function specifyCommitting(harness: MessageBusHarness): void {
  it('lets what is in hand finish before it closes, and begins nothing new', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    await bus.produce(names.topic, numbered(20, 20));
    const gate = createGate();
    const recorder = startRecorder(bus, names, { concurrency: 3, handle: () => gate.passed });
    await soon('three are in hand', () => recorder.begun.length === 3);
    let isClosed = false;
    const closing = recorder.consumer.close().then(() => {
      isClosed = true;
    });
    await bus.produce(names.topic, numbered(1, 1, 'meanwhile'));
    expect(isClosed).toBe(false);
    gate.open();
    await closing;
    await recorder.consumer.done;
    await recorder.consumer.close();
    expect(recorder.finished).toHaveLength(3);
    expect(recorder.begun).toHaveLength(3);
    const inHand = valuesOf(recorder.finished);

    const successor = startRecorder(bus, names);
    await soon('the others are finished', () => successor.finished.length >= 18);
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
    expect(valuesOf(successor.begun).filter((value) => inHand.includes(value))).toEqual([]);
  });

  it('hands over again what was not finished and all behind it, and nothing before it', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 1 });
    const messages = numbered(10, 10);
    await bus.produce(names.topic, messages);
    const gate = createGate();
    const recorder = startRecorder(bus, names, {
      concurrency: 10,
      handle: async ({ value }) => {
        if (value === 'm-4') await gate.passed;
      },
    });
    await soon('all others are finished', () => recorder.finished.length === 9);
    await soon('what is before it is committed', async () => (await waitingIn(bus, names)) === 6);
    const closing = recorder.consumer.close();
    gate.refuse(new Error('failed while closing'));
    await closing;
    expect(recorder.begun).toHaveLength(10);
    expect(await waitingIn(bus, names)).toBe(6);
    const successor = startRecorder(bus, names);
    await soon('the rest is finished', async () => (await waitingIn(bus, names)) === 0);
    expect(valuesOf(successor.begun).sort()).toEqual(valuesOf(messages.slice(4)).sort());
    expect(successor.begun.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  it('commits up to the first unfinished message when its member is killed', async () => {
    const bus = await harness.make();
    const { topic, ...rest } = await makeNames(bus, { partitions: 1 });
    const names = { topic, ...rest };
    const messages = numbered(12, 12);
    await bus.produce(topic, messages);
    const child = await harness.spawn(bus, { kind: 'consume', ...rest, topic, concurrency: 5, hangsAt: 'm-5' });
    await soon('all others are finished', () => child.told().length === 11);
    await soon('what is before it is committed', async () => (await waitingIn(bus, names)) === 7);
    await child.kill();
    const successor = startRecorder(bus, names);
    await soon('the rest is finished', async () => (await waitingIn(bus, names)) === 0);
    expect(valuesOf(successor.begun).sort()).toEqual(valuesOf(messages.slice(5)).sort());
  });
}
