import type { Appended, Truncation, VersionConflict } from '../../../ports/event-store.ts';
import type { EncodedAppend } from '../../encode-append.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
import type { Database } from '../sqlite/open-database.ts';

interface StreamRow {
  readonly id: number;
  readonly version: number;
}

export interface EventWriter {
  readonly append: (append: EncodedAppend) => Appended | VersionConflict;
  readonly truncate: (truncation: Truncation) => void;
  /** After a truncation is committed: leaves its text in no file. */
  readonly scrubLog: () => void;
}

/** The statements that change the event tables. They run inside a transaction of the caller. */
export function createEventWriter(db: Database): EventWriter {
  const streamNamed = db.prepare<[string], StreamRow>('SELECT id, version FROM streams WHERE name = ?');
  const addStream = db.prepare<[string, number]>('INSERT INTO streams (name, version) VALUES (?, ?)');
  const setVersion = db.prepare<[number, number]>('UPDATE streams SET version = ? WHERE id = ?');
  const addEvent = db.prepare<[number, number, string, string, string, string]>(
    'INSERT INTO events (stream, version, type, id, metadata, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const idAt = db.prepare<[number, number], { id: string; position: number }>(
    'SELECT id, position FROM events WHERE stream = ? AND version = ?',
  );
  const versionOf = db.prepare<[number, string], { version: number }>(
    'SELECT version FROM events WHERE stream = ? AND id = ?',
  );
  const dropText = db.prepare<[number, number]>(
    `UPDATE events SET type = '', metadata = '', data = '' WHERE stream = ? AND version < ? AND type <> ''`,
  );
  const setFirst = db.prepare<[number, number]>(
    'UPDATE streams SET first_version = max(first_version, min(?, version + 1)) WHERE id = ?',
  );

  /** The first answer again, when exactly these events stand where this append would have put them. */
  const repeated = (stream: StreamRow, { expectedVersion, events }: EncodedAppend): Appended | undefined => {
    let position = 0;
    for (const [index, event] of events.entries()) {
      const stored = idAt.get(stream.id, expectedVersion + index + 1);
      if (stored?.id !== event.id) return undefined;
      position = stored.position;
    }
    return { outcome: 'appended', version: expectedVersion + events.length, position };
  };

  return {
    append: (append) => {
      const { stream: name, expectedVersion, events } = append;
      const stream = streamNamed.get(name);
      const conflict: VersionConflict = { outcome: 'conflict', actualVersion: stream?.version ?? 0 };
      if (conflict.actualVersion !== expectedVersion) {
        return (stream && repeated(stream, append)) ?? conflict;
      }
      if (stream && events.some(({ id }) => versionOf.get(stream.id, id) !== undefined)) return conflict;

      const version = expectedVersion + events.length;
      const streamId = stream ? stream.id : Number(addStream.run(name, version).lastInsertRowid);
      if (stream) setVersion.run(version, streamId);
      let position = 0;
      for (const [index, event] of events.entries()) {
        const { type, id, metadata, data } = event;
        position = Number(
          addEvent.run(streamId, expectedVersion + index + 1, type, id, metadata, data).lastInsertRowid,
        );
      }
      return { outcome: 'appended', version, position };
    },

    truncate: ({ stream: name, beforeVersion }) => {
      const stream = streamNamed.get(name);
      if (stream === undefined) return;
      setFirst.run(beforeVersion, stream.id);
      dropText.run(stream.id, beforeVersion);
    },

    scrubLog: () => emptyLog(db),
  };
}
