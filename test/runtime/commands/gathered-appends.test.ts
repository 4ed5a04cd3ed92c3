import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventStore, StreamAppend } from '../../../src/ports/event-store.ts';
import { gatherAppends } from '../../../src/runtime/commands/gathered-appends.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

const withinMs = 50;
let folder: TempFolder;
let store: EventStore;
let clock: FakeClock;
let gathered: EventStore;
/** The streams of each call that the store got. */
let calls: string[][];

beforeEach(() => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
  clock = createFakeClock();
  calls = [];
  const appendMany: EventStore['appendMany'] = (appends) => {
    calls.push(appends.map(({ stream }) => stream));
    return store.appendMany(appends);
  };
  gathered = gatherAppends({ ...store, appendMany }, { clock, withinMs });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const appendTo = (stream: string, expectedVersion = 0, events = newEvents(1)): StreamAppend => ({
  stream,
  expectedVersion,
  events,
});
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

it('hands over at once what several append within the moment, and answers each with its own', async () => {
  await store.append(appendTo('release-b'));
  const first = gathered.appendMany([appendTo('release-a')]);
  clock.advance(withinMs - 1);
  const second = gathered.appendMany([appendTo('release-b'), appendTo('release-c', 0, newEvents(2))]);
  await aTurn();
  expect(calls).toEqual([]);
  clock.advance(1);
  expect(await first).toEqual([{ outcome: 'appended', version: 1, position: 2 }]);
  expect(await second).toEqual([
    { outcome: 'conflict', actualVersion: 1 },
    { outcome: 'appended', version: 2, position: 4 },
  ]);
  expect(calls).toEqual([['release-a', 'release-b', 'release-c']]);
});

it('lets no append wait longer than the moment for others that come', async () => {
  const first = gathered.appendMany([appendTo('release-a')]);
  clock.advance(withinMs);
  await first;
  const second = gathered.appendMany([appendTo('release-b')]);
  await aTurn();
  clock.advance(withinMs);
  await second;
  expect(calls).toEqual([['release-a'], ['release-b']]);
});

it('hands over so little at once that others can append between', async () => {
  const large = () => [newEvent('Noted.v1', { text: 'x'.repeat(600_000) })];
  const appends = ['a', 'b', 'c'].map((name) => gathered.appendMany([appendTo(`release-${name}`, 0, large())]));
  clock.advance(withinMs);
  await Promise.all(appends);
  expect(calls).toEqual([['release-a'], ['release-b'], ['release-c']]);
});

it('lets only the one fail whose append cannot be stored', async () => {
  const appends = [[], newEvents(1)].map((events, number) =>
    gathered.appendMany([appendTo(`release-${number}`, 0, events)]),
  );
  const settled = Promise.allSettled(appends);
  clock.advance(withinMs);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
