import { beforeEach, expect, it } from 'vitest';
import { eventLagSeconds } from '../../../src/runtime/measuring/event-lag.ts';
import { measuredAppends } from '../../../src/runtime/measuring/measured-appends.ts';
import { createSharedTimings } from '../../../src/concurrency/shared-memory/shared-timings.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { openEventStoreForTest } from '../../spec/streams/event-store-for-test.ts';
import { newEvent } from '../../spec/events/events.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';

const startMs = Date.UTC(2030, 0, 1);
let store: EventStore;

beforeEach(() => {
  store = openEventStoreForTest();
});

let streams = 0;
const appendAt = async (ms: number, type = 'ThingHappened.v1'): Promise<number> => {
  const event = newEvent(type, {}, { recordedAt: new Date(ms).toISOString() });
  streams += 1;
  const appended = await store.append({ stream: `thing-${streams}`, expectedVersion: 0, events: [event] });
  if (appended.outcome === 'conflict') throw new Error('the stream was there');
  return appended.position;
};

const types = ['ThingHappened.v1'];

it('is the age of the oldest event that was not seen, however long nothing had happened before it', async () => {
  const clock = createFakeClock(startMs);
  const seen = await appendAt(startMs - 86_400_000);
  await appendAt(startMs - 4_000);
  await appendAt(startMs - 1_000);
  expect(await eventLagSeconds({ store, clock }, { position: seen, types })).toBe(4);
});

it('is nothing when all was seen, or what was not seen concerns nobody', async () => {
  const clock = createFakeClock(startMs);
  const seen = await appendAt(startMs - 5_000);
  expect(await eventLagSeconds({ store, clock }, { position: seen, types })).toBe(0);
  await appendAt(startMs - 3_000, 'OtherThing.v1');
  expect(await eventLagSeconds({ store, clock }, { position: seen, types })).toBe(0);
  expect(await eventLagSeconds({ store, clock }, { position: 0, types })).toBe(5);
});

it('is never less than nothing: events may be dated by a clock that is ahead', async () => {
  await appendAt(startMs + 60_000);
  expect(await eventLagSeconds({ store, clock: createFakeClock(startMs) }, { position: 0, types })).toBe(0);
});

it('measures appends by how they ended, and answers and throws as the store does', async () => {
  const timings = createSharedTimings(3);
  let nowMs = 0;
  const stopwatch = () => (nowMs += 10);
  const measured = measuredAppends(store, timings, stopwatch);
  const append = { stream: 'thing-measured', expectedVersion: 0, events: [newEvent()] };
  expect(await measured.append(append)).toMatchObject({ outcome: 'appended' });
  expect(await measured.appendMany([{ ...append, events: [newEvent()] }])).toMatchObject([{ outcome: 'conflict' }]);
  const noDisk: EventStore = { ...store, append: () => Promise.reject(new Error('no disk')) };
  const broken = measuredAppends(noDisk, timings, stopwatch);
  await expect(broken.append(append)).rejects.toThrow('no disk');
  const found = [0, 1, 2].map((outcome) => timings.read(outcome));
  expect(found.map(({ counts }) => counts.reduce((sum, count) => sum + count))).toEqual([1, 1, 1]);
  expect(found.map(({ sumSeconds }) => sumSeconds)).toEqual([0.01, 0.01, 0.01]);
});
