import { randomUUID } from 'node:crypto';
import { checkCommit, type ExpectedRevision } from './commit-check.ts';
import { createCommitMemory } from './commit-memory.ts';
import {
  bytesOf,
  deletedRevision,
  isMetastream,
  metastreamOf,
  type ProposedEvent,
  type StoredEvent,
} from './stored-event.ts';
import { firstVisible, isSoftDeleted, newStream, type StreamState, truncateBeforeIn } from './stream-state.ts';

export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly revision: bigint; readonly position: bigint | undefined }
  | { readonly outcome: 'wrong-version'; readonly current: bigint }
  | { readonly outcome: 'deleted' };

export interface EventLogDeps {
  readonly startPosition: bigint;
  readonly nowMs: () => number;
  /** Called with each transaction before anybody can see it. */
  readonly keep: (events: readonly StoredEvent[]) => void;
}

/** The log of the EventStoreDB stand-in, in memory: every event at a sparse position, and an index by stream. */
export interface EventLog {
  /** In the order of positions. A scavenge takes the event out but leaves its place, as positions stay valid. */
  readonly at: (index: number) => StoredEvent | undefined;
  readonly length: () => number;
  readonly stream: (name: string) => StreamState | undefined;
  readonly indexFrom: (position: bigint) => { readonly index: number; readonly exact: boolean };
  readonly append: (stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]) => AppendOutcome;
  readonly softDelete: (stream: string, expected: ExpectedRevision) => AppendOutcome;
  readonly tombstone: (stream: string, expected: ExpectedRevision) => AppendOutcome;
  readonly restore: (events: readonly StoredEvent[]) => void;
  /** Takes over what another node has stored, places and all. */
  readonly replicate: (events: readonly StoredEvent[]) => void;
  readonly scavenge: () => void;
  readonly onCommit: (listener: () => void) => () => void;
}

const headerBytes = 97n;

export const jsonEvent = (type: string, json: string): ProposedEvent => ({
  id: randomUUID(),
  type,
  isJson: true,
  data: Buffer.from(json),
  metadata: new Uint8Array(),
});

export const createEventLog = ({ startPosition, nowMs, keep }: EventLogDeps): EventLog => {
  const log: (StoredEvent | undefined)[] = [];
  const positions: bigint[] = [];
  const streams = new Map<string, StreamState>();
  const listeners = new Set<() => void>();
  const memory = createCommitMemory();
  let nextPosition = startPosition;

  const stateOf = (name: string): StreamState => streams.get(name) ?? newStream(name);
  const hasEvents = (name: string): boolean => (streams.get(name)?.events.length ?? 0) > 0;

  const apply = (event: StoredEvent): void => {
    const state = stateOf(event.stream);
    streams.set(event.stream, state);
    log.push(event);
    positions.push(event.position);
    if (event.revision === deletedRevision) state.tombstoned = true;
    else state.events[Number(event.revision)] = event;
    if (isMetastream(event.stream)) {
      const target = stateOf(event.stream.slice(2));
      streams.set(target.name, target);
      target.truncateBefore = truncateBeforeIn(event.data);
    }
    nextPosition = event.position + headerBytes + BigInt(bytesOf(event) + event.stream.length);
  };

  const replicate = (events: readonly StoredEvent[]): void => {
    events.forEach(apply);
    for (const event of events) memory.remember(event);
    for (const listener of [...listeners]) listener();
  };

  /** Positions are set one after the other, as if each record took its own bytes. */
  const commit = (records: readonly (ProposedEvent & { stream: string; revision: bigint })[]): StoredEvent[] => {
    const createdMs = nowMs();
    let position = nextPosition;
    const stored = records.map((record) => {
      const event = { ...record, position, createdMs };
      position += headerBytes + BigInt(bytesOf(record) + record.stream.length);
      return event;
    });
    keep(stored);
    replicate(stored);
    return stored;
  };

  const metadataRecord = (stream: string, truncateBefore: bigint) => ({
    ...jsonEvent('$metadata', `{"$tb":${truncateBefore}}`),
    stream: metastreamOf(stream),
    revision: BigInt(stateOf(metastreamOf(stream)).events.length),
  });

  /** The decision, and the answer when there is nothing to commit. */
  const refuse = (
    state: StreamState,
    expected: ExpectedRevision,
    ids: readonly string[],
  ): AppendOutcome | undefined => {
    const checked = checkCommit(state, hasEvents(metastreamOf(state.name)), expected, ids, memory.recall);
    if (checked.decision === 'commit') return undefined;
    if (checked.decision === 'deleted') return { outcome: 'deleted' };
    if (checked.decision === 'wrong-version') {
      return { outcome: 'wrong-version', current: BigInt(state.events.length) - 1n };
    }
    // The server looks the position up as a reader would: of a truncated event it gives the revision only.
    const visible = !isSoftDeleted(state) && checked.lastRevision >= firstVisible(state);
    const position = visible ? state.events[checked.lastRevision]?.position : undefined;
    return { outcome: 'appended', revision: BigInt(checked.lastRevision), position };
  };

  const append: EventLog['append'] = (stream, expected, events) => {
    const state = stateOf(stream);
    if (isMetastream(stream) && stateOf(stream.slice(2)).tombstoned) return { outcome: 'deleted' };
    const refused = refuse(
      state,
      expected,
      events.map(({ id }) => id),
    );
    if (refused) return refused;
    const first = BigInt(state.events.length);
    if (events.length === 0) return { outcome: 'appended', revision: first - 1n, position: undefined };
    const records = events.map((event, index) => ({ ...event, stream, revision: first + BigInt(index) }));
    // A softly deleted stream comes back by new metadata behind its new events: readers start at the first of these.
    const reopened = isSoftDeleted(state) ? [metadataRecord(stream, first)] : [];
    const last = commit([...records, ...reopened])[records.length - 1];
    return { outcome: 'appended', revision: first + BigInt(events.length) - 1n, position: last?.position };
  };

  const remove = (
    stream: string,
    expected: ExpectedRevision,
    record: () => ProposedEvent & { stream: string; revision: bigint },
  ): AppendOutcome => {
    const refused = refuse(stateOf(stream), expected, [randomUUID()]);
    if (refused) return refused;
    const event = commit([record()])[0];
    return { outcome: 'appended', revision: event?.revision ?? 0n, position: event?.position };
  };

  const indexFrom: EventLog['indexFrom'] = (position) => {
    let low = 0;
    let high = positions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((positions[middle] ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return { index: low, exact: positions[low] === position };
  };

  return {
    at: (index) => log[index],
    length: () => log.length,
    stream: (name) => streams.get(name),
    indexFrom,
    append,
    softDelete: (stream, expected) => remove(stream, expected, () => metadataRecord(stream, deletedRevision)),
    tombstone: (stream, expected) =>
      remove(stream, expected, () => ({ ...jsonEvent('$streamDeleted', '{}'), stream, revision: deletedRevision })),
    restore: (events) => events.forEach(apply),
    replicate,
    scavenge: () => {
      for (const state of streams.values()) {
        const last = state.events.length - 1;
        // The server always keeps the last event of a stream, so that its numbering survives; a tombstone replaces it.
        const before = state.tombstoned ? state.events.length : Math.min(firstVisible(state), last);
        for (let revision = 0; revision < before; revision += 1) {
          const event = state.events[revision];
          if (event) log[indexFrom(event.position).index] = undefined;
          state.events[revision] = undefined;
        }
      }
    },
    onCommit: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
