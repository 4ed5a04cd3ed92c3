import { expect, it } from 'vitest';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { everyEvent, idsOf } from './every-event.ts';
import { createGate, follow } from './follow.ts';
import type { EventStoreHarness } from './harness.ts';

const types = ['Odd.v1', 'Even.v1'];

/** Appends of two events each, one after another, of each type in turn. */
async function writeMany(store: EventStore, stream: string, appends: number): Promise<void> {
  for (let index = 0; index < appends; index++) {
    const events = newEvents(2, types[index % 2]);
    const outcome = await store.append({ stream, expectedVersion: index * 2, events });
    expect(outcome).toMatchObject({ outcome: 'appended' });
  }
}

const increasing = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));

export function specifySubscribing(harness: EventStoreHarness): void {
  it('hands over large events in batches of bounded size', async () => {
    const store = await harness.make();
    const text = 'x'.repeat(800_000);
    for (let index = 0; index < 14; index += 1) {
      await store.append({ stream: `release-${index}`, expectedVersion: 0, events: [newEvent('Large.v1', { text })] });
    }
    await harness.settle();
    const head = await store.head();
    const followed = follow(store, { afterPosition: 0, batchSize: 1_000 });
    await eventually('the subscription has seen the head', () => followed.positions.at(-1) === head);
    await followed.subscription.close();
    expect(followed.events).toHaveLength(14);
    expect(Math.max(...followed.batchSizes)).toBeLessThanOrEqual(12);
  });

  it.each([
    { filter: {}, count: 496 },
    { filter: { types: ['Odd.v1'] }, count: 248 },
  ])(
    'goes from a position through catch-up to live without loss or repeat while two write ($filter)',
    async ({ filter, count }) => {
      const [left, right] = await harness.makeTwoOnOneBackend();
      await writeMany(left, 'org-before', 60);
      const afterPosition = (await left.readAll({ afterPosition: 0, limit: 30 })).position;
      const writes = [writeMany(left, 'org-left', 100), writeMany(right, 'org-right', 100)];
      const followed = follow(left, { afterPosition, batchSize: 7, ...filter });
      await Promise.all(writes);
      await writeMany(right, 'org-after', 3);
      await harness.settle();
      const head = await right.head();
      await eventually('the subscription has seen the head', () => followed.positions.at(-1) === head);
      await followed.subscription.close();

      const expected = await everyEvent(right, { afterPosition, ...filter });
      expect(idsOf(followed.events)).toEqual(idsOf(expected));
      expect(expected).toHaveLength(count);
      expect(increasing(followed.positions)).toBe(true);
      expect(Math.max(...followed.batchSizes)).toBeLessThanOrEqual(7);
      expect(followed.atOnceMax()).toBe(1);
    },
  );

  it('sees what another store on the same back end appends', async () => {
    const [left, right] = await harness.makeTwoOnOneBackend();
    const followed = follow(left);
    for (let version = 0; version < 5; version++) {
      await right.append({ stream: 'org-a', expectedVersion: version, events: newEvents(1) });
      await eventually('the event has arrived', () => followed.events.length === version + 1);
    }
    await followed.subscription.close();
  });

  it('moves its position past events of other types', async () => {
    const store = await harness.make();
    const followed = follow(store, { types: ['Wanted.v1'] });
    for (let version = 0; version < 3; version++) {
      await store.append({ stream: 'org-a', expectedVersion: version, events: [newEvent('Other.v1')] });
      const head = await store.head();
      await eventually('the position has moved', () => followed.positions.at(-1) === head);
    }
    expect(followed.events).toEqual([]);
    await followed.subscription.close();
  });

  it('finds old versions of the asked types', async () => {
    const store = await harness.make();
    const followed = follow(store, { types: ['ThingNamed.v2'] });
    const events = [newEvent(), newEvent('ThingNamed.v1', { name: 'n' })];
    await store.append({ stream: 'org-a', expectedVersion: 0, events });
    await eventually('the event has arrived', () => followed.events.length === 1);
    expect(followed.events[0]).toMatchObject({ type: 'ThingNamed.v2', data: { names: ['n'] } });
    await followed.subscription.close();
  });

  it('never overruns a slow handler', async () => {
    const store = await harness.make();
    const gate = createGate();
    const entered = createGate();
    const during = () => {
      entered.open();
      return gate.passed;
    };
    const followed = follow(store, { batchSize: 5, during });
    for (let index = 0; index < 20; index++) {
      await store.append({ stream: `org-${index}`, expectedVersion: 0, events: newEvents(5) });
    }
    await entered.passed;
    // Another subscriber has passed everything while the slow one still holds its first batch.
    const quick = follow(store, { batchSize: 50 });
    await eventually('the quick one has seen all', () => quick.events.length === 100);
    expect(followed.events).toHaveLength(0);
    expect(followed.atOnceMax()).toBe(1);
    gate.open();
    await eventually('the slow one has seen all', () => followed.events.length === 100);
    expect(followed.atOnceMax()).toBe(1);
    expect(Math.max(...followed.batchSizes)).toBeLessThanOrEqual(5);
    expect(idsOf(followed.events)).toEqual(idsOf(quick.events));
    await Promise.all([followed.subscription.close(), quick.subscription.close()]);
  });

  it('ends with the error that its handler threw', async () => {
    const store = await harness.make();
    let calls = 0;
    const { done } = store.subscribe({
      afterPosition: 0,
      batchSize: 1,
      onBatch: async () => {
        calls += 1;
        throw new Error('the handler failed');
      },
    });
    const ended = expect(done).rejects.toThrow('the handler failed');
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(3) });
    await ended;
    const other = follow(store);
    await store.append({ stream: 'org-a', expectedVersion: 3, events: newEvents(3) });
    await eventually('another subscriber has seen all', () => other.events.length === 6);
    expect(calls).toBe(1);
    await other.subscription.close();
  });

  it('lets the batch in hand finish when it is closed, and gives no other', async () => {
    const store = await harness.make();
    const gate = createGate();
    const entered = createGate();
    const during = () => {
      entered.open();
      return gate.passed;
    };
    const followed = follow(store, { batchSize: 2, during });
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(6) });
    await entered.passed;
    let closed = false;
    const closing = followed.subscription.close().then(() => {
      closed = true;
    });
    await store.append({ stream: 'org-b', expectedVersion: 0, events: newEvents(1) });
    expect(closed).toBe(false);
    gate.open();
    await closing;
    await followed.subscription.done;
    await followed.subscription.close();
    expect(followed.batchSizes).toEqual([followed.events.length]); // one; a store need not wait until it is full
    expect(followed.events.length).toBeLessThanOrEqual(2);
  });

  it('ends its subscriptions when it is closed, and may be closed twice', async () => {
    const store = await harness.make();
    const { subscription } = follow(store);
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(1) });
    await Promise.all([store.close(), store.close()]);
    await store.close();
    await subscription.done;
    await subscription.close();
  });
}
