import { fewAtOnce } from '../../concurrency/few-at-once.ts';
import { createShortTurns } from '../../concurrency/short-turns.ts';
import { streamPages } from '../../concurrency/stream-pages.ts';
import type { DomainEvent, NewEvent, RecordedEvent } from '../../kernel/event.ts';
import type { Model } from '../../kernel/model.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore, StreamSlice } from '../../ports/event-store.ts';
import type { Random } from '../../ports/random.ts';
import type { SnapshotRecord, Snapshots } from '../../records/snapshots.ts';
import { absentStream, type LoadedStream, loadedStream } from './loaded-stream.ts';
import { openSnapshot, sealSnapshot, startBehind } from './stream-snapshot.ts';

/**
 * A decision reads so many events of a stream at most, however long its history. Most streams never get as long; with
 * texts of 20 kB, twice as many add a third to what a decision costs.
 */
const eventsReadMax = 16;

/** A snapshot is made at every so many events, so that as many more fit the bound until it is saved. */
const eventsPerSnapshot = 8;

/** Streams whose last events are held together: with texts of 80 kB those of a batch of a hundred take 130 MB. */
const streamsHeldMax = 20;

/** Of one command. What has to be read from a server is not waited for one by one. */
const loadsAtOnce = 8;

export interface StreamRequest<State, E extends DomainEvent> {
  readonly stream: string;
  readonly model: Model<State, E>;
}

export interface AppendedEvents {
  readonly events: readonly NewEvent[];
  /** Of the last. */
  readonly position: number;
}

export interface StreamLoader {
  /** With a command's id, whatever that command has stored within a day is among the loaded events. */
  readonly loadAll: <State, E extends DomainEvent>(
    requests: readonly StreamRequest<State, E>[],
    commandId?: string,
  ) => Promise<LoadedStream<State>[]>;
  readonly load: <State, E extends DomainEvent>(
    request: StreamRequest<State, E>,
    commandId?: string,
  ) => Promise<LoadedStream<State>>;
  /** To be told what was stored behind a stream as it was loaded; nobody has to wait for what it does. */
  readonly stored: <State, E extends DomainEvent>(
    model: Model<State, E>,
    loaded: LoadedStream<State>,
    appended: AppendedEvents,
  ) => void;
}

export interface StreamLoaderDeps {
  readonly store: Pick<EventStore, 'read' | 'readMany'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Whole streams are read without them. */
  readonly snapshots?: Snapshots | undefined;
}

interface SomeStreams<State, E extends DomainEvent> {
  readonly requests: readonly StreamRequest<State, E>[];
  readonly snapshots: Snapshots;
  readonly commandId: string | undefined;
}

/** The last events of a stream, and there may be more. */
const isLong = ({ events }: StreamSlice): boolean => events.length === eventsReadMax && events[0]!.version > 1;

/** Reads streams by their end. Only a long one needs a snapshot, and all its events where there is none that fits. */
export function createStreamLoader({ store, clock, random, snapshots }: StreamLoaderDeps): StreamLoader {
  /** With what lies behind the snapshot; null when it is none of this stream. */
  async function loadBehind<State, E extends DomainEvent>(
    { stream, model }: StreamRequest<State, E>,
    end: StreamSlice,
    record: SnapshotRecord,
  ): Promise<LoadedStream<State> | null> {
    if (record.version > end.version) return null;
    const isAmongEnd = record.version >= end.events[0]!.version;
    const { version, events } = isAmongEnd ? end : await store.read(stream, { fromVersion: record.version });
    const last = events.find((event) => event.version === record.version);
    const start = last && openSnapshot(model, record, { last, random });
    if (!start) return null;
    const behind = events.filter((event) => event.version > record.version);
    return loadedStream(model, { stream, version, events: behind }, start);
  }

  /**
   * Page by page, of which only the last is held: what lies before it is folded, as by a snapshot. What a command answered
   * follows from its own events and all before them, so from its first event on all are held.
   */
  async function loadWhole<State, E extends DomainEvent>(
    { stream, model }: StreamRequest<State, E>,
    commandId: string | undefined,
  ): Promise<LoadedStream<State>> {
    let loaded = absentStream(model, stream);
    for await (const { version, events, isBeginning } of streamPages(store, stream)) {
      const isRepeated = loaded.events.some(({ metadata }) => metadata.commandId === commandId);
      if (isBeginning) loaded = loadedStream(model, { stream, version, events });
      else if (isRepeated)
        loaded = loadedStream(model, { stream, version, events: [...loaded.events, ...events] }, loaded.start);
      else loaded = loadedStream(model, { stream, version, events }, startBehind(loaded));
    }
    return loaded;
  }

  async function loadLong<State, E extends DomainEvent>(
    request: StreamRequest<State, E>,
    end: StreamSlice,
    { record, commandId }: { readonly record: SnapshotRecord | undefined; readonly commandId: string | undefined },
  ): Promise<LoadedStream<State>> {
    const { model } = request;
    const behind = record === undefined ? null : await loadBehind(request, end, record);
    const isRepeat = commandId !== undefined && Object.hasOwn(behind?.start.commands ?? {}, commandId);
    if (isRepeat) return loadWhole(request, commandId);
    const loaded = behind ?? (await loadWhole(request, commandId));
    const isSaved = loaded.events.length > (behind === null ? 0 : eventsPerSnapshot);
    if (isSaved) snapshots?.save(sealSnapshot(model, loaded, random));
    return loaded;
  }

  async function loadSome<State, E extends DomainEvent>(
    { requests, snapshots: kept, commandId }: SomeStreams<State, E>,
    mayGoOn: () => Promise<void>,
  ): Promise<LoadedStream<State>[]> {
    const streams = requests.map(({ stream }) => stream);
    const read = await store.readMany(streams, { direction: 'backwards', limit: eventsReadMax });
    const ends = read.map((slice) => ({ ...slice, events: slice.events.toReversed() }));
    const long = ends.filter(isLong).map(({ stream }) => stream);
    const records = long.length === 0 ? new Map<string, SnapshotRecord>() : await kept.find(long);
    const load = async (request: StreamRequest<State, E>, end: StreamSlice) =>
      isLong(end)
        ? loadLong(request, end, { record: records.get(request.stream), commandId })
        : loadedStream(request.model, end);
    const loaded: LoadedStream<State>[] = [];
    await fewAtOnce(requests.entries(), loadsAtOnce, async ([index, request]) => {
      await mayGoOn();
      loaded[index] = await load(request, ends[index]!);
    });
    return loaded;
  }

  async function loadAll<State, E extends DomainEvent>(
    requests: readonly StreamRequest<State, E>[],
    commandId?: string,
  ): Promise<LoadedStream<State>[]> {
    if (snapshots === undefined) {
      const slices = await store.readMany(requests.map(({ stream }) => stream));
      return requests.map(({ model }, index) => loadedStream(model, slices[index]!));
    }
    const mayGoOn = createShortTurns(clock); // to open a hundred snapshots of long texts takes a while
    const loaded: LoadedStream<State>[] = [];
    for (let from = 0; from < requests.length; from += streamsHeldMax) {
      const some = requests.slice(from, from + streamsHeldMax);
      loaded.push(...(await loadSome({ requests: some, snapshots, commandId }, mayGoOn)));
    }
    return loaded;
  }

  return {
    loadAll,
    load: async (request, commandId) => (await loadAll([request], commandId))[0]!,
    stored: (model, loaded, { events, position }) => {
      const version = loaded.version + events.length;
      const snapshotsAt = (count: number) => Math.floor(count / eventsPerSnapshot);
      if (snapshots === undefined || snapshotsAt(version) === snapshotsAt(loaded.version)) return;
      const stream = parseStream(loaded.stream);
      const recorded = events.map(
        (event, index): RecordedEvent => ({ ...event, stream, version: loaded.version + 1 + index, position }),
      );
      const slice = { stream: loaded.stream, version, events: [...loaded.events, ...recorded] };
      snapshots.save(sealSnapshot(model, loadedStream(model, slice, loaded.start), random));
    },
  };
}
