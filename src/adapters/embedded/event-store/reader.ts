import type { RecordedEvent } from '../../../kernel/event.ts';
import type { EventCodec, StoredEvent } from '../../../kernel/event-codec.ts';
import type { ReadManyOptions, ReadOptions, StreamSlice } from '../../../ports/event-store.ts';
import { type Database, openDatabase } from '../sqlite/open-database.ts';
import { createDataVersion } from '../sqlite/data-version.ts';
import { createStatements } from '../sqlite/statements.ts';
import { limitSql } from '../sqlite/limit.ts';

export interface ReadStep {
  /** Positions after this one up to and with `upTo`. */
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** Stored types; all when absent. */
  readonly types: readonly string[] | undefined;
}

/** Reads on the calling thread; each call is one short piece of SQLite work. */
export interface EventReader {
  readonly slice: (stream: string, options?: ReadOptions) => StreamSlice;
  /** All of one moment. */
  readonly slices: (streams: readonly string[], options?: ReadManyOptions) => StreamSlice[];
  /** Adds what it finds and says how far it came: less than `upTo` when the limit or a step's size was reached. */
  readonly step: (step: ReadStep, found: RecordedEvent[]) => { readonly position: number; readonly chars: number };
  readonly head: () => number;
  /** Changes when another connection, of whatever process, has written. */
  readonly dataVersion: () => number;
  readonly close: () => void;
}

/** Text that one step loads at most, so that it takes a few milliseconds; one event more is let through. */
const stepCharsMax = 1024 * 1024;

interface StreamRow {
  readonly id: number;
  readonly version: number;
  readonly first_version: number;
}

/** Made once for each number of types that is asked for. The first table leads, so that rows come in its order. */
const stepSql = (typeCount: number | undefined): string => {
  const types = typeCount === undefined ? `<> ''` : `IN (${Array(typeCount).fill('?').join(', ')})`;
  return `SELECT e.id, e.type, e.data, e.metadata, s.name AS stream, e.version, e.position
    FROM events e CROSS JOIN streams s ON s.id = e.stream
    WHERE e.position > ? AND e.position <= ? AND e.type ${types} ORDER BY e.position ${limitSql}`;
};

const sliceSql = (order: 'ASC' | 'DESC'): string =>
  `SELECT id, type, data, metadata, ? AS stream, version, position FROM events
   WHERE stream = ? AND version BETWEEN ? AND ? ORDER BY version ${order} ${limitSql}`;

export function createEventReader(file: string, codec: EventCodec): EventReader {
  const db: Database = openDatabase({ file, kind: 'events', synchronous: 'FULL', readonly: true });
  const statement = createStatements(db);
  const streamNamed = db.prepare<[string], StreamRow>('SELECT id, version, first_version FROM streams WHERE name = ?');
  const head = db.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).pluck();

  const slice = (stream: string, options: ReadOptions = {}): StreamSlice => {
    const row = streamNamed.get(stream);
    if (row === undefined) return { stream, version: 0, events: [] };
    const { direction = 'forwards', fromVersion, limit = -1 } = options;
    const order = direction === 'forwards' ? 'ASC' : 'DESC';
    const lowest = direction === 'forwards' ? Math.max(fromVersion ?? 1, row.first_version) : row.first_version;
    const highest = direction === 'forwards' ? row.version : (fromVersion ?? row.version);
    const rows = statement(sliceSql(order)).all(stream, row.id, lowest, highest, limit) as StoredEvent[];
    return { stream, version: row.version, events: rows.map(codec.decode) };
  };

  return {
    slice: db.transaction(slice),
    slices: db.transaction((streams: readonly string[], options?: ReadManyOptions) =>
      streams.map((stream) => slice(stream, options)),
    ),
    step: ({ after, upTo, limit, types }, found) => {
      let left = limit;
      let chars = 0;
      const rows = statement(stepSql(types?.length)).iterate(after, upTo, ...(types ?? []), limit);
      for (const row of rows as IterableIterator<StoredEvent>) {
        found.push(codec.decode(row));
        left -= 1;
        chars += row.data.length + row.metadata.length;
        if (left === 0 || chars > stepCharsMax) return { position: row.position, chars };
      }
      return { position: upTo, chars };
    },
    head: () => (head.get() as number | undefined) ?? 0,
    dataVersion: createDataVersion(db),
    close: () => db.close(),
  };
}
