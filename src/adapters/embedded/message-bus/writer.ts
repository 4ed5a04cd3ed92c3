import type { BusMessage, TopicDeclaration } from '../../../ports/message-bus.ts';
import { type PartitionRow, partitionColumnsSql, placeOf } from './tables.ts';
import { partitionOfKey } from './partition-of-key.ts';
import type { Database } from '../sqlite/open-database.ts';

/** The statements that change topics and their messages. They run inside a transaction of the caller. */
export interface BusWriter {
  /** Sentences about what stays other than declared. */
  readonly ensureTopics: (topics: readonly TopicDeclaration[]) => string[];
  readonly produce: (topic: string, messages: readonly BusMessage[], nowMs: number) => 'stored' | 'unknown_topic';
  /** Removes some of the oldest messages of a partition, those from before this time; true when there may be more. */
  readonly removeOld: (partitionId: number, beforeMs: number) => boolean;
}

/** One step of retention holds the write lock for some milliseconds. */
const removedPerStep = 500;
const removedBytesPerStep = 4 * 1024 * 1024;

interface OldMessage {
  readonly place: number;
  readonly producedAtMs: number;
  readonly bytes: number;
}

export function createBusWriter(db: Database): BusWriter {
  const saveTopic = db.prepare<[string, number]>(
    `INSERT INTO bus_topic (name, retention_ms) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET retention_ms = excluded.retention_ms`,
  );
  const partitionsOf = db.prepare<[string], PartitionRow>(
    `SELECT ${partitionColumnsSql} FROM bus_lane WHERE topic = ? ORDER BY partition`,
  );
  const addPartition = db.prepare<[string, number]>(
    'INSERT INTO bus_lane (topic, partition, first_offset, next_offset) VALUES (?, ?, 0, 0)',
  );
  const setNext = db.prepare<[number, number]>('UPDATE bus_lane SET next_offset = ? WHERE id = ?');
  const addMessage = db.prepare<[number, number, string, string | null, string]>(
    'INSERT INTO bus_message (place, produced_at_ms, key, headers, value) VALUES (?, ?, ?, ?, ?)',
  );
  const oldest = db.prepare<[number, number], OldMessage>(
    `SELECT place, produced_at_ms AS producedAtMs, octet_length(value) AS bytes
     FROM bus_message WHERE place >= ? AND place < ? ORDER BY place LIMIT ${removedPerStep}`,
  );
  const remove = db.prepare<[number, number]>('DELETE FROM bus_message WHERE place >= ? AND place < ?');
  const setFirst = db.prepare<[number, number]>('UPDATE bus_lane SET first_offset = ? WHERE id = ?');

  const ensureTopic = ({ name, partitions, retentionMs }: TopicDeclaration): string[] => {
    saveTopic.run(name, retentionMs);
    const existing = partitionsOf.all(name).length;
    for (let partition = existing; partition < partitions; partition += 1) addPartition.run(name, partition);
    if (existing <= partitions) return [];
    return [`The topic ${name} has ${existing} partitions, not ${partitions} as declared; partitions only grow.`];
  };

  return {
    ensureTopics: (topics) => topics.flatMap(ensureTopic),
    produce: (topic, messages, nowMs) => {
      const partitions = partitionsOf.all(topic);
      if (partitions.length === 0) return 'unknown_topic';
      const next = partitions.map(({ nextOffset }) => nextOffset);
      for (const { key, value, headers } of messages) {
        const index = partitionOfKey(key, partitions.length);
        const offset = next[index]!;
        next[index] = offset + 1;
        addMessage.run(
          placeOf(partitions[index]!.id, offset),
          nowMs,
          key,
          headers ? JSON.stringify(headers) : null,
          value,
        );
      }
      for (const [index, { id, nextOffset }] of partitions.entries()) {
        if (next[index] !== nextOffset) setNext.run(next[index]!, id);
      }
      return 'stored';
    },
    removeOld: (partitionId, beforeMs) => {
      const start = placeOf(partitionId, 0);
      let kept = start;
      let removed = 0;
      let bytes = 0;
      for (const { place, producedAtMs, bytes: size } of oldest.iterate(start, placeOf(partitionId + 1, 0))) {
        if (producedAtMs >= beforeMs || bytes > removedBytesPerStep) break;
        kept = place + 1;
        removed += 1;
        bytes += size;
      }
      if (removed === 0) return false;
      remove.run(start, kept);
      setFirst.run(kept - start, partitionId);
      return removed === removedPerStep || bytes > removedBytesPerStep;
    },
  };
}
