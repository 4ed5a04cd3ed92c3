import type { Lease } from '../../../ports/leases.ts';
import { partitionLeaseName } from './tables.ts';
import type { Database } from '../sqlite/open-database.ts';
import type { SqliteLeases } from '../sqlite/leases.ts';

export interface MemberBeat {
  readonly group: string;
  readonly member: string;
  /** Null for one that is leaving and only keeps what it has in hand. */
  readonly topics: readonly string[] | null;
  readonly leases: readonly Lease[];
  readonly ttlMs: number;
  readonly nowMs: number;
}

export interface PartitionWish {
  readonly group: string;
  readonly member: string;
  readonly partitionIds: readonly number[];
  readonly ttlMs: number;
  readonly nowMs: number;
}

export interface TakenPartition {
  readonly partitionId: number;
  readonly lease: Lease;
  readonly nextOffset: number;
}

/** How far a member is in a partition that it holds. */
export interface PartitionCommit {
  readonly partitionId: number;
  readonly lease: Lease;
  readonly nextOffset: number;
}

/** The statements that change who consumes what and how far they are. They run inside a transaction of the caller. */
export interface BusGroupWriter {
  /** Says that the member lives and renews its leases; answers the names of those it has lost. */
  readonly beat: (beat: MemberBeat) => string[];
  /** Those of the partitions that were free. */
  readonly take: (wish: PartitionWish) => TakenPartition[];
  /** Answers the partitions that are no longer the member's, whose offsets stay as they are. */
  readonly commit: (group: string, commits: readonly PartitionCommit[]) => number[];
  readonly release: (group: string, commit: PartitionCommit) => void;
  readonly leave: (group: string, member: string) => void;
}

export function createBusGroupWriter(db: Database, leases: SqliteLeases): BusGroupWriter {
  const saveMember = db.prepare<[string, string, string, number]>(
    'INSERT OR REPLACE INTO bus_member (group_name, member, topics, expires_at_ms) VALUES (?, ?, ?, ?)',
  );
  const removeMember = db.prepare<[string, string]>('DELETE FROM bus_member WHERE group_name = ? AND member = ?');
  const removeDead = db.prepare<[string, number]>('DELETE FROM bus_member WHERE group_name = ? AND expires_at_ms <= ?');
  const nextOf = db
    .prepare<[string, number], number>(
      `SELECT max(first_offset, coalesce(bus_group_offset.next_offset, 0)) FROM bus_lane
       LEFT JOIN bus_group_offset ON lane = id AND group_name = ? WHERE id = ?`,
    )
    .pluck();
  const saveOffset = db.prepare<[string, number, number]>(
    'INSERT OR REPLACE INTO bus_group_offset (group_name, lane, next_offset) VALUES (?, ?, ?)',
  );

  const commit = (group: string, commits: readonly PartitionCommit[]): number[] => {
    const lost: number[] = [];
    for (const { partitionId, lease, nextOffset } of commits) {
      if (leases.isHeld(lease)) saveOffset.run(group, partitionId, nextOffset);
      else lost.push(partitionId);
    }
    return lost;
  };

  return {
    beat: ({ group, member, topics, leases: held, ttlMs, nowMs }) => {
      removeDead.run(group, nowMs);
      if (topics !== null) saveMember.run(group, member, JSON.stringify(topics), nowMs + ttlMs);
      return held.filter((lease) => !leases.renew(lease, ttlMs, nowMs)).map(({ name }) => name);
    },
    take: ({ group, member, partitionIds, ttlMs, nowMs }) =>
      partitionIds.flatMap((partitionId) => {
        const lease = leases.acquire(partitionLeaseName(group, partitionId), member, ttlMs, nowMs);
        return lease === null ? [] : [{ partitionId, lease, nextOffset: nextOf.get(group, partitionId) as number }];
      }),
    commit,
    release: (group, given) => {
      commit(group, [given]);
      leases.release(given.lease);
    },
    leave: (group, member) => void removeMember.run(group, member),
  };
}
