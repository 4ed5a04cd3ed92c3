import { beforeEach, describe, expect, it } from 'vitest';
import type { UntriedMessage } from '../../../src/adapters/dispatch/dispatched-partition.ts';
import { createKeyDispatcher, type KeyDispatcherOptions } from '../../../src/adapters/dispatch/key-dispatcher.ts';
import type { ReceivedMessage } from '../../../src/ports/message-bus.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';

interface Running {
  readonly message: ReceivedMessage;
  readonly lost: AbortSignal;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const messageAt = (offset: number, key: string, value = `${key}${offset}`): UntriedMessage => ({
  topic: 'jobs',
  partition: 0,
  offset,
  producedAtMs: 0,
  key,
  value,
  headers: {},
});

describe('the dispatcher of messages by key', () => {
  let clock: FakeClock;
  let running: Running[];
  let begun: string[];
  let dead: string[];
  let rooms: number;
  let drops: Error[];
  beforeEach(() => {
    clock = createFakeClock();
    running = [];
    begun = [];
    dead = [];
    rooms = 0;
    drops = [];
  });

  const create = (concurrency: number, concurrencyPerKey = 1, options: Partial<KeyDispatcherOptions> = {}) =>
    createKeyDispatcher({
      limits: { concurrency, concurrencyPerKey },
      clock,
      handle: (message, lost) =>
        new Promise<void>((resolve, reject) => {
          begun.push(`${message.value}#${message.attempt}`);
          running.push({ message, lost, finish: resolve, fail: reject });
        }),
      deadLetter: async ({ value }) => void dead.push(value),
      onDeadLetter: undefined,
      onDrop: (error) => void drops.push(error),
      onFinished: () => {},
      onRoom: () => {
        rooms += 1;
      },
      ...options,
    });
  const oldest = (): Running => running.shift() ?? expect.fail('nothing runs');
  const finishOldest = async () => {
    oldest().finish();
    await turn();
  };
  const failOldest = async (error: unknown = new Error('refused')) => {
    oldest().fail(error);
    await turn();
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    await turn();
  };

  it('lets keys take turns and keeps the order of each', async () => {
    const partition = create(2).open(0);
    for (const [offset, key] of ['a', 'a', 'a', 'b', 'b', 'c'].entries()) partition.add(messageAt(offset, key));
    expect(begun).toEqual(['a0#1', 'b3#1']);
    await finishOldest();
    expect(begun.at(-1)).toBe('c5#1');
    await finishOldest();
    await finishOldest();
    expect(begun.slice(3)).toEqual(['a1#1', 'b4#1']);
    expect(partition.next()).toBe(1);
  });

  it('runs as many of a key as it may', async () => {
    const partition = create(10, 2).open(0);
    for (let offset = 0; offset < 5; offset += 1) partition.add(messageAt(offset, 'a'));
    expect(begun).toEqual(['a0#1', 'a1#1']);
    await finishOldest();
    expect(begun).toEqual(['a0#1', 'a1#1', 'a2#1']);
  });

  it('keeps keys of two partitions apart', () => {
    const dispatcher = create(10);
    dispatcher.open(0).add(messageAt(0, 'a'));
    dispatcher.open(0).add(messageAt(0, 'a', 'other'));
    expect(begun).toEqual(['a0#1', 'other#1']);
  });

  it('tries again after 100, 200, 400 and 800 ms, beside the others, and then gives it up for dead', async () => {
    const told: unknown[] = [];
    const error = new Error('refused');
    const partition = create(1, 1, { onDeadLetter: (message, reason) => told.push([message.attempt, reason]) }).open(0);
    partition.add(messageAt(0, 'a'));
    partition.add(messageAt(1, 'a'));
    await failOldest(error);
    expect(begun).toEqual(['a0#1', 'a1#1']);
    await finishOldest();
    for (const [index, delayMs] of [100, 200, 400, 800].entries()) {
      await pass(delayMs - 1);
      expect(running).toHaveLength(0);
      await pass(1);
      expect(begun.at(-1)).toBe(`a0#${index + 2}`);
      expect(dead).toEqual([]);
      expect(partition.next()).toBe(0);
      await failOldest(error);
    }
    expect(dead).toEqual(['a0']);
    expect(told).toEqual([[5, error]]);
    expect(partition.next()).toBe(2);
  });

  it('begins a retry before what waits of its key', async () => {
    const partition = create(1).open(0);
    for (let offset = 0; offset < 4; offset += 1) partition.add(messageAt(offset, 'a'));
    await failOldest();
    await pass(100);
    await finishOldest();
    expect(begun).toEqual(['a0#1', 'a1#1', 'a0#2']);
  });

  it('does not finish a message before its dead letter is stored', async () => {
    let refusals = 2;
    const partition = create(1, 1, {
      deadLetter: async ({ value }) => {
        refusals -= 1;
        if (refusals >= 0) throw new Error('cannot be reached');
        dead.push(value);
      },
    }).open(0);
    partition.add(messageAt(0, 'a'));
    for (const delayMs of [100, 200, 400, 800, 0]) {
      await failOldest();
      await pass(delayMs);
    }
    expect(drops).toHaveLength(1);
    expect(partition.next()).toBe(0);
    await pass(100);
    expect(drops).toHaveLength(2);
    expect(partition.next()).toBe(0);
    await pass(200);
    expect(dead).toEqual(['a0']);
    expect(partition.next()).toBe(1);
  });

  it('begins nothing more of a partition that is given up, and waits for what is in hand', async () => {
    const dispatcher = create(2);
    const partition = dispatcher.open(0);
    for (const [offset, key] of ['a', 'b', 'c', 'd'].entries()) partition.add(messageAt(offset, key));
    await failOldest(); // a is to be tried again later, c begins
    let isGivenUp = false;
    const givingUp = partition.giveUp().then(() => {
      isGivenUp = true;
    });
    await finishOldest(); // b
    await pass(100);
    expect(isGivenUp).toBe(false);
    await failOldest(); // c
    await givingUp;
    await pass(1_000);
    expect(begun).toEqual(['a0#1', 'b1#1', 'c2#1']);
    expect(partition.next()).toBe(0);
    expect(() => partition.add(messageAt(9, 'a'))).toThrow('given up');
    const other = dispatcher.open(5);
    other.add(messageAt(5, 'a'));
    expect(begun.at(-1)).toBe('a5#1');
  });

  it('resolves at once when nothing is in hand', async () => {
    const partition = create(1).open(4);
    await partition.giveUp();
    expect(partition.next()).toBe(4);
  });

  it('tells handlers of a lost partition, and buries nothing of it', async () => {
    const partition = create(1).open(0);
    partition.add(messageAt(0, 'a'));
    for (const delayMs of [100, 200, 400, 800]) {
      await failOldest();
      await pass(delayMs);
    }
    const last = oldest();
    expect(last.lost.aborted).toBe(false);
    partition.lose();
    expect(last.lost.aborted).toBe(true);
    last.fail(new Error('aborted'));
    await turn();
    expect(dead).toEqual([]);
  });

  it('has room for some more than it may run, and says when there is room again', async () => {
    const partition = create(1).open(0);
    let offset = 0;
    for (; partition.hasRoom(); offset += 1) partition.add(messageAt(offset, 'a'));
    expect(offset).toBeGreaterThan(1);
    expect(offset).toBeLessThan(2_000);
    expect(rooms).toBe(0);
    await finishOldest();
    expect(rooms).toBe(1);
    expect(partition.hasRoom()).toBe(true);
    await finishOldest();
    expect(rooms).toBe(1);
  });

  it('has room for few that are large, and always for one', () => {
    const partition = create(100).open(0);
    let count = 0;
    for (; partition.hasRoom(); count += 1) partition.add(messageAt(count, 'a', 'x'.repeat(900_000)));
    expect(count).toBeLessThanOrEqual(5);
  });
});
