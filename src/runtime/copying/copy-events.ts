import { type NewEvent, type RecordedEvent, seqOf } from '../../kernel/event.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { type Appended, appendBytesMax, type EventStore } from '../../ports/event-store.ts';

export interface CopyProgress {
  /** Position in the source. */
  readonly position: number;
  readonly target: number;
  readonly events: number;
}

const pageSize = 1_000;
const runEventsMax = 100;
/** Leaves room for what JSON adds around the data. */
const runBytesMax = appendBytesMax / 2;

/** Neighbours of one stream go into one append; nothing changes its place in the order of all events. */
function* runsOf(events: readonly RecordedEvent[]): Generator<[RecordedEvent, ...RecordedEvent[]]> {
  let run: [RecordedEvent, ...RecordedEvent[]] | null = null;
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event.data));
    const isNext =
      run !== null &&
      run[0].stream.name === event.stream.name &&
      run.length < runEventsMax &&
      bytes + size <= runBytesMax;
    if (run !== null && isNext) run.push(event);
    else {
      if (run !== null) yield run;
      run = [event];
      bytes = 0;
    }
    bytes += size;
  }
  if (run !== null) yield run;
}

const copyOf = (event: RecordedEvent): NewEvent => ({
  id: event.id,
  type: event.type,
  data: event.data,
  metadata: { ...event.metadata, seq: seqOf(event) },
});

/** Stores need not read from a position that is no event's, so the last one is found by going through all. */
async function lastEventOf(store: EventStore): Promise<RecordedEvent | undefined> {
  let last: RecordedEvent | undefined;
  for (let position = 0; ; ) {
    const page = await store.readAll({ afterPosition: position, limit: pageSize });
    last = page.events.at(-1) ?? last;
    if (page.position === position) return last;
    position = page.position;
  }
}

/** Where an event lies, which in a source that was copied itself is not what its sequence number says. */
async function positionIn(store: EventStore, id: string): Promise<number | null> {
  for (let position = 0; ; ) {
    const page = await store.readAll({ afterPosition: position, limit: pageSize });
    const found = page.events.find((event) => event.id === id);
    if (found !== undefined) return found.position;
    if (page.position === position) return null;
    position = page.position;
  }
}

/** How far an earlier copy got: the position in the source of the last event that the target holds. */
async function copiedUpTo(source: EventStore, target: EventStore): Promise<number> {
  const last = await lastEventOf(target);
  if (last === undefined) return 0;
  const position = await positionIn(source, last.id);
  if (position !== null) return position;
  throw new StartupError(
    'The event store to copy to holds events that do not come from this registry, or it was written to since it was ' +
      'copied. Copy to an empty one.',
  );
}

/**
 * Copies every event in the order of all events, one append after another, with its id, its time and its public sequence
 * number. It may be killed at any moment: the target itself tells where to go on. Answers how many were copied now.
 */
export async function copyEvents(deps: {
  readonly source: EventStore;
  readonly target: EventStore;
  readonly onProgress: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}): Promise<number> {
  const { source, target, onProgress, signal } = deps;
  // Streams that were truncated before: there they begin anew, so their numbers are lower.
  const missing = new Map<string, number>();
  let position = await copiedUpTo(source, target);
  const head = await source.head();
  let events = 0;

  async function append(run: readonly [RecordedEvent, ...RecordedEvent[]]): Promise<Appended> {
    const stream = run[0].stream.name;
    for (;;) {
      const expectedVersion = run[0].version - 1 - (missing.get(stream) ?? 0);
      const outcome = await target.append({ stream, expectedVersion, events: run.map(copyOf) });
      if (outcome.outcome === 'appended') return outcome;
      if (outcome.actualVersion >= expectedVersion) {
        throw new Error(`the stream ${stream} was written to while it was copied`);
      }
      missing.set(stream, run[0].version - 1 - outcome.actualVersion);
    }
  }

  while (position < head) {
    const page = await source.readAll({ afterPosition: position, limit: pageSize });
    for (const run of runsOf(page.events)) {
      signal?.throwIfAborted();
      await append(run);
      events += run.length;
    }
    position = page.position;
    onProgress({ position, target: head, events });
  }
  return events;
}
