import { expect, it } from 'vitest';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { everyEvent, idsOf } from './every-event.ts';
import type { EventStoreHarness } from './harness.ts';

export function specifyAppending(harness: EventStoreHarness): void {
  it('starts a stream at version 0 and goes on at its last version', async () => {
    const store = await harness.make();
    const first = await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(2) });
    const second = await store.append({ stream: 'org-a', expectedVersion: 2, events: newEvents(3) });
    expect(first).toMatchObject({ outcome: 'appended', version: 2 });
    expect(second).toMatchObject({ outcome: 'appended', version: 5 });
    const { version, events } = await store.read('org-a');
    expect(version).toBe(5);
    expect(events.map((event) => event.version)).toEqual([1, 2, 3, 4, 5]);
    expect([first, second]).toMatchObject([{ position: events[1]?.position }, { position: events[4]?.position }]);
  });

  it('answers a wrong expected version with the actual one and stores nothing', async () => {
    const store = await harness.make();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(2) });
    const before = await store.head();
    const outcomes = [];
    for (const expectedVersion of [0, 1, 3]) {
      outcomes.push(await store.append({ stream: 'org-a', expectedVersion, events: newEvents(1) }));
    }
    outcomes.push(await store.append({ stream: 'org-b', expectedVersion: 1, events: newEvents(1) }));
    expect(outcomes).toEqual([
      { outcome: 'conflict', actualVersion: 2 },
      { outcome: 'conflict', actualVersion: 2 },
      { outcome: 'conflict', actualVersion: 2 },
      { outcome: 'conflict', actualVersion: 0 },
    ]);
    expect(await store.head()).toBe(before);
    expect(await store.read('org-b')).toEqual({ stream: 'org-b', version: 0, events: [] });
  });

  it('lets exactly one of two racing writers win each version', async () => {
    const [left, right] = await harness.makeTwoOnOneBackend();
    const winners: string[] = [];
    for (let version = 0; version < 20; version++) {
      const race = [left, right].map(async (store) => {
        const event = newEvent();
        const outcome = await store.append({ stream: 'org-a', expectedVersion: version, events: [event] });
        return { outcome, id: event.id };
      });
      const results = await Promise.all(race);
      const won = results.filter(({ outcome }) => outcome.outcome === 'appended');
      expect(won).toHaveLength(1);
      expect(results).toContainEqual(
        expect.objectContaining({ outcome: { outcome: 'conflict', actualVersion: version + 1 } }),
      );
      winners.push(...idsOf(won));
    }
    await harness.settle();
    expect(idsOf((await left.read('org-a')).events)).toEqual(winners);
  });

  it('gives each of many appends at once its own outcome', async () => {
    const store = await harness.make();
    const appends = Array.from({ length: 120 }, (_, index) => ({
      stream: `org-${index % 40}`,
      expectedVersion: 0,
      events: newEvents(2),
    }));
    const outcomes = await Promise.all(appends.map((append) => store.append(append)));
    expect(outcomes.filter(({ outcome }) => outcome === 'appended')).toHaveLength(40);
    const slices = await store.readMany(Array.from({ length: 40 }, (_, index) => `org-${index}`));
    for (const slice of slices) {
      const stored = appends.filter(({ stream }, i) => stream === slice.stream && outcomes[i]?.outcome === 'appended');
      expect(stored.map(({ events }) => idsOf(events))).toEqual([idsOf(slice.events)]);
    }
  });

  it('stores 499 of 500 streams when one conflicts, each whole', async () => {
    const store = await harness.make();
    await store.append({ stream: 'release-250', expectedVersion: 0, events: newEvents(1) });
    const appends = Array.from({ length: 500 }, (_, index) => ({
      stream: `release-${index}`,
      expectedVersion: 0,
      events: newEvents(3),
    }));
    const outcomes = await store.appendMany(appends);
    expect(outcomes).toHaveLength(500);
    for (const [index, outcome] of outcomes.entries()) {
      if (index === 250) expect(outcome).toEqual({ outcome: 'conflict', actualVersion: 1 });
      else expect(outcome).toMatchObject({ outcome: 'appended', version: 3 });
    }
    const slices = await store.readMany(appends.map(({ stream }) => stream));
    for (const [index, slice] of slices.entries()) {
      if (index === 250) expect(slice.events).toHaveLength(1);
      else expect(idsOf(slice.events)).toEqual(idsOf(appends[index]?.events ?? []));
    }
  });

  it('accepts a call without appends', async () => {
    const store = await harness.make();
    expect(await store.appendMany([])).toEqual([]);
  });

  it('keeps the order of appends as the order of all events, at safe increasing positions', async () => {
    const store = await harness.make();
    expect(await store.head()).toBe(0);
    const ids: string[] = [];
    for (let index = 0; index < 30; index++) {
      const events = newEvents(2);
      ids.push(...idsOf(events));
      const expectedVersion = Math.floor(index / 3) * 2;
      await store.append({ stream: `org-${index % 3}`, expectedVersion, events });
    }
    const all = await everyEvent(store);
    expect(idsOf(all)).toEqual(ids);
    const positions = all.map((event) => event.position);
    expect(positions.every((position) => Number.isSafeInteger(position) && position >= 0)).toBe(true);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(positions).size).toBe(60);
    expect(await store.head()).toBe(positions.at(-1));
  });

  it('takes the same event id in two streams for two events', async () => {
    const store = await harness.make();
    const event = newEvent();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: [event] });
    const outcome = await store.append({ stream: 'org-b', expectedVersion: 0, events: [event] });
    expect(outcome).toMatchObject({ outcome: 'appended', version: 1 });
    expect(idsOf(await everyEvent(store))).toEqual([event.id, event.id]);
  });
}
