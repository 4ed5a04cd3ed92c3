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

/** What an event is made of, and what has been parsed of it. */
interface Unparsed {
  readonly stored: StoredEvent;
  readonly chain: readonly Upcaster[];
  data?: object;
  metadata?: EventMetadata;
  stream?: StreamRef;
}

const unparsed = Symbol('unparsed');

type Part = PropertyDescriptor & ThisType<{ readonly [unparsed]: Unparsed }>;

// Made once for all events. Getters that each event had for itself would give each a shape of its own: to make it and to look
// at it took three times as long.
const parts: Readonly<Record<'data' | 'metadata' | 'stream', Part>> = {
  data: {
    enumerable: true,
    get() {
      const from = this[unparsed];
      from.data ??= from.chain.reduce((older, step) => step.upcast(older), JSON.parse(from.stored.data) as object);
      return from.data;
    },
  },
  metadata: {
    enumerable: true,
    get() {
      const from = this[unparsed];
      from.metadata ??= JSON.parse(from.stored.metadata) as EventMetadata;
      return from.metadata;
    },
  },
  stream: {
    enumerable: true,
    get() {
      const from = this[unparsed];
      from.stream ??= parseStream(from.stored.stream);
      return from.stream;
    },
  },
};

/** Parses lazily: a reader that only needs the type or the position of an event does not pay for its text. */
function lazyEvent(stored: StoredEvent, chain: readonly Upcaster[]): RecordedEvent {
  const type = chain.at(-1)?.to ?? stored.type;
  const event = { id: stored.id, type, version: stored.version, position: stored.position };
  const from: Unparsed = { stored, chain };
  Object.defineProperty(event, unparsed, { value: from }); // not enumerable: a copy of the event has its parts instead
  Object.defineProperty(event, 'data', parts.data);
  Object.defineProperty(event, 'metadata', parts.metadata);
  return Object.defineProperty(event, 'stream', parts.stream) as RecordedEvent;
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
