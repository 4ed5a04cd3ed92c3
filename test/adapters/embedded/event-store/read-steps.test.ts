import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createEmbeddedEventStore,
  type EmbeddedEventStore,
} from '../../../../src/adapters/embedded/event-store/event-store.ts';
import { createEventReader, type EventReader } from '../../../../src/adapters/embedded/event-store/reader.ts';
import {
  beginReading,
  isRead,
  type StreamsReading,
} from '../../../../src/adapters/embedded/event-store/streams-reading.ts';
import { createEventCodec } from '../../../../src/kernel/event-codec.ts';
import { newEvent } from '../../../spec/events/events.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';
import { turnsDuring } from '../../../spec/turns-during.ts';

const codec = createEventCodec();
const textChars = 100_000;
const streams = ['release-a', 'release-b', 'release-c', 'release-d'];
const eventsPerStream = 8;
/** What a step reads at most, about: a little more than a megabyte. */
const eventsPerStepMax = 12;

let folder: TempFolder;
let store: EmbeddedEventStore;
let reader: EventReader;

const large = (count: number) =>
  Array.from({ length: count }, () => newEvent('Large.v1', { text: 'x'.repeat(textChars) }));

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  store = await createEmbeddedEventStore({ folder: folder.path, codec, onFatal });
  await store.appendMany(streams.map((stream) => ({ stream, expectedVersion: 0, events: large(eventsPerStream) })));
  reader = createEventReader(join(folder.path, 'events.sqlite'), codec);
});
afterEach(async () => {
  reader.close();
  await store.close();
  folder.remove();
});

const versionsOf = ({ slices }: StreamsReading) =>
  slices.map(({ version, events }) => [version, events.map((event) => event.version)]);

const readToTheEnd = (reading: StreamsReading): void => {
  while (!isRead(reading)) reader.readOn(reading);
};

describe('large events of streams', () => {
  it.each(['forwards', 'backwards'] as const)('are read %s in steps of bounded size, and all of them', (direction) => {
    const reading = beginReading(streams, { direction });
    const rows: number[] = [];
    while (!isRead(reading)) rows.push(reader.readOn(reading).rows);
    expect(Math.max(...rows)).toBeLessThanOrEqual(eventsPerStepMax);
    const ascending = [1, 2, 3, 4, 5, 6, 7, 8];
    const versions = direction === 'forwards' ? ascending : ascending.toReversed();
    expect(versionsOf(reading)).toEqual(streams.map(() => [eventsPerStream, versions]));
  });

  it('are not read beyond the limit of each stream, however the steps fall', () => {
    for (const limit of [1, 3, 5, 8]) {
      const reading = beginReading(streams, { direction: 'backwards', limit });
      readToTheEnd(reading);
      const versions = Array.from({ length: limit }, (_, index) => eventsPerStream - index);
      expect(versionsOf(reading)).toEqual(streams.map(() => [eventsPerStream, versions]));
    }
  });

  it('let others have their turn, also while many ask at once', async () => {
    const turnsMin = Math.floor((streams.length * eventsPerStream) / eventsPerStepMax);
    expect(await turnsDuring(() => store.readMany(streams))).toBeGreaterThanOrEqual(turnsMin);
    const readers = [1, 2, 3, 4].flatMap(() => streams);
    const turns = await turnsDuring(() => Promise.all(readers.map((stream) => store.read(stream))));
    expect(turns).toBeGreaterThanOrEqual(4 * turnsMin);
  });

  it('are read to the end when the store is closed meanwhile', async () => {
    const reading = store.readMany(streams);
    await store.close();
    expect((await reading).map(({ events }) => events.length)).toEqual(streams.map(() => eventsPerStream));
  });
});

describe('a stream that changes between two steps', () => {
  /** Reads until a part of the second stream was read. */
  const begin = (direction: 'forwards' | 'backwards') => {
    const reading = beginReading(streams.slice(0, 2), { direction });
    reader.readOn(reading);
    expect(reading.begun?.events.length).toBeGreaterThan(0);
    return reading;
  };

  it.each(['forwards', 'backwards'] as const)('is told %s as it was when it was begun', async (direction) => {
    const reading = begin(direction);
    await store.append({ stream: streams[1]!, expectedVersion: eventsPerStream, events: large(1) });
    readToTheEnd(reading);
    expect(reading.slices[1]).toMatchObject({ version: eventsPerStream });
    expect(reading.slices[1]!.events).toHaveLength(eventsPerStream);
  });

  it.each(['forwards', 'backwards'] as const)('is told %s without what was truncated', async (direction) => {
    const reading = begin(direction);
    await store.append({ stream: streams[1]!, expectedVersion: eventsPerStream, events: [newEvent('Erased.v1')] });
    await store.truncate(streams[1]!, eventsPerStream + 1);
    readToTheEnd(reading);
    expect(versionsOf(reading)[1]).toEqual([eventsPerStream + 1, [eventsPerStream + 1]]);
  });
});
