import type { UntriedMessage } from '../../dispatch/dispatched-partition.ts';
import { type PartitionRow, partitionColumnsSql, placeOf, placesPerPartition } from './tables.ts';
import { createDataVersion } from '../sqlite/data-version.ts';
import { type Database, openDatabase, readerCachePragma } from '../sqlite/open-database.ts';

interface MessageRow {
  readonly place: number;
  readonly producedAtMs: number;
  readonly key: string;
  readonly headers: string | null;
  readonly value: string;
}

export interface MessagePage {
  readonly messages: UntriedMessage[];
  /** There may be more that can be read at once. */
  readonly isMore: boolean;
  /** When the message that stopped the page was produced; null when none had to wait. */
  readonly waitingSinceMs: number | null;
}

export interface GroupMember {
  readonly member: string;
  readonly topics: readonly string[];
}

export interface PartitionAge {
  readonly partitionId: number;
  readonly retentionMs: number;
  readonly oldestMs: number | null;
}

/** Short reads on the calling thread: none takes more than a few milliseconds, however much is stored. */
export interface BusReader {
  readonly dataVersion: () => number;
  /** How many messages were produced ever. The file changes with much else: records, heartbeats, offsets. */
  readonly produced: () => number;
  /** What the next message of that partition will have; all before it were produced. */
  readonly nextOffset: (partitionId: number) => number;
  readonly topics: () => string[];
  /** In the order of the partitions; none when there is no such topic. */
  readonly partitions: (topic: string) => PartitionRow[];
  /** Messages from the offset on that were produced no later than this. */
  readonly page: (partition: PartitionRow, fromOffset: number, producedUpToMs: number) => MessagePage;
  readonly members: (group: string, nowMs: number) => GroupMember[];
  readonly isFree: (leaseName: string, nowMs: number) => boolean;
  readonly committed: (group: string, partitionId: number) => number;
  readonly ages: () => PartitionAge[];
  readonly close: () => void;
}

const messagesPerPage = 100;
const charsPerPage = 256 * 1024;
const noHeaders: Readonly<Record<string, string>> = Object.freeze({});

export function createBusReader(file: string): BusReader {
  const db: Database = openDatabase({ file, kind: 'ops', synchronous: 'FULL', readonly: true });
  db.pragma(readerCachePragma);
  const topics = db.prepare<[], string>('SELECT name FROM bus_topic ORDER BY name').pluck();
  const partitions = db.prepare<[string], PartitionRow>(
    `SELECT ${partitionColumnsSql} FROM bus_lane WHERE topic = ? ORDER BY partition`,
  );
  const page = db.prepare<[number, number], MessageRow>(
    `SELECT place, produced_at_ms AS producedAtMs, key, headers, value FROM bus_message
     WHERE place >= ? AND place < ? ORDER BY place LIMIT ${messagesPerPage}`,
  );
  const nextOffsets = db.prepare<[], [number, number]>('SELECT id, next_offset FROM bus_lane').raw();
  let known = { version: -1, offsets: new Map<number, number>(), produced: 0 };
  const members = db.prepare<[string, number], { member: string; topics: string }>(
    'SELECT member, topics FROM bus_member WHERE group_name = ? AND expires_at_ms > ? ORDER BY member',
  );
  const taken = db
    .prepare<[string, number], number>('SELECT 1 FROM lease WHERE name = ? AND holder NOTNULL AND expires_at_ms > ?')
    .pluck();
  const committed = db
    .prepare<[string, number], number>('SELECT next_offset FROM bus_group_offset WHERE group_name = ? AND lane = ?')
    .pluck();
  const ages = db.prepare<[], PartitionAge>(
    `SELECT bus_lane.id AS partitionId, retention_ms AS retentionMs,
       (SELECT produced_at_ms FROM bus_message WHERE place >= bus_lane.id * ${placesPerPartition}
          AND place < (bus_lane.id + 1) * ${placesPerPartition} ORDER BY place LIMIT 1) AS oldestMs
     FROM bus_lane JOIN bus_topic ON name = topic`,
  );

  const dataVersion = createDataVersion(db);
  const upToDate = (): typeof known => {
    const version = dataVersion();
    if (version !== known.version) {
      const offsets = new Map(nextOffsets.all());
      known = { version, offsets, produced: [...offsets.values()].reduce((sum, offset) => sum + offset, 0) };
    }
    return known;
  };

  return {
    dataVersion,
    produced: () => upToDate().produced,
    nextOffset: (partitionId) => upToDate().offsets.get(partitionId) ?? 0,
    topics: () => topics.all() as string[],
    partitions: (topic) => partitions.all(topic),
    page: ({ id, topic, partition }, fromOffset, producedUpToMs) => {
      const messages: UntriedMessage[] = [];
      let chars = 0;
      const rows = page.iterate(placeOf(id, fromOffset), placeOf(id + 1, 0));
      for (const { place, producedAtMs, key, headers, value } of rows) {
        if (producedAtMs > producedUpToMs) return { messages, isMore: false, waitingSinceMs: producedAtMs };
        const parsed = headers === null ? noHeaders : (JSON.parse(headers) as Record<string, string>);
        const offset = place - placeOf(id, 0);
        messages.push({ topic, partition, offset, producedAtMs, key, value, headers: parsed });
        chars += key.length + value.length;
        if (messages.length === messagesPerPage || chars > charsPerPage) {
          return { messages, isMore: true, waitingSinceMs: null }; // not even the next row is loaded
        }
      }
      return { messages, isMore: false, waitingSinceMs: null };
    },
    members: (group, nowMs) =>
      members.all(group, nowMs).map((row) => ({ member: row.member, topics: JSON.parse(row.topics) as string[] })),
    isFree: (leaseName, nowMs) => taken.get(leaseName, nowMs) === undefined,
    committed: (group, partitionId) => (committed.get(group, partitionId) as number | undefined) ?? 0,
    ages: () => ages.all(),
    close: () => void db.close(),
  };
}
