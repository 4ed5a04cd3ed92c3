import type { RecordedEvent } from '../../../kernel/event.ts';
import type { EventCodec, StoredEvent } from '../../../kernel/event-codec.ts';
import { type Database, openDatabase, readerCachePragma } from '../sqlite/open-database.ts';
import { createDataVersion } from '../sqlite/data-version.ts';
import { createStatements } from '../sqlite/statements.ts';
import { limitSql } from '../sqlite/limit.ts';
import { addToSlice, beginSlice, isRead, type StreamsReading } from './streams-reading.ts';

export interface ReadStep {
  /** Positions after this one up to and with `upTo`. */
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** Stored types; all when absent. */
  readonly types: readonly string[] | undefined;
}

export interface StepCost {
  readonly rows: number;
  readonly chars: number;
}

/** Reads on the calling thread; each call is one short piece of SQLite work. */
export interface EventReader {
  /** Reads on, until enough was read for one step. */
  readonly readOn: (reading: StreamsReading) => StepCost;
  /** Adds what it finds and says how far it came: less than `upTo` when the limit or a step's size was reached. */
  readonly step: (step: ReadStep, found: RecordedEvent[]) => { readonly position: number; readonly chars: number };
  readonly head: () => number;
  /** Changes when another connection, of whatever process, has written. */
  readonly dataVersion: () => number;
  readonly close: () => void;
}

/** Text that one step loads at most, so that it takes a few milliseconds; one event more is let through. */
const stepCharsMax = 1024 * 1024;
/** Streams that one step reads at most: a few milliseconds, too. */
const stepStreamsMax = 100;

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
  db.pragma(readerCachePragma);
  const statement = createStatements(db);
  const streamNamed = db.prepare<[string], StreamRow>('SELECT id, version, first_version FROM streams WHERE name = ?');
  const head = db.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).pluck();

  /** Reads the next stream, or what is left of the one that was begun. */
  const readStream = (reading: StreamsReading, charsLeft: number): StepCost => {
    const { streams, options, slices } = reading;
    const stream = streams[slices.length]!;
    const row = streamNamed.get(stream);
    if (row === undefined) {
      slices.push({ stream, version: 0, events: [] });
      return { rows: 0, chars: 0 };
    }
    // What was truncated meanwhile has lost its text, so the slice begins anew with what is left.
    const isBegun = reading.begun?.firstVersion === row.first_version;
    const slice = isBegun
      ? reading.begun!
      : beginSlice(options, { version: row.version, firstVersion: row.first_version });
    const { direction } = options;
    const select = statement(sliceSql(direction === 'backwards' ? 'DESC' : 'ASC'));
    let rows = 0;
    let chars = 0;
    const found = select.iterate(stream, row.id, slice.lowest, slice.highest, slice.limit);
    for (const event of found as IterableIterator<StoredEvent>) {
      addToSlice(slice, codec.decode(event), direction);
      rows += 1;
      chars += event.data.length + event.metadata.length;
      if (chars > charsLeft && slice.limit !== 0) {
        reading.begun = slice;
        return { rows, chars };
      }
    }
    reading.begun = null;
    slices.push({ stream, version: slice.version, events: slice.events });
    return { rows, chars };
  };

  return {
    readOn: db.transaction((reading: StreamsReading): StepCost => {
      let [rows, chars] = [0, 0];
      for (let count = 0; count < stepStreamsMax && chars <= stepCharsMax && !isRead(reading); count += 1) {
        const cost = readStream(reading, stepCharsMax - chars);
        rows += cost.rows;
        chars += cost.chars;
      }
      return { rows, chars };
    }),
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
