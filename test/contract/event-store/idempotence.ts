import { expect, it } from 'vitest';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { everyEvent, idsOf } from './every-event.ts';
import type { EventStoreHarness } from './harness.ts';

export function specifyIdempotence(harness: EventStoreHarness): void {
  it('answers as the first time', async () => {
    const store = await harness.make();
    const start = { stream: 'org-a', expectedVersion: 0, events: newEvents(2) };
    const next = { stream: 'org-a', expectedVersion: 2, events: newEvents(3) };
    const first = [await store.append(start), await store.append(next)];
    expect(await store.append(next)).toEqual(first[1]);
    expect((await store.read('org-a')).version).toBe(5);
  });

  it('answers as the first time when the stream has gone on meanwhile', async () => {
    const store = await harness.make();
    const append = { stream: 'org-a', expectedVersion: 0, events: newEvents(2) };
    const first = await store.append(append);
    await store.append({ stream: 'org-a', expectedVersion: 2, events: newEvents(1) });
    expect(await store.append(append)).toEqual(first);
    expect((await store.read('org-a')).version).toBe(3);
  });

  it('answers as the first time when both tries are on their way at once', async () => {
    const [left, right] = await harness.makeTwoOnOneBackend();
    const append = { stream: 'org-a', expectedVersion: 0, events: newEvents(2) };
    const [first, ...others] = await Promise.all([left, right, left, right].map((store) => store.append(append)));
    expect(first).toMatchObject({ outcome: 'appended', version: 2 });
    expect(others).toEqual([first, first, first]);
  });

  it('answers as the first time for the streams of a batch that are stored, and stores the others', async () => {
    const store = await harness.make();
    const batch = Array.from({ length: 10 }, (_, index) => ({
      stream: `release-${index}`,
      expectedVersion: 0,
      events: newEvents(2),
    }));
    const first = await store.appendMany(batch.slice(0, 4));
    const again = await store.appendMany(batch);
    expect(again.slice(0, 4)).toEqual(first);
    expect(again.map(({ outcome }) => outcome)).toEqual(Array(10).fill('appended'));
    expect(await store.appendMany(batch)).toEqual(again);
    // Each once; streams that are appended to in one call have no order among them.
    expect(idsOf(await everyEvent(store)).sort()).toEqual(batch.flatMap(({ events }) => idsOf(events)).sort());
  });

  it('takes a partial repeat for a conflict', async () => {
    const store = await harness.make();
    const [a, b, c] = [newEvent(), newEvent(), newEvent()];
    await store.append({ stream: 'org-a', expectedVersion: 0, events: [a, b] });
    const conflict = { outcome: 'conflict', actualVersion: 2 };
    for (const events of [[a, b, c], [a, c], [c, b], [b, a], [b]]) {
      expect(await store.append({ stream: 'org-a', expectedVersion: 0, events })).toEqual(conflict);
    }
    expect(idsOf((await store.read('org-a')).events)).toEqual([a.id, b.id]);
  });
}
