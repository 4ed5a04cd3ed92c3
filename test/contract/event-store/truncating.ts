import { expect, it } from 'vitest';
import { newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { everyEvent, idsOf } from './every-event.ts';
import { follow } from './follow.ts';
import type { EventStoreHarness } from './harness.ts';

export function specifyTruncating(harness: EventStoreHarness): void {
  it('forgets the events below a version and keeps numbers, order and version of the others', async () => {
    const [store, other] = await harness.makeTwoOnOneBackend();
    await store.append({ stream: 'release-a', expectedVersion: 0, events: newEvents(5) });
    await store.append({ stream: 'release-b', expectedVersion: 0, events: newEvents(2) });
    const before = await everyEvent(store);
    const head = await store.head();
    await store.truncate('release-a', 4);
    await harness.settle();

    for (const reader of [store, other]) {
      const slice = await reader.read('release-a');
      expect(slice.version).toBe(5);
      expect(slice.events.map((event) => event.version)).toEqual([4, 5]);
      expect(slice.events.map((event) => event.position)).toEqual(before.slice(3, 5).map((event) => event.position));
      const backwards = await reader.read('release-a', { direction: 'backwards' });
      expect(backwards.events.map((event) => event.version)).toEqual([5, 4]);
      expect((await reader.read('release-a', { fromVersion: 2, limit: 1 })).events[0]?.version).toBe(4);
      expect((await reader.readMany(['release-a', 'release-b'])).map(({ events }) => events.length)).toEqual([2, 2]);
      expect(await reader.head()).toBe(head);
    }
  });

  it('goes on with the numbering', async () => {
    const store = await harness.make();
    await store.append({ stream: 'release-a', expectedVersion: 0, events: newEvents(3) });
    await store.truncate('release-a', 3);
    expect(await store.append({ stream: 'release-a', expectedVersion: 0, events: newEvents(1) })).toEqual({
      outcome: 'conflict',
      actualVersion: 3,
    });
    const outcome = await store.append({ stream: 'release-a', expectedVersion: 3, events: newEvents(2) });
    expect(outcome).toMatchObject({ outcome: 'appended', version: 5 });
    expect((await store.read('release-a')).events.map((event) => event.version)).toEqual([3, 4, 5]);
  });

  it('may be done twice, further, and never less far', async () => {
    const store = await harness.make();
    await store.append({ stream: 'release-a', expectedVersion: 0, events: newEvents(6) });
    const versionsAfter = async (beforeVersion: number) => {
      await store.truncate('release-a', beforeVersion);
      return (await store.read('release-a')).events.map((event) => event.version);
    };
    expect(await versionsAfter(3)).toEqual([3, 4, 5, 6]);
    expect(await versionsAfter(3)).toEqual([3, 4, 5, 6]);
    expect(await versionsAfter(2)).toEqual([3, 4, 5, 6]);
    expect(await versionsAfter(6)).toEqual([6]);
  });

  it('forgets a whole stream and knows its version', async () => {
    const store = await harness.make();
    await store.append({ stream: 'body-a', expectedVersion: 0, events: newEvents(3) });
    await store.append({ stream: 'release-a', expectedVersion: 0, events: newEvents(1) });
    await store.truncate('body-a', 4);
    expect(await store.read('body-a')).toEqual({ stream: 'body-a', version: 3, events: [] });
    const next = newEvents(1);
    expect(await store.append({ stream: 'body-a', expectedVersion: 3, events: next })).toMatchObject({ version: 4 });
    expect(idsOf((await store.read('body-a')).events)).toEqual(idsOf(next));
  });

  it('leaves an absent stream absent', async () => {
    const store = await harness.make();
    await store.truncate('release-a', 3);
    expect(await store.read('release-a')).toEqual({ stream: 'release-a', version: 0, events: [] });
    const outcome = await store.append({ stream: 'release-a', expectedVersion: 0, events: newEvents(1) });
    expect(outcome).toMatchObject({ outcome: 'appended', version: 1 });
  });

  it('truncates many streams at once beside appends and subscriptions', async () => {
    const store = await harness.make();
    const streams = Array.from({ length: 50 }, (_, index) => `release-${index}`);
    await store.appendMany(streams.map((stream) => ({ stream, expectedVersion: 0, events: newEvents(3) })));
    const many = streams.slice(1).map((stream) => ({ stream, beforeVersion: 3 }));
    const followed = follow(store, { afterPosition: await store.head() });
    const appended = streams.map((stream) => store.append({ stream, expectedVersion: 3, events: newEvents(1) }));
    const truncated = [store.truncate(streams[0]!, 3), store.truncateMany(many)];
    await Promise.all([...truncated, ...appended]);
    await eventually('the appends have arrived', () => followed.events.length === 50);
    for (const slice of await store.readMany(streams)) {
      expect(slice.events.map((event) => event.version)).toEqual([3, 4]);
    }
    await followed.subscription.close();
  });

  it('truncates each of many streams as far as it is told, also more than fit in one step, twice, and none', async () => {
    const store = await harness.make();
    const streams = Array.from({ length: 230 }, (_, index) => `release-${index}`);
    await store.appendMany(streams.map((stream) => ({ stream, expectedVersion: 0, events: newEvents(3) })));
    const truncations = streams.map((stream, index) => ({ stream, beforeVersion: 1 + (index % 4) }));
    for (const each of [truncations, truncations, []]) await store.truncateMany(each);
    await store.truncateMany([{ stream: 'release-absent', beforeVersion: 2 }]);
    for (const [index, { version, events }] of (await store.readMany(streams)).entries()) {
      expect(version).toBe(3);
      expect(events.map((event) => event.version)).toEqual([1, 2, 3].slice(index % 4));
    }
    expect((await store.read('release-absent')).version).toBe(0);
  });
}
