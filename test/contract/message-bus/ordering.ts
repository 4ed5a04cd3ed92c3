import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSeeded } from '../../spec/seeded.ts';
import type { MessageBusHarness } from './harness.ts';
import { firstsByKey, makeNames, numbered, soon, startRecorder } from './recorder.ts';
import { joinBoth } from './two-members.ts';

export function specifyOrdering(harness: MessageBusHarness): void {
  it('begins the messages of a key in their order, however long each takes', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const messages = numbered(500, 10);
    for (let start = 0; start < messages.length; start += 50) {
      await bus.produce(names.topic, messages.slice(start, start + 50));
    }
    const seeded = createSeeded(1);
    const recorder = startRecorder(bus, names, {
      concurrency: 16,
      handle: async () => {
        for (let turns = seeded.int(0, 5); turns > 0; turns -= 1) await nextTurn();
      },
    });
    await soon('all are finished', () => recorder.finished.length >= 500);
    expect(firstsByKey(recorder.begun)).toEqual(firstsByKey(messages));
    expect(recorder.perKeyMax()).toBe(1);
  });

  it('begins them in their order too when several of a key may run at once', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const messages = numbered(300, 3);
    await bus.produce(names.topic, messages);
    const { begun } = startRecorder(bus, names, { concurrency: 12, concurrencyPerKey: 4, handle: () => nextTurn() });
    await soon('all are begun', () => begun.length >= 300);
    expect(firstsByKey(begun)).toEqual(firstsByKey(messages));
  });

  it('keeps the order of a key among two members', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const names = await makeNames(buses[0]);
    const { all } = await joinBoth(buses, names, { handle: () => nextTurn() });
    const messages = numbered(400, 20, 'counted');
    for (let start = 0; start < messages.length; start += 40) {
      await buses[start % 80 === 0 ? 0 : 1].produce(names.topic, messages.slice(start, start + 40));
    }
    await soon('all are finished', () => all.finished.length >= 400);
    expect(firstsByKey(all.begun)).toEqual(firstsByKey(messages));
  });

  it('keeps the order of each key among 20,000 messages', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 6 });
    const messages = numbered(20_000, 100);
    const { begun } = startRecorder(bus, names, { concurrency: 50 });
    for (let start = 0; start < messages.length; start += 500) {
      await bus.produce(names.topic, messages.slice(start, start + 500));
    }
    await soon('all are begun', () => begun.length >= messages.length);
    expect(begun).toHaveLength(messages.length);
    expect(firstsByKey(begun)).toEqual(firstsByKey(messages));
    await soon('nothing waits', async () =>
      (await bus.progress(names.group, [names.topic])).every(({ waiting }) => waiting === 0),
    );
  });
}
