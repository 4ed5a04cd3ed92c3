import { expect, it } from 'vitest';
import type { NewEvent } from '../../../src/kernel/event.ts';
import type { EventStore, ReadOptions } from '../../../src/ports/event-store.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { everyEvent, idsOf } from './every-event.ts';
import type { EventStoreHarness } from './harness.ts';

async function append(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> {
  expect(await store.append({ stream, expectedVersion: 0, events })).toMatchObject({ outcome: 'appended' });
}

export function specifyReading(harness: EventStoreHarness): void {
  const cases: { options: ReadOptions; versions: number[] }[] = [
    { options: {}, versions: [1, 2, 3, 4, 5] },
    { options: { limit: 2 }, versions: [1, 2] },
    { options: { fromVersion: 4 }, versions: [4, 5] },
    { options: { fromVersion: 2, limit: 3 }, versions: [2, 3, 4] },
    { options: { fromVersion: 6 }, versions: [] },
    { options: { limit: 99 }, versions: [1, 2, 3, 4, 5] },
    { options: { direction: 'backwards' }, versions: [5, 4, 3, 2, 1] },
    { options: { direction: 'backwards', limit: 1 }, versions: [5] },
    { options: { direction: 'backwards', fromVersion: 3 }, versions: [3, 2, 1] },
    { options: { direction: 'backwards', fromVersion: 4, limit: 2 }, versions: [4, 3] },
    { options: { direction: 'backwards', fromVersion: 99, limit: 2 }, versions: [5, 4] },
  ];
  it('reads a stream forwards and backwards, from a version, up to a limit', async () => {
    const store = await harness.make();
    await append(store, 'org-a', newEvents(5));
    await append(store, 'org-b', newEvents(2));
    for (const { options, versions } of cases) {
      const slice = await store.read('org-a', options);
      expect(slice).toMatchObject({ stream: 'org-a', version: 5 });
      expect({ options, versions: slice.events.map((event) => event.version) }).toEqual({ options, versions });
    }
  });

  it('gives back what was appended', async () => {
    const store = await harness.make();
    const event = newEvent('ThingHappened.v1', { what: 'this' }, { actor: 'user:u1', seq: 7 });
    await append(store, 'slug-org:a-b-c', [event]);
    const [recorded] = (await store.read('slug-org:a-b-c')).events;
    expect({ ...recorded }).toEqual({
      ...event,
      stream: { name: 'slug-org:a-b-c', category: 'slug', id: 'org:a-b-c' },
      version: 1,
      position: await store.head(),
    });
  });

  it('reads large events in batches of bounded size, and all of them', async () => {
    const store = await harness.make();
    const text = 'x'.repeat(800_000);
    for (let index = 0; index < 14; index += 1)
      await append(store, `release-${index}`, [newEvent('Large.v1', { text })]);
    await harness.settle();
    const sizes: number[] = [];
    for (let position = 0; ; ) {
      const batch = await store.readAll({ afterPosition: position, limit: 1_000 });
      if (batch.position === position) break;
      position = batch.position;
      sizes.push(batch.events.length);
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(14);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(12);
  });

  it('reads many streams in one call, in the order of the names, absent ones too', async () => {
    const store = await harness.make();
    const names = Array.from({ length: 300 }, (_, index) => `release-${(index * 7) % 300}`);
    const stored = names.filter((_, index) => index % 3 !== 0);
    await store.appendMany(stored.map((stream) => ({ stream, expectedVersion: 0, events: newEvents(2) })));
    const slices = await store.readMany(names);
    expect(slices.map((slice) => slice.stream)).toEqual(names);
    for (const [index, slice] of slices.entries()) {
      expect([slice.version, slice.events.length]).toEqual(index % 3 === 0 ? [0, 0] : [2, 2]);
    }
    expect(await store.readMany([])).toEqual([]);
  });

  it('reads the ends of many streams', async () => {
    const store = await harness.make();
    const lengths = [0, 1, 3, 4, 9];
    const streams = lengths.map((length) => `release-${length}`);
    for (const [index, length] of lengths.entries()) {
      if (length > 0) await append(store, streams[index]!, newEvents(length));
    }
    const slices = await store.readMany(streams, { direction: 'backwards', limit: 3 });
    expect(slices.map(({ version, events }) => [version, events.map((event) => event.version)])).toEqual([
      [0, []],
      [1, [1]],
      [3, [3, 2, 1]],
      [4, [4, 3, 2]],
      [9, [9, 8, 7]],
    ]);
  });

  it('reads all events from a position in bounded batches', async () => {
    const store = await harness.make();
    const events = newEvents(7);
    await append(store, 'org-a', events);
    const first = await store.readAll({ afterPosition: 0, limit: 3 });
    expect(idsOf(first.events)).toEqual(idsOf(events.slice(0, 3)));
    expect(first.position).toBe(first.events.at(-1)?.position);
    const rest = await store.readAll({ afterPosition: first.position, limit: 100 });
    expect(idsOf(rest.events)).toEqual(idsOf(events.slice(3)));
    const head = await store.head();
    expect(rest.position).toBe(head);
    expect(await store.readAll({ afterPosition: head, limit: 100 })).toEqual({ events: [], position: head });
  });

  it('reads nothing at position 0 of an empty store', async () => {
    const store = await harness.make();
    expect(await store.readAll({ afterPosition: 0, limit: 10 })).toEqual({ events: [], position: 0 });
    expect(await store.read('org-a')).toEqual({ stream: 'org-a', version: 0, events: [] });
  });

  it('reads only the asked types and says how far it has seen', async () => {
    const store = await harness.make();
    const events = Array.from({ length: 40 }, (_, index) => newEvent(index % 4 === 0 ? 'Rare.v1' : 'Common.v1'));
    await append(store, 'org-a', events);
    const first = await store.readAll({ afterPosition: 0, limit: 4, types: ['Rare.v1'] });
    expect(idsOf(first.events)).toEqual(idsOf([0, 4, 8, 12].map((index) => events[index] as NewEvent)));
    const rest = await store.readAll({ afterPosition: first.position, limit: 100, types: ['Rare.v1', 'Absent.v1'] });
    expect(rest.events).toHaveLength(6);
    expect(rest.position).toBe(await store.head());
    const none = await store.readAll({ afterPosition: 0, limit: 100, types: ['Absent.v1'] });
    expect(none).toEqual({ events: [], position: await store.head() });
  });

  it('finds a rare type behind thousands of others', async () => {
    const store = await harness.make();
    for (let index = 0; index < 10; index++) await append(store, `org-${index}`, newEvents(600, 'Common.v1'));
    const rare = newEvent('Rare.v1');
    await append(store, 'org-last', [rare]);
    expect(idsOf((await store.readAll({ afterPosition: 0, limit: 1, types: ['Rare.v1'] })).events)).toEqual([rare.id]);
    expect(await everyEvent(store)).toHaveLength(6001);
  });

  it('brings events of old versions up to date, and finds them by their current type', async () => {
    const store = await harness.make();
    await append(store, 'org-a', [
      newEvent('ThingNamed.v1', { name: 'old' }),
      newEvent(),
      newEvent('ThingNamed.v2', { names: ['new'] }),
    ]);
    const current = [
      { type: 'ThingNamed.v2', data: { names: ['old'] } },
      { type: 'ThingNamed.v2', data: { names: ['new'] } },
    ];
    const { events } = await store.readAll({ afterPosition: 0, limit: 10, types: ['ThingNamed.v2'] });
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual(current);
    const slice = (await store.read('org-a')).events.filter((event) => event.version !== 2);
    expect(slice.map(({ type, data }) => ({ type, data }))).toEqual(current);
  });
}
