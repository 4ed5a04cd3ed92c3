import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prefixedBus } from '../../../src/adapters/dispatch/prefixed-bus.ts';
import type { MessageBus, ReceivedMessage } from '../../../src/ports/message-bus.ts';
import { eventually } from '../../spec/eventually.ts';
import { openEmbeddedBus } from '../../spec/worlds/embedded-bus.ts';

let bus: MessageBus;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ bus, close } = await openEmbeddedBus());
});
afterEach(() => close());

const topics = ['work', 'dead'].map((name) => ({ name, partitions: 1, retentionMs: 60_000 }));

/** Takes everything of the topic; what is `bad` is refused until it is buried. */
const collect = (of: MessageBus, topic: string, buried: ReceivedMessage[] = []) => {
  const taken: ReceivedMessage[] = [];
  const consumer = of.consume({
    group: 'readers',
    topics: [topic],
    concurrency: 10,
    deadLetterTopic: 'dead',
    onDeadLetter: (message) => void buried.push(message),
    handle: async (message) => {
      if (message.value === 'bad') throw new Error('refused');
      taken.push(message);
    },
  });
  return { taken, consumer };
};

describe('a bus with a prefix', () => {
  it('is a bus of its own beside others on the same one', async () => {
    const one = prefixedBus(bus, 'one.');
    const two = prefixedBus(bus, 'two.');
    await one.ensureTopics(topics);
    await two.ensureTopics(topics);
    expect((await one.topics()).sort()).toEqual(['dead', 'work']);
    expect((await bus.topics()).sort()).toEqual(['one.dead', 'one.work', 'two.dead', 'two.work']);

    const buried: ReceivedMessage[] = [];
    await one.produce('work', [
      { key: 'a', value: '1' },
      { key: 'b', value: 'bad' },
    ]);
    await two.produce('work', [{ key: 'a', value: '2' }]);
    const ofOne = collect(one, 'work', buried);
    const ofTwo = collect(two, 'work');
    const done = async () => (await one.progress('readers', ['work']))[0]?.waiting === 0 && ofTwo.taken.length === 1;
    await eventually('all is taken', done);
    expect(ofOne.taken).toMatchObject([{ topic: 'work', value: '1' }]);
    expect(ofTwo.taken).toMatchObject([{ topic: 'work', value: '2' }]);
    expect(buried).toMatchObject([{ topic: 'work', value: 'bad' }]);
    expect((await bus.progress('nobody', ['one.dead', 'two.dead'])).map(({ waiting }) => waiting)).toEqual([1, 0]);
  });

  it('delays the topics that are its own', async () => {
    const one = prefixedBus(bus, 'one.');
    await one.ensureTopics([...topics, { name: 'late', partitions: 1, retentionMs: 60_000 }]);
    await one.produce('late', [{ key: 'a', value: 'late' }]);
    await one.produce('work', [{ key: 'a', value: 'now' }]);
    const taken: string[] = [];
    one.consume({
      group: 'readers',
      topics: ['late', 'work'],
      delaysMs: new Map([['late', 3_600_000]]),
      concurrency: 10,
      deadLetterTopic: 'dead',
      handle: async ({ value }) => void taken.push(value),
    });
    await eventually(
      'what is not late has come',
      async () => (await one.progress('readers', ['work']))[0]?.waiting === 0,
    );
    expect(taken).toEqual(['now']);
    expect((await one.progress('readers', ['late']))[0]?.waiting).toBe(1);
  });

  it('without one is the bus itself', () => expect(prefixedBus(bus, '')).toBe(bus));
});
