import type { BatchCommand, BodyWrite, CommandRequest } from '../../kernel/command.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { foldEvents } from '../../kernel/model.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import { appendBytesMax, type EventStore, type StreamAppend, type StreamSlice } from '../../ports/event-store.ts';
import { decisionTime } from './command-times.ts';
import { loadFacts } from './load-facts.ts';
import { newEvents } from './new-events.ts';

/** A batch command whose types are its own business. */
export type AnyBatchCommand = BatchCommand<unknown, unknown, unknown, DomainEvent, object, object, unknown>;

interface IndexedItem {
  readonly index: number;
  readonly item: unknown;
}

export interface StreamWork {
  readonly stream: string;
  readonly items: IndexedItem[];
}

export interface DecidedStream {
  readonly work: StreamWork;
  readonly results: readonly { readonly index: number; readonly result: unknown }[];
  readonly bodies: readonly BodyWrite[];
  /** What is still to be stored; more than one only when it is too much for one append. */
  readonly appends: readonly StreamAppend[];
  readonly recordedAt: string;
}

export interface DecideDeps {
  readonly store: EventStore;
  readonly nowMs: number;
  readonly request: CommandRequest;
  readonly facts: object;
  readonly factSlices: readonly StreamSlice[];
}

interface DecidedItem {
  readonly index: number;
  readonly result: unknown;
  readonly events: readonly DomainEvent[];
  readonly bodies: readonly BodyWrite[];
}

/** Gathers the events of items until the next item's would make the append too large; an item's stay together. */
function inAppendSizes(items: readonly DecidedItem[]): DomainEvent[][] {
  if (items.length === 1) return [[...items[0]!.events]]; // an item alone always fits
  const groups: DomainEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { events } of items) {
    // The other parts of an event take less than these 1,000 bytes.
    const size = events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)) + 1_000, 0);
    if (bytes + size > appendBytesMax) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(...events);
    bytes += size;
  }
  return groups;
}

/**
 * The first item whose events an earlier run of the same command did not store; -1 when it stored all. Items are stored
 * in order and each of them whole. They are counted by the events that items begin with: what follows these may differ
 * between two runs, because facts have changed (an announcement, if the release can be seen).
 */
function firstMissing(replayed: readonly DecidedItem[], stored: readonly DomainEvent[]): number {
  const beginnings = new Set(replayed.flatMap(({ events }) => events.slice(0, 1).map(({ type }) => type)));
  let itemsStored = stored.filter(({ type }) => beginnings.has(type)).length;
  return replayed.findIndex(({ events }) => {
    if (events.length > 0) itemsStored -= 1;
    return itemsStored < 0;
  });
}

/**
 * Decides all items of one stream in order. If the stream holds events of this very command, the items are decided on
 * what was there before them, so a repeat reports what the first run reported and stores only what is missing.
 */
export async function decideStream(
  command: AnyBatchCommand,
  work: StreamWork,
  slice: StreamSlice,
  { store, nowMs, request, facts, factSlices }: DecideDeps,
): Promise<DecidedStream> {
  const { commandId } = request;
  const { id } = parseStream(work.stream);

  async function decideItems(items: readonly IndexedItem[], before: unknown, now: string): Promise<DecidedItem[]> {
    const metadata = { ...request, recordedAt: now };
    const decided: DecidedItem[] = [];
    let state = before;
    for (const { index, item } of items) {
      const asked = command.itemFacts?.(item, state) ?? {};
      const itemFacts = Object.keys(asked).length > 0 ? (await loadFacts<object>(store, () => asked)).facts : {};
      const context = { now, commandId, id, facts: { ...facts, ...itemFacts }, names: {} };
      const { events, bodies = [], result } = command.decide(item, state, context);
      const evolving = events.map((event) => ({ ...event, metadata }));
      state = foldEvents(command.model, evolving, state);
      decided.push({ index, result, events, bodies });
    }
    return decided;
  }

  const recordedAt = decisionTime(nowMs, [slice, ...factSlices]);
  const stateNow = () => foldEvents(command.model, slice.events);
  const own = slice.events.filter((event) => event.metadata.commandId === commandId);
  const [first] = own;
  let answered: DecidedItem[] = [];
  let missing: DecidedItem[];
  if (first === undefined) missing = await decideItems(work.items, stateNow(), recordedAt);
  else {
    const before = slice.events.filter((event) => event.version < first.version);
    answered = await decideItems(work.items, foldEvents(command.model, before), first.metadata.recordedAt);
    const from = firstMissing(answered, own);
    // What others have stored behind the first run's part counts for the rest.
    missing = from < 0 ? [] : await decideItems(work.items.slice(from), stateNow(), recordedAt);
    if (from >= 0) answered = answered.slice(0, from);
  }

  let expectedVersion = slice.version;
  const appends: StreamAppend[] = [];
  for (const group of inAppendSizes(missing.filter(({ events }) => events.length > 0))) {
    const target = { stream: work.stream, expectedVersion };
    appends.push({ ...target, events: newEvents(group, target, request, recordedAt) });
    expectedVersion += group.length;
  }
  return {
    work,
    results: [...answered, ...missing].map(({ index, result }) => ({ index, result })),
    bodies: missing.flatMap(({ bodies }) => bodies),
    appends,
    recordedAt,
  };
}
