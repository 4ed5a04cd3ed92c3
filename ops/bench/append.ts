import { createEmbeddedEventStore } from '../../src/adapters/embedded/event-store/event-store.ts';
import { derivedValues } from '../../src/domain/release/derived/derive.ts';
import type { ReleaseIndexed } from '../../src/domain/release/events.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';
import type { EventStore, StreamAppend } from '../../src/ports/event-store.ts';
import { newEvents } from '../../src/runtime/commands/new-events.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { benchNowMs, benchRequest, type Chance, createChance, releaseItem } from './worlds/seeded-data.ts';

const batchSize = 500;
const eventsInBatches = 100_000;
const eventsOneByOne = 20_000;
const callersAtOnce = 64;
const recordedAt = '2025-01-01T00:00:00.000Z';

function indexedRelease(chance: Chance, number: number): ReleaseIndexed {
  const given = releaseItem(chance, number, { bodyChars: 150, fromMs: 0, toMs: benchNowMs });
  return {
    type: 'ReleaseIndexed.v1',
    data: {
      sourceId: derivedId('src', 'bench'),
      orgId: derivedId('org', 'bench'),
      identity: { kind: 'version', value: given.version },
      given,
      derived: derivedValues(given, given.content, 40),
      fetchedAt: recordedAt,
      pending: false,
      announcement: 'none',
    },
  };
}

/** A stream that nobody knows yet; its name falls anywhere among the others, as those of releases do. */
function newStream(chance: Chance, name: string, eventCount: number): StreamAppend {
  const stream = streamOf('release', derivedId('rel', name));
  const events = Array.from({ length: eventCount }, (_, number) => indexedRelease(chance, number));
  const target = { stream, expectedVersion: 0 };
  return { ...target, events: newEvents(events, target, benchRequest(1), recordedAt) };
}

const newStreams = (chance: Chance, name: string, count: number, eventsEach: number): StreamAppend[] =>
  Array.from({ length: count }, (_, number) => newStream(chance, `${name} ${number}`, eventsEach));

function requireAppended(outcomes: readonly { readonly outcome: string }[]): void {
  if (outcomes.some(({ outcome }) => outcome !== 'appended')) throw new Error('an append was refused');
}

/** Only the calls are timed, not the making of what they append. */
async function eventsPerSecond(events: number, run: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return events / secondsSince(startedMs);
}

async function manyStreams(store: EventStore, chance: Chance): Promise<number> {
  const appends = newStreams(chance, 'many', eventsInBatches, 1);
  return eventsPerSecond(eventsInBatches, async () => {
    for (let first = 0; first < appends.length; first += batchSize) {
      requireAppended(await store.appendMany(appends.slice(first, first + batchSize)));
    }
  });
}

async function oneStream(store: EventStore, chance: Chance): Promise<number> {
  const appends = newStreams(chance, 'one', eventsInBatches / batchSize, batchSize);
  return eventsPerSecond(eventsInBatches, async () => {
    for (const append of appends) requireAppended([await store.append(append)]);
  });
}

async function oneByOne(store: EventStore, chance: Chance): Promise<number> {
  const appends = newStreams(chance, 'single', eventsOneByOne, 1);
  return eventsPerSecond(eventsOneByOne, async () => {
    const caller = async () => {
      for (let next = appends.pop(); next !== undefined; next = appends.pop()) {
        requireAppended([await store.append(next)]);
      }
    };
    await Promise.all(Array.from({ length: callersAtOnce }, caller));
  });
}

/** How fast the embedded event store takes events that survive a loss of power. */
export const runAppend = (): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    const store = await createEmbeddedEventStore({ folder, codec: createEventCodec(), onFatal: failBench });
    const chance = createChance(1);
    try {
      const unit = 'events/s';
      return [
        { metric: '500 streams per call', value: await manyStreams(store, chance), unit, atLeast: 20_000 },
        { metric: '500 events to one stream per call', value: await oneStream(store, chance), unit, atLeast: 20_000 },
        { metric: `one event per call, ${callersAtOnce} callers`, value: await oneByOne(store, chance), unit },
      ];
    } finally {
      await store.close();
    }
  });
