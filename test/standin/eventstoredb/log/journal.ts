import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { StoredEvent } from './stored-event.ts';

export type JournalEntry = { readonly events: readonly StoredEvent[] } | { readonly scavenged: true };

/** What a restarted EventStoreDB stand-in starts from: one line for each transaction, written before it is answered. */
export interface Journal {
  readonly replay: (onEntry: (entry: JournalEntry) => void) => void;
  readonly keep: (entry: JournalEntry) => void;
  readonly empty: () => void;
  readonly close: () => void;
}

export const noJournal: Journal = {
  replay: () => undefined,
  keep: () => undefined,
  empty: () => undefined,
  close: () => undefined,
};

export const openJournal = (path: string): Journal => {
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // A line without its end was being written when the process was killed, so nobody was told of it.
  const whole = stored.slice(0, stored.lastIndexOf('\n') + 1);
  const file = openSync(path, 'a');
  ftruncateSync(file, Buffer.byteLength(whole));
  return {
    replay: (onEntry) => {
      for (const line of whole.split('\n')) if (line !== '') onEntry(decode(line));
    },
    keep: (entry) => {
      const line = Buffer.from(`${encode(entry)}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(file, line, written);
    },
    empty: () => ftruncateSync(file, 0),
    close: () => closeSync(file),
  };
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const encode = (entry: JournalEntry): string => {
  if ('scavenged' in entry) return JSON.stringify(entry);
  const events = entry.events.map(({ data, metadata, revision, position, ...rest }) => ({
    ...rest,
    data: base64(data),
    metadata: base64(metadata),
    revision: String(revision),
    position: String(position),
  }));
  return JSON.stringify({ events });
};

type EncodedEvent = Omit<StoredEvent, 'data' | 'metadata' | 'revision' | 'position'> &
  Record<'data' | 'metadata' | 'revision' | 'position', string>;

const decode = (line: string): JournalEntry => {
  const entry = JSON.parse(line) as { events: EncodedEvent[] } | { scavenged: true };
  if ('scavenged' in entry) return entry;
  const events = entry.events.map(({ data, metadata, revision, position, ...rest }) => ({
    ...rest,
    data: Buffer.from(data, 'base64'),
    metadata: Buffer.from(metadata, 'base64'),
    revision: BigInt(revision),
    position: BigInt(position),
  }));
  return { events };
};
