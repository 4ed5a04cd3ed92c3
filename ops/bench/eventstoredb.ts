import { createEmbeddedEventStore } from '../../src/adapters/embedded/event-store/event-store.ts';
import { createEventStoreDbEventStore } from '../../src/adapters/eventstoredb/event-store.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import type { EventStore, StreamAppend } from '../../src/ports/event-store.ts';
import { newEvents } from '../../src/runtime/commands/new-events.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { benchRequest } from './worlds/seeded-data.ts';
import { withStandin } from './worlds/standin.ts';

const callersAtOnce = 64;
const appendsMeasured = 6000;
const eventsToCatchUp = 30_000;
const eventsPerAppend = 100;
const batchSize = 500;
const recordedAt = '2025-01-01T00:00:00.000Z';
const codec = createEventCodec();

/** About 300 bytes with its metadata. */
const thing = { type: 'ThingStored.v1', data: { text: 'x'.repeat(120) } };

function newStream(stream: string, eventCount: number): StreamAppend {
  const target = { stream, expectedVersion: 0 };
  const events = newEvents(Array(eventCount).fill(thing), target, benchRequest(1), recordedAt);
  return { ...target, events };
}

const newStreams = (name: string, count: number, eventsEach: number): StreamAppend[] =>
  Array.from({ length: count }, (_, number) => newStream(`${name}-${number}`, eventsEach));

async function appendAll(store: EventStore, appends: StreamAppend[]): Promise<void> {
  const caller = async () => {
    for (let next = appends.pop(); next !== undefined; next = appends.pop()) {
      const { outcome } = await store.append(next);
      if (outcome !== 'appended') throw new Error('an append was refused');
    }
  };
  await Promise.all(Array.from({ length: callersAtOnce }, caller));
}

async function appendsPerSecond(store: EventStore, name: string): Promise<number> {
  await appendAll(store, newStreams(`${name}warm`, appendsMeasured / 2, 1));
  const appends = newStreams(name, appendsMeasured, 1);
  const startedMs = performance.now();
  await appendAll(store, appends);
  return appendsMeasured / secondsSince(startedMs);
}

/** A reader that starts at the beginning and looks at each event, as a read model that is made again. */
async function caughtUpPerSecond(store: EventStore): Promise<number> {
  await appendAll(store, newStreams('many', eventsToCatchUp / eventsPerAppend, eventsPerAppend));
  const head = await store.head();
  const startedMs = performance.now();
  let seen = 0;
  await new Promise<void>((resolve, reject) => {
    const { done } = store.subscribe({
      afterPosition: 0,
      batchSize,
      onBatch: async ({ events, position }) => {
        for (const { data } of events) if (data) seen += 1;
        if (position >= head) resolve();
      },
    });
    done.then(resolve, reject);
  });
  return seen / secondsSince(startedMs);
}

async function using<Result>(store: EventStore, work: (store: EventStore) => Promise<Result>): Promise<Result> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const overStandin = (): Promise<Figure[]> =>
  withStandin(async (url) => {
    const options = { url, codec, clock: systemClock, random: systemRandom };
    const open = () => createEventStoreDbEventStore(options);
    const appends = await using(await open(), (store) => appendsPerSecond(store, 'plain'));
    const caughtUp = await using(await open(), caughtUpPerSecond);
    const callers = `${callersAtOnce} callers`;
    return [
      { metric: `appends to the stand-in, ${callers}`, value: appends, unit: 'appends/s', atLeast: 2000 },
      { metric: 'catch-up from the stand-in', value: caughtUp, unit: 'events/s', atLeast: 15_000 },
    ];
  });

const embedded = (): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    const store = await createEmbeddedEventStore({ folder, codec, onFatal: failBench });
    return using(store, async () => [
      {
        metric: `appends to the embedded store, ${callersAtOnce} callers`,
        value: await appendsPerSecond(store, 'plain'),
        unit: 'appends/s',
      },
      { metric: 'catch-up from the embedded store', value: await caughtUpPerSecond(store), unit: 'events/s' },
    ]);
  });

/** The adapter and its protocol, not the server: a stand-in in another process takes the server's place. */
export const runEventStoreDb = async (): Promise<Figure[]> => [...(await overStandin()), ...(await embedded())];
