import {
  type AllStreamSubscription,
  eventTypeFilter,
  excludeSystemEvents,
  type Position,
  type StreamSubscription,
  streamNameFilter,
} from '@eventstore/db-client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../spec/eventually.ts';
import { counted, newStreamName, numbersIn, plainPath } from '../../../standin/eventstoredb/standin-fixture.ts';
import { client, standin, stream, useFreshStream } from './fresh-stream.ts';

useFreshStream();

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const append = (numbers: readonly number[], to = stream) =>
  client.appendToStream(
    to,
    numbers.map((n) => counted(n)),
    plainPath,
  );

/** Numbers, `confirmed` and `caught up` in the order in which they come. */
const follow = (subscription: AllStreamSubscription | StreamSubscription): (number | string)[] => {
  const seen: (number | string)[] = [];
  subscription.on('error', (error) => seen.push(`error ${'type' in error ? String(error.type) : error.message}`));
  subscription.on('end', () => seen.push('end'));
  subscription.on('confirmation', () => seen.push('confirmed'));
  subscription.on('caughtUp', () => seen.push('caught up'));
  subscription.on('data', (event) => seen.push(...numbersIn([event])));
  return seen;
};
const until = (seen: readonly unknown[], last: unknown) =>
  eventually(`${String(last)} comes`, () => seen.includes(last));

describe('EventStoreDB stand-in, subscriptions', () => {
  test('to $all: confirmation, stored events, caught up, live events', async () => {
    await append([1, 2, 3]);
    const subscription = client.subscribeToAll({ fromPosition: 'start' });
    const seen = follow(subscription);
    await until(seen, 'caught up');
    await append([4]);
    await until(seen, 4);
    expect(seen).toEqual(['confirmed', 1, 2, 3, 'caught up', 4]);
    await subscription.unsubscribe();
    await eventually('the call has ended', async () => (await standin.stats()).openCalls.subscribe === 0);
  });

  test('start behind the given position or revision', async () => {
    const { position } = await append([1]);
    await append([2, 3]);
    const all = client.subscribeToAll({ ...(position && { fromPosition: position }) });
    const one = client.subscribeToStream(stream, { fromRevision: 1n });
    const end = client.subscribeToAll({ fromPosition: 'end' });
    const [inAll, inOne, atEnd] = [follow(all), follow(one), follow(end)];
    await until(atEnd, 'caught up');
    await append([4]);
    for (const seen of [inAll, inOne, atEnd]) await until(seen, 4);
    expect(inAll.filter(Number)).toEqual([2, 3, 4]);
    expect(inOne.filter(Number)).toEqual([3, 4]);
    expect(atEnd).toEqual(['confirmed', 'caught up', 4]);
  });

  test('have neither gap nor repeat while others append', async () => {
    await append(range(1, 500));
    const seen = follow(client.subscribeToAll({ fromPosition: 'start' }));
    for (const n of range(501, 700)) await append([n]);
    await until(seen, 700);
    expect(seen.filter(Number)).toEqual(range(1, 700));
  });

  test('to a stream wait for it, pass what is truncated, and end with its tombstone', async () => {
    const seen = follow(client.subscribeToStream(stream));
    await until(seen, 'confirmed');
    await append([1, 2]);
    await until(seen, 2);
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    const later = follow(client.subscribeToStream(stream));
    await until(later, 2);
    expect(later.filter(Number)).toEqual([2]);
    await client.tombstoneStream(stream);
    await until(seen, 'error stream-deleted');
    expect(seen.slice(0, 4)).toEqual(['confirmed', 1, 2, 'caught up']);
  });

  test('filter on the server by type or stream, by prefix or pattern', async () => {
    const other = newStreamName();
    await append([1]);
    await append([2], other);
    await client.setStreamMetadata(stream, { truncateBefore: 0 });
    const counts = [
      { filter: excludeSystemEvents(), events: 2 },
      { filter: eventTypeFilter({ prefixes: ['Counted', 'Other'] }), events: 2 },
      { filter: eventTypeFilter({ prefixes: ['$'] }), events: 3 },
      { filter: streamNameFilter({ prefixes: [other] }), events: 1 },
      { filter: streamNameFilter({ regex: '^test-' }), events: 2 },
    ];
    for (const { filter, events } of counts) {
      const seen = follow(client.subscribeToAll({ fromPosition: 'start', filter }));
      await until(seen, 'caught up');
      expect((await standin.stats()).subscriptions.at(-1)?.eventsWritten).toBe(events);
    }
  });

  test('give a checkpoint each window × interval events that were looked at', async () => {
    const checkpoints: Position[] = [];
    const filter = eventTypeFilter({
      prefixes: ['NeverUsed'],
      maxSearchWindow: 5,
      checkpointInterval: 2,
      checkpointReached: (_, position) => {
        checkpoints.push(position);
      },
    });
    const before = (await standin.stats()).eventsStored;
    const { position } = await append(range(1, 20 - before));
    const seen = follow(client.subscribeToAll({ fromPosition: 'start', filter }));
    await until(seen, 'caught up');
    expect(checkpoints).toHaveLength(2);
    expect(checkpoints[1]).toEqual(position);
    const live = await append(range(1, 10));
    await eventually('a live checkpoint', () => checkpoints.length === 3);
    expect(checkpoints[2]).toEqual(live.position);
    expect(seen.filter(Number)).toEqual([]);
  });

  test('write no more than the reader takes', async () => {
    for (let n = 0; n < 20; n += 1) await append(range(1, 500));
    const subscription = client.subscribeToAll({ fromPosition: 'start' });
    subscription.on('error', () => undefined);
    const reader = subscription[Symbol.asyncIterator]();
    await reader.next();
    const written = async () => (await standin.stats()).subscriptions.at(-1)?.eventsWritten ?? 0;
    let before = -1;
    await eventually(
      'the server stops writing',
      async () => {
        const now = await written();
        const stopped = now === before;
        before = now;
        return stopped;
      },
      { everyMs: 100 },
    );
    expect(await written()).toBeLessThan(3_000);
    await subscription.unsubscribe();
  });

  test('tell a live reader that falls behind, and again when it has caught up', async () => {
    const subscription = client.subscribeToAll({ fromPosition: 'end' });
    const seen = follow(subscription);
    subscription.on('fellBehind', () => seen.push('fell behind'));
    await until(seen, 'caught up');
    await append(range(1, 500));
    await eventually('caught up again', () => seen.at(-1) === 'caught up');
    expect(seen).toEqual(['confirmed', 'caught up', 'fell behind', ...range(1, 500), 'caught up']);
  });

  test('and reads share 100 calls on one connection', async () => {
    const subscriptions = range(1, 100).map(() => client.subscribeToAll({ fromPosition: 'end' }));
    const followed = subscriptions.map(follow);
    for (const seen of followed) await until(seen, 'caught up');
    let settled = false;
    const waiting = append([1]).finally(() => {
      settled = true;
    });
    await eventually('100 calls are open', async () => (await standin.stats()).openCalls.subscribe === 100);
    expect({ settled, openAppends: (await standin.stats()).openCalls.append }).toEqual({
      settled: false,
      openAppends: 0,
    });
    await subscriptions[0]?.unsubscribe();
    await waiting;
  });
});
