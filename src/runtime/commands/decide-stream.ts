import type { BatchCommand, BodyWrite, CommandRequest } from '../../kernel/command.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { foldEvents } from '../../kernel/model.ts';
import { parseStream } from '../../kernel/stream-name.ts';
import { appendBytesMax, type StreamAppend } from '../../ports/event-store.ts';
import { decisionTime } from './command-times.ts';
import { loadFacts } from './load-facts.ts';
import type { LoadedStream } from './loaded-stream.ts';
import { newEvents } from './new-events.ts';
import type { StreamLoader } from './stream-loader.ts';

interface IndexedItem<Item> {
  readonly index: number;
  readonly item: Item;
}

export interface StreamWork<Item> {
  readonly stream: string;
  readonly items: IndexedItem<Item>[];
}

export interface DecidedStream<Item, State, Result> {
  readonly work: StreamWork<Item>;
  /** What it was decided on. */
  readonly loaded: LoadedStream<State>;
  readonly results: readonly { readonly index: number; readonly result: Result }[];
  readonly bodies: readonly BodyWrite[];
  /** What is still to be stored; more than one only when it is too much for one append. */
  readonly appends: readonly StreamAppend[];
  readonly recordedAt: string;
}

/** What all streams of one batch are decided with. */
export interface BatchContext<Facts extends object> {
  readonly streams: StreamLoader;
  readonly nowMs: number;
  readonly request: CommandRequest;
  readonly facts: Facts;
  readonly factStreams: readonly LoadedStream<unknown>[];
}

interface DecidedItem<Result> {
  readonly index: number;
  readonly result: Result;
  readonly events: readonly DomainEvent[];
  readonly bodies: readonly BodyWrite[];
}

/** Gathers the events of items until the next item's would make the append too large; an item's stay together. */
function inAppendSizes(items: readonly DecidedItem<unknown>[]): DomainEvent[][] {
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
function firstMissing(replayed: readonly DecidedItem<unknown>[], stored: readonly DomainEvent[]): number {
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
export async function decideStream<
  Input,
  Item,
  State,
  E extends DomainEvent,
  Facts extends object,
  ItemFacts extends object,
  Result,
>(
  command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
  { work, loaded }: { readonly work: StreamWork<Item>; readonly loaded: LoadedStream<State> },
  { streams, nowMs, request, facts, factStreams }: BatchContext<Facts>,
): Promise<DecidedStream<Item, State, Result>> {
  const { model } = command;
  const { commandId } = request;
  const { id } = parseStream(work.stream);

  async function decideItems(
    items: readonly IndexedItem<Item>[],
    before: State,
    now: string,
  ): Promise<DecidedItem<Result>[]> {
    const metadata = { ...request, recordedAt: now };
    const decided: DecidedItem<Result>[] = [];
    let state = before;
    for (const { index, item } of items) {
      const known = await loadFacts<ItemFacts>(streams, () => command.itemFacts?.(item, state) ?? {});
      const context = { now, commandId, id, facts: { ...facts, ...known.facts }, names: {} };
      const { events, bodies = [], result } = command.decide(item, state, context);
      const evolving = events.map((event) => ({ ...event, metadata }));
      state = foldEvents(model, evolving, state);
      decided.push({ index, result, events, bodies });
    }
    return decided;
  }

  const recordedAt = decisionTime(nowMs, [loaded, ...factStreams]);
  const own = loaded.events.filter((event) => event.metadata.commandId === commandId);
  const [first] = own;
  let answered: DecidedItem<Result>[] = [];
  let missing: DecidedItem<Result>[];
  if (first === undefined) missing = await decideItems(work.items, loaded.state, recordedAt);
  else {
    const before = loaded.events.filter((event) => event.version < first.version);
    const stateBefore = foldEvents(model, before, loaded.start.state);
    answered = await decideItems(work.items, stateBefore, first.metadata.recordedAt);
    const from = firstMissing(answered, own);
    // What others have stored behind the first run's part counts for the rest.
    missing = from < 0 ? [] : await decideItems(work.items.slice(from), loaded.state, recordedAt);
    if (from >= 0) answered = answered.slice(0, from);
  }

  let expectedVersion = loaded.version;
  const appends: StreamAppend[] = [];
  for (const group of inAppendSizes(missing.filter(({ events }) => events.length > 0))) {
    const target = { stream: work.stream, expectedVersion };
    appends.push({ ...target, events: newEvents(group, target, request, recordedAt) });
    expectedVersion += group.length;
  }
  return {
    work,
    loaded,
    results: [...answered, ...missing].map(({ index, result }) => ({ index, result })),
    bodies: missing.flatMap(({ bodies }) => bodies),
    appends,
    recordedAt,
  };
}
