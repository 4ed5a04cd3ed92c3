import { createHash } from 'node:crypto';
import type { DomainEvent, RecordedEvent } from '../../kernel/event.ts';
import type { Model } from '../../kernel/model.ts';
import type { Random } from '../../ports/random.ts';
import { createSeal } from '../../records/secrets/seal.ts';
import type { SnapshotRecord } from '../../records/snapshots.ts';
import type { LoadedStream, StreamStart } from './loaded-stream.ts';

/** A repeat of a command comes within a day: its idempotency key is kept no longer. */
const repeatableMs = 24 * 3_600_000;

/**
 * Sealed with the event that the snapshot ends with. So it opens only where that very event is stored, at that place, and
 * is folded in the same way: a damaged one does not open, nor one of another store or of a restored backup's lost
 * events. And when an erasure takes that event away, nobody can read what the snapshot held, wherever a copy is left.
 */
const keyOf = (foldVersion: number, { stream, version, position, id, data }: RecordedEvent): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([stream.name, foldVersion, version, position, id, data]))
    .digest();

function recentCommands({ events, mark, start }: LoadedStream<unknown>): StreamStart<unknown>['commands'] {
  const commands = { ...start.commands };
  for (const { metadata } of events) commands[metadata.commandId] = metadata.recordedAt;
  const fromMs = Date.parse(mark.recordedAt ?? '') - repeatableMs;
  return Object.fromEntries(Object.entries(commands).filter(([, recordedAt]) => Date.parse(recordedAt) >= fromMs));
}

/** What is known behind these events, for those that follow. */
export const startBehind = <State>(loaded: LoadedStream<State>): StreamStart<State> => ({
  state: loaded.state,
  mark: loaded.mark,
  commands: recentCommands(loaded),
});

export function sealSnapshot<State, E extends DomainEvent>(
  { foldVersion }: Model<State, E>,
  loaded: LoadedStream<State>,
  random: Random,
): SnapshotRecord {
  const { stream, events } = loaded;
  const last = events.at(-1);
  if (last === undefined) throw new Error(`there is no event of ${stream} to seal its snapshot with`);
  const sealed = createSeal(keyOf(foldVersion, last), random).close(JSON.stringify(startBehind(loaded)));
  return { id: stream, version: last.version, sealed };
}

/** Null when it is not a snapshot that ends with this event, made by this fold. */
export function openSnapshot<State, E extends DomainEvent>(
  { foldVersion }: Model<State, E>,
  { sealed }: SnapshotRecord,
  { last, random }: { readonly last: RecordedEvent; readonly random: Random },
): StreamStart<State> | null {
  const seal = createSeal(keyOf(foldVersion, last), random);
  let opened: string;
  try {
    opened = seal.open(sealed);
  } catch {
    return null; // what it would have told is read from the events
  }
  return JSON.parse(opened) as StreamStart<State>;
}
