import { afterEach, beforeEach, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { createAnnouncements } from '../../../src/runtime/deliverer/announcements.ts';
import { newEvents } from '../../spec/events/events.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
let clock: FakeClock;
let reads: number;
let store: Pick<EventStore, 'read'>;
beforeEach(async () => {
  world = await openDeliveryWorld();
  clock = createFakeClock();
  reads = 0;
  store = {
    read: (stream, options) => {
      reads += 1;
      return world.store.read(stream, options);
    },
  };
});
afterEach(() => world.close());

it('reads once what many ask for within a moment', async () => {
  const { releaseId, eventId } = await world.announce();
  const announcements = createAnnouncements({ store, clock });
  const found = await Promise.all([1, 2, 3].map(() => announcements.get(releaseId, eventId)));
  expect(found[0]).toMatchObject({ kind: 'found', text: expect.stringContaining(eventId) as string });
  expect(found[1]).toBe(found[0]);
  clock.advance(9_999);
  expect(await announcements.get(releaseId, eventId)).toBe(found[0]);
  expect(reads).toBe(1);
});

it('notices within ten seconds that a release was erased, also before its text is gone', async () => {
  const { releaseId, eventId } = await world.announce();
  const announcements = createAnnouncements({ store, clock });
  await announcements.get(releaseId, eventId);
  await world.erase(releaseId);
  clock.advance(10_000);
  expect(await announcements.get(releaseId, eventId)).toEqual({ kind: 'erased' });
  await world.store.truncate(`release-${releaseId}`, 2);
  expect(await announcements.get(releaseId, eventId)).toEqual({ kind: 'erased' });
});

it('finds it in a long history, and that the release was erased at the end of it', async () => {
  const { releaseId, eventId } = await world.announce();
  const stream = `release-${releaseId}`;
  const { version } = await world.store.read(stream);
  await world.store.append({ stream, expectedVersion: version, events: newEvents(60) });
  const announcements = createAnnouncements({ store, clock });
  expect(await announcements.get(releaseId, eventId)).toMatchObject({ kind: 'found' });
  expect(reads).toBeGreaterThan(1);
  clock.advance(10_000);
  await world.erase(releaseId);
  expect(await announcements.get(releaseId, eventId)).toEqual({ kind: 'erased' });
});

it('keeps nothing of what it did not find or could not read', async () => {
  const { releaseId } = await world.announce();
  const eventId = `evt_${'0'.repeat(21)}`;
  let isAway = true;
  const announcements = createAnnouncements({
    store: { read: (stream) => (isAway ? Promise.reject(new BackendUnavailable('EventStoreDB')) : store.read(stream)) },
    clock,
  });
  await expect(announcements.get(releaseId, eventId)).rejects.toThrow(BackendUnavailable);
  isAway = false;
  expect(await announcements.get(releaseId, eventId)).toEqual({ kind: 'unknown' });
  expect(await announcements.get(releaseId, eventId)).toEqual({ kind: 'unknown' });
  expect(reads).toBe(2);
});

it('keeps a thousand, and of those what was asked for last', async () => {
  const all = [];
  for (let made = 0; made < 1_001; made += 1) all.push(await world.announce());
  const announcements = createAnnouncements({ store, clock });
  const get = ({ releaseId, eventId }: { readonly releaseId: string; readonly eventId: string }) =>
    announcements.get(releaseId, eventId);
  for (const announced of all.slice(0, 1_000)) await get(announced);
  await get(all[0]!);
  await get(all[1_000]!);
  expect(reads).toBe(1_001);
  await get(all[0]!);
  expect(reads).toBe(1_001);
  await get(all[1]!);
  expect(reads).toBe(1_002);
});
