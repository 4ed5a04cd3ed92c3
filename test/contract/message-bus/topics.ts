import { expect, it } from 'vitest';
import type { MessageBusHarness } from './harness.ts';
import { declared, makeNames, newName, numbered, soon, startRecorder, waitingIn } from './recorder.ts';

export function specifyTopics(harness: MessageBusHarness): void {
  it('makes the topics that are missing, and nothing the second time', async () => {
    const bus = await harness.make();
    const topics = [declared({ partitions: 3 }), declared({ partitions: 1 })];
    expect(await bus.ensureTopics(topics)).toEqual([]);
    expect(await bus.ensureTopics(topics)).toEqual([]);
    expect(await bus.topics()).toEqual(expect.arrayContaining(topics.map(({ name }) => name)));
    const group = newName('group');
    const progress = await bus.progress(group, [topics[0]!.name]);
    expect(progress.map(({ partition }) => partition)).toEqual([0, 1, 2]);
  });

  it('is ensured by two at once', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const topics = [declared(), declared()];
    const said = await Promise.all(buses.map((bus) => bus.ensureTopics(topics)));
    expect(said).toEqual([[], []]);
  });

  it('grows partitions, also under a consumer that runs, and keeps what is there', async () => {
    const bus = await harness.make();
    const small = declared({ partitions: 1 });
    const names = { ...(await makeNames(bus)), topic: small.name };
    await bus.ensureTopics([small]);
    await bus.produce(small.name, numbered(10, 10, 'before'));
    const { begun } = startRecorder(bus, names);
    await soon('the first are handled', () => begun.length >= 10);
    expect(await bus.ensureTopics([{ ...small, partitions: 5 }])).toEqual([]);
    await soon('all partitions are there', async () => (await bus.progress(names.group, [small.name])).length === 5);
    await bus.produce(small.name, numbered(100, 100, 'after'));
    await soon('the others are handled', () => new Set(begun.map(({ value }) => value)).size === 110);
    expect(new Set(begun.map(({ partition }) => partition)).size).toBeGreaterThan(1);
  });

  it('tells in which partition the messages of a key lie', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 5 });
    const { begun } = startRecorder(bus, names);
    await bus.produce(names.topic, numbered(40, 20));
    await soon('all are begun', () => begun.length >= 40);
    const told = await bus.partitionsOf(
      names.topic,
      begun.map(({ key }) => key),
    );
    expect(told).toEqual(begun.map(({ partition }) => partition));
    expect(new Set(told).size).toBeGreaterThan(1);
    const absent = newName('absent');
    await expect(bus.partitionsOf(absent, ['a'])).rejects.toThrow(absent);
  });

  it('says so when fewer partitions are declared than there are', async () => {
    const bus = await harness.make();
    const topic = declared({ partitions: 3 });
    await bus.ensureTopics([topic]);
    const said = await bus.ensureTopics([{ ...topic, partitions: 2 }]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(topic.name);
    expect(said[0]).toMatch(/\b3\b.*\b2\b/);
    expect(await bus.progress(newName('group'), [topic.name])).toHaveLength(3);
  });

  it('refuses to produce to, consume from and tell of a topic that is not there, and names it', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const topic = newName('absent');
    await expect(bus.produce(topic, numbered(1, 1))).rejects.toThrow(topic);
    await expect(bus.progress(names.group, [topic])).rejects.toThrow(topic);
    const consumer = startRecorder(bus, names, { topics: [names.topic, topic] }).consumer;
    await expect(consumer.done).rejects.toThrow(topic);
    await consumer.close();
    const unburied = startRecorder(bus, { ...names, deadLetterTopic: topic }).consumer;
    await expect(unburied.done).rejects.toThrow(topic);
    await unburied.close();
  });

  it('tells how much waits, of a group that never came too', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 2 });
    expect(await waitingIn(bus, names)).toBe(0);
    await bus.produce(names.topic, numbered(12, 6));
    expect(await waitingIn(bus, names)).toBe(12);
    const { consumer } = startRecorder(bus, names);
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
    await consumer.close();
    await bus.produce(names.topic, numbered(5, 5));
    expect(await waitingIn(bus, names)).toBe(5);
    expect(await waitingIn(bus, { ...names, group: newName('group') })).toBe(17);
  });

  it('can be closed twice, closes its consumers, and takes nothing afterwards', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const { consumer } = startRecorder(bus, names);
    await bus.close();
    await consumer.done;
    await bus.close();
    await expect(bus.produce(names.topic, numbered(1, 1))).rejects.toThrow('closed');
  });
}
