import type { BusMessage, TopicDeclaration } from '../../../ports/message-bus.ts';
import {
  createBusGroupWriter,
  type MemberBeat,
  type PartitionCommit,
  type PartitionWish,
  type TakenPartition,
} from './group-writer.ts';
import { createBusWriter } from './writer.ts';
import type { GroupCommit } from '../sqlite/group-commit.ts';
import type { Database } from '../sqlite/open-database.ts';
import type { SqliteLeases } from '../sqlite/leases.ts';

export interface Production {
  readonly topic: string;
  readonly messages: readonly BusMessage[];
  readonly bytes: number;
  readonly nowMs: number;
}

/** What the bus asks of the writer thread. Time comes with each call, from the clock of the caller. */
export type BusCalls = {
  readonly ensureTopics: (topics: readonly TopicDeclaration[]) => Promise<string[]>;
  readonly produce: (production: Production) => Promise<'stored' | 'unknown_topic'>;
  readonly removeOld: (input: { partitionId: number; beforeMs: number }) => Promise<boolean>;
  readonly beat: (beat: MemberBeat) => Promise<string[]>;
  readonly takePartitions: (wish: PartitionWish) => Promise<TakenPartition[]>;
  readonly commitOffsets: (input: { group: string; commits: readonly PartitionCommit[] }) => Promise<number[]>;
  readonly releasePartition: (input: { group: string; commit: PartitionCommit }) => Promise<void>;
  readonly leaveGroup: (input: { group: string; member: string }) => Promise<void>;
};

/** The bus shares the transactions of everything else that is written to the file: one flush for all who wait. */
export function createBusCalls(
  db: Database,
  leases: SqliteLeases,
  commits: GroupCommit,
  onProduced: () => void,
): BusCalls {
  const writer = createBusWriter(db);
  const groups = createBusGroupWriter(db, leases);
  return {
    ensureTopics: (topics) => commits.run(0, () => writer.ensureTopics(topics)),
    produce: async ({ topic, messages, bytes, nowMs }) => {
      const outcome = await commits.run(bytes, () => writer.produce(topic, messages, nowMs));
      onProduced();
      return outcome;
    },
    removeOld: ({ partitionId, beforeMs }) => commits.run(0, () => writer.removeOld(partitionId, beforeMs)),
    beat: (beat) => commits.run(0, () => groups.beat(beat)),
    takePartitions: (wish) => commits.run(0, () => groups.take(wish)),
    commitOffsets: ({ group, commits: given }) => commits.run(0, () => groups.commit(group, given)),
    releasePartition: ({ group, commit }) => commits.run(0, () => groups.release(group, commit)),
    leaveGroup: ({ group, member }) => commits.run(0, () => groups.leave(group, member)),
  };
}
