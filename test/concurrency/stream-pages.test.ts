import { beforeEach, expect, it } from 'vitest';
import { foldStream, streamPages } from '../../src/concurrency/stream-pages.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { Model } from '../../src/kernel/model.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import { openEventStoreForTest } from '../spec/streams/event-store-for-test.ts';
import { newEvent, newEvents } from '../spec/events/events.ts';

const stream = 'release-a';
const versions: Model<readonly number[], DomainEvent<string, { number: number }>> = {
  initial: [],
  foldVersion: 1,
  evolve: (seen, { data }) => [...seen, data.number],
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

let store: EventStore;
beforeEach(() => {
  store = openEventStoreForTest();
});

it('reads a stream of any length in pages, and all of it', async () => {
  await store.append({ stream, expectedVersion: 0, events: newEvents(200) });
  const pages: number[] = [];
  for await (const { events, isBeginning } of streamPages(store, stream)) {
    expect(isBeginning).toBe(pages.length === 0);
    pages.push(events.length);
  }
  expect(pages.length).toBeGreaterThan(1);
  expect(await foldStream(store, versions, stream)).toEqual({ version: 200, state: upTo(200) });
});

it('reads large events in pages of bounded size', async () => {
  const text = 'x'.repeat(200_000);
  for (let version = 0; version < 40; version += 1) {
    await store.append({ stream, expectedVersion: version, events: [newEvent('Large.v1', { text })] });
  }
  const pages: number[] = [];
  for await (const { events } of streamPages(store, stream)) pages.push(events.length);
  expect(Math.max(...pages.slice(1))).toBeLessThanOrEqual(5);
  expect(pages.reduce((sum, size) => sum + size, 0)).toBe(40);
});

it('asks once for a short stream, and for one that is not there', async () => {
  await store.append({ stream, expectedVersion: 0, events: newEvents(3) });
  let reads = 0;
  const counted: Pick<EventStore, 'read'> = {
    read: (...given) => {
      reads += 1;
      return store.read(...given);
    },
  };
  expect(await foldStream(counted, versions, stream)).toEqual({ version: 3, state: upTo(3) });
  expect(await foldStream(counted, versions, 'release-b')).toEqual({ version: 0, state: [] });
  expect(reads).toBe(2);
});

it('begins anew with what is left when the stream is truncated meanwhile', async () => {
  await store.append({ stream, expectedVersion: 0, events: newEvents(60) });
  let isTruncated = false;
  const truncating: Pick<EventStore, 'read'> = {
    read: async (...given) => {
      const page = await store.read(...given);
      if (!isTruncated) await store.truncate(stream, 50);
      isTruncated = true;
      return page;
    },
  };
  expect(await foldStream(truncating, versions, stream)).toEqual({ version: 60, state: upTo(60).slice(49) });
});
