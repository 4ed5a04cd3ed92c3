import type { Database } from '../sqlite/open-database.ts';

/**
 * The partitions of all topics lie in one table, called lanes, and have an id beside their number within the topic. Their
 * offsets are dense from 0 and never used twice, so how much waits is a difference and not a count. What a group has
 * finished outlives its members; members are rows that run out.
 *
 * A message lies at its place (`placeOf`), a single number: a key of two columns is found by comparing whole rows, and
 * with a row of 900 KB that takes milliseconds.
 */
const tablesSql = `
  CREATE TABLE IF NOT EXISTS bus_topic (
    name TEXT PRIMARY KEY,
    retention_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS bus_lane (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    partition INTEGER NOT NULL,
    first_offset INTEGER NOT NULL,
    next_offset INTEGER NOT NULL,
    UNIQUE (topic, partition)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS bus_message (
    place INTEGER PRIMARY KEY,
    produced_at_ms INTEGER NOT NULL,
    key TEXT NOT NULL,
    headers TEXT,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS bus_group_offset (
    group_name TEXT NOT NULL,
    lane INTEGER NOT NULL,
    next_offset INTEGER NOT NULL,
    PRIMARY KEY (group_name, lane)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS bus_member (
    group_name TEXT NOT NULL,
    member TEXT NOT NULL,
    topics TEXT NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    PRIMARY KEY (group_name, member)
  ) STRICT, WITHOUT ROWID;
`;

/** Files that were made when topics had delays still have a column for them, which must be filled. */
const hasDelaysSql = "SELECT 1 FROM pragma_table_info('bus_topic') WHERE name = 'delay_ms'";

export const createBusTables = (db: Database): void => {
  db.exec(tablesSql);
  if (db.prepare(hasDelaysSql).get() !== undefined) db.exec('ALTER TABLE bus_topic DROP COLUMN delay_ms');
};

/** Enough for a million messages a second for twelve days in one partition; 8,191 partitions stay exact numbers. */
export const placesPerPartition = 2 ** 40;

export const placeOf = (partitionId: number, offset: number): number => partitionId * placesPerPartition + offset;

export interface PartitionRow {
  readonly id: number;
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: number;
  readonly nextOffset: number;
}

export const partitionColumnsSql = 'id, topic, partition, first_offset AS firstOffset, next_offset AS nextOffset';

/** The lease that a member of the group holds on a partition. */
export const partitionLeaseName = (group: string, partitionId: number): string => `bus:${group}:${partitionId}`;

/** Where the writer thread tells the threads of its process that there are new messages. */
export const busChannel = (file: string): string => `bus:${file}`;
