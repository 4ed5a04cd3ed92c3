import type { EventMetadata, NewEvent, RecordedEvent } from './event.ts';
import { parseStream, type StreamRef } from './stream-name.ts';

/** How one stored event version becomes the next; applied again until the type is current. */
export interface Upcaster {
  readonly from: string;
  readonly to: string;
  // A method, not a property: each knows its own data, and the chain only hands them on.
  upcast(data: object): object;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  readonly stream: string;
  readonly version: number;
  readonly position: number;
}

export interface EventCodec {
  readonly encode: (event: NewEvent) => { id: string; type: string; data: string; metadata: string };
  readonly decode: (stored: StoredEvent) => RecordedEvent;
  /** The stored types that a reader of these types must ask for: themselves and what is upcast to them. */
  readonly storedTypes: (types: readonly string[]) => readonly string[];
}

/** JSON would silently leave these out or turn them into null. */
function requireJson(value: unknown, path: string): void {
  if (typeof value === 'object' && value !== null) {
    for (const key in value) requireJson((value as Record<string, unknown>)[key], key);
    return;
  }
  const isJson =
    typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value as number);
  if (!isJson) throw new TypeError(`${path} is not JSON: ${typeof value}`);
}

// A walk before it costs less than a replacer that JSON.stringify calls for every value.
function encodeJson(value: object, what: string): string {
  requireJson(value, what);
  return JSON.stringify(value);
}

/** Parses lazily: a reader that only needs the type or the position of an event does not pay for its text. */
function lazyEvent(stored: StoredEvent, chain: readonly Upcaster[]): RecordedEvent {
  let data: object | undefined;
  let metadata: EventMetadata | undefined;
  let stream: StreamRef | undefined;
  return {
    id: stored.id,
    type: chain.at(-1)?.to ?? stored.type,
    version: stored.version,
    position: stored.position,
    get data() {
      data ??= chain.reduce((older, step) => step.upcast(older), JSON.parse(stored.data) as object);
      return data;
    },
    get metadata() {
      metadata ??= JSON.parse(stored.metadata) as EventMetadata;
      return metadata;
    },
    get stream() {
      stream ??= parseStream(stored.stream);
      return stream;
    },
  };
}

const none: readonly Upcaster[] = [];

export function createEventCodec(upcasters: readonly Upcaster[] = []): EventCodec {
  const byType = new Map(upcasters.map((row) => [row.from, row]));

  const chainOf = (type: string): readonly Upcaster[] => {
    let step = byType.get(type);
    if (step === undefined) return none;
    const chain: Upcaster[] = [];
    for (; step !== undefined; step = byType.get(step.to)) chain.push(step);
    return chain;
  };

  return {
    encode: (event) => ({
      id: event.id,
      type: event.type,
      data: encodeJson(event.data, event.type),
      metadata: encodeJson(event.metadata, 'metadata'),
    }),
    decode: (stored) => lazyEvent(stored, chainOf(stored.type)),
    storedTypes: (types) => {
      const wanted = new Set(types);
      for (const row of upcasters) if (wanted.has(chainOf(row.from).at(-1)?.to ?? row.to)) wanted.add(row.from);
      return [...wanted];
    },
  };
}
