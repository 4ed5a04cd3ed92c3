import { expect, it } from 'vitest';
import { eventually } from '../../spec/eventually.ts';
import type { MessageBusHarness } from './harness.ts';
import { makeNames, newName, numbered, soon, startRecorder, valuesOf, waitingIn } from './recorder.ts';

export function specifyDurability(harness: MessageBusHarness): void {
  it('loses nothing when a consumer is killed', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const { topic, group, deadLetterTopic } = names;
    const child = await harness.spawn(bus, { kind: 'consume', topic, group, deadLetterTopic, concurrency: 4 });
    const messages = numbered(3_000, 50);
    const produce = async () => {
      for (let start = 0; start < messages.length; start += 100) {
        await bus.produce(topic, messages.slice(start, start + 100));
      }
    };
    const producing = produce();
    await soon('the child has finished some', () => child.told().length >= 200);
    await child.kill();
    await producing;
    const successor = startRecorder(bus, names, { concurrency: 50 });
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
    expect(new Set([...child.told(), ...valuesOf(successor.finished)])).toEqual(new Set(valuesOf(messages)));
  });

  it('hands the partitions of a member that died to those that live', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const { topic, group, deadLetterTopic } = names;
    const survivor = startRecorder(bus, names);
    const child = await harness.spawn(bus, { kind: 'consume', topic, group, deadLetterTopic, concurrency: 4 });
    let round = 0;
    await soon('the child has joined', async () => {
      round += 1;
      await bus.produce(topic, numbered(40, 40, `joining-${round}`));
      await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
      return child.told().length > 0;
    });
    await child.kill();
    const messages = numbered(80, 40, 'orphan');
    await bus.produce(topic, messages);
    await soon('the survivor finished all', async () => (await waitingIn(bus, names)) === 0);
    const finished = new Set(valuesOf(survivor.finished));
    expect(valuesOf(messages).filter((value) => !finished.has(value))).toEqual([]);
  });

  it.each([1, 300])('keeps every acknowledged message when a producer is killed after %i', async (least) => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const child = await harness.spawn(bus, { kind: 'produce', topic: names.topic });
    await soon('the child has produced', () => child.told().length >= least);
    await child.kill();
    await bus.produce(names.topic, [{ key: 'after', value: 'after' }]);
    const { begun } = startRecorder(bus, names, { concurrency: 50 });
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
    const stored = new Set(valuesOf(begun));
    expect(stored.has('after')).toBe(true);
    expect(child.told().filter((value) => !stored.has(value))).toEqual([]);
  });

  it('goes on by itself after the back end was away, and has lost nothing', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const drops: Error[] = [];
    const recorder = startRecorder(bus, names, { onDrop: (error) => void drops.push(error) });
    const acknowledged: string[] = [];
    let isOver = false;
    const produce = async () => {
      for (let number = 0; !isOver || number < 50; number += 1) {
        const value = newName(`m-${number}`);
        const stored = bus.produce(names.topic, [{ key: `key-${number % 10}`, value }]);
        // While the back end is away a call may fail, and what it brought may be stored or not.
        await stored.then(
          () => acknowledged.push(value),
          () => undefined,
        );
        await harness.passTime(5);
      }
    };
    const producing = produce();
    await soon('it flows', () => recorder.finished.length > 10);
    await harness.interrupt(bus);
    const before = acknowledged.length;
    await soon('it is produced again', () => acknowledged.length > before + 10);
    isOver = true;
    await producing;
    await eventually('nothing waits', async () => (await waitingIn(bus, names)) === 0, { withinMs: 50_000 });
    const finished = new Set(valuesOf(recorder.finished));
    expect(acknowledged.filter((value) => !finished.has(value))).toEqual([]);
    for (const drop of drops) expect(drop).toBeInstanceOf(Error);
  });
}
