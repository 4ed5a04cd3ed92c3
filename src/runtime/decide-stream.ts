import type { BatchCommand, BodyWrite, CommandRequest } from '../kernel/command.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { foldEvents } from '../kernel/model.ts';
import { parseStream } from '../kernel/stream-name.ts';
import { appendBytesMax, type EventStore, type StreamAppend, type StreamSlice } from '../ports/event-store.ts';
import { decisionTime } from './command-times.ts';
import { loadFacts } from './load-facts.ts';
import { newEvents } from './new-events.ts';

/** A batch command whose types are its own business. */
export type AnyBatchCommand = BatchCommand<unknown, unknown, unknown, DomainEvent, object, object, unknown>;

export interface StreamWork {
  readonly stream: string;
  readonly items: { readonly index: number; readonly item: unknown }[];
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

/** Cuts a list of events where the next one would make the append too large. */
function inAppendSizes(events: readonly DomainEvent[]): DomainEvent[][] {
  const groups: DomainEvent[][] = [[]];
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event.data)) + 1_000;
    if (bytes + size > appendBytesMax && groups.at(-1)!.length > 0) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(event);
    bytes += size;
  }
  return groups;
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
  const own = slice.events.filter((event) => event.metadata.commandId === commandId);
  const before = own[0] ? slice.events.filter((event) => event.version < own[0]!.version) : slice.events;
  const now = own[0]?.metadata.recordedAt ?? decisionTime(nowMs, [slice, ...factSlices]);
  const { id } = parseStream(work.stream);

  let state = foldEvents(command.model, before);
  const events: DomainEvent[] = [];
  const bodies: BodyWrite[] = [];
  const results: { index: number; result: unknown }[] = [];
  for (const { index, item } of work.items) {
    const asked = command.itemFacts?.(item, state) ?? {};
    const itemFacts = Object.keys(asked).length > 0 ? (await loadFacts<object>(store, () => asked)).facts : {};
    const context = { now, commandId, id, facts: { ...facts, ...itemFacts }, names: {} };
    const decision = command.decide(item, state, context);
    const metadata = { ...request, recordedAt: now };
    state = foldEvents(
      command.model,
      decision.events.map((event) => ({ ...event, metadata })),
      state,
    );
    events.push(...decision.events);
    bodies.push(...(decision.bodies ?? []));
    results.push({ index, result: decision.result });
  }

  const missing = events.slice(own.length);
  const groups = work.items.length > 1 ? inAppendSizes(missing) : [missing];
  let expectedVersion = slice.version;
  const appends: StreamAppend[] = [];
  for (const group of groups.filter((list) => list.length > 0)) {
    const target = { stream: work.stream, expectedVersion };
    appends.push({ ...target, events: newEvents(group, target, request, now) });
    expectedVersion += group.length;
  }
  return { work, results, bodies, appends, recordedAt: now };
}
