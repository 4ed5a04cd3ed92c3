import type { Clock } from '../../../ports/clock.ts';
import type { TakenPartition } from './group-writer.ts';
import type { HeldPartition, HeldPartitions } from './held-partitions.ts';
import type { BusReader } from './reader.ts';
import { type PartitionRow, partitionLeaseName } from './tables.ts';
import type { BusWrite } from './write.ts';
import { fairShare } from './fair-share.ts';
import { quietPaceMs } from '../../../concurrency/quiet-pace.ts';
import { isPassing } from '../sqlite/group-commit.ts';

export interface MembershipOptions {
  readonly group: string;
  readonly member: string;
  readonly topics: readonly string[];
  readonly clock: Clock;
  /** How long a member counts as living after it said so. */
  readonly ttlMs: number;
  readonly reader: BusReader;
  readonly write: BusWrite;
  /** For what can be left undone by a member that is leaving. */
  readonly writeLast: BusWrite;
  readonly held: HeldPartitions;
  readonly onTaken: (row: PartitionRow, taken: TakenPartition) => void;
  readonly giveUp: (partition: HeldPartition) => void;
  readonly lose: (partition: HeldPartition) => void;
}

export interface Membership {
  /** Says that the member lives, and takes and gives up partitions until each member has its share, over and over. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** Takes no more partitions, but keeps the leases of those that are held; resolves when the others know. */
  readonly leave: () => Promise<void>;
}

const lookMsMin = 100;
const lookMsMax = 500;

export function createMembership(options: MembershipOptions): Membership {
  const { group, member, topics, clock, ttlMs, reader, write, writeLast, held, onTaken, giveUp, lose } = options;
  let isLeaving = false;
  let taking: Promise<unknown> = Promise.resolve();
  let beatAtMs = Number.NEGATIVE_INFINITY;
  let seen = '';
  let changedMs = clock.nowMs();
  let rivals = '';

  const beat = async (): Promise<void> => {
    const leases = [...held.values()].map(({ lease }) => lease);
    const nowMs = clock.nowMs();
    const lost = await write('beat', { group, member, topics: isLeaving ? null : topics, leases, ttlMs, nowMs });
    for (const partition of [...held.values()]) if (lost.includes(partition.lease.name)) lose(partition);
    beatAtMs = nowMs + ttlMs / 4;
  };

  const take = async (rows: readonly PartitionRow[]): Promise<void> => {
    const partitionIds = rows.map(({ id }) => id);
    const taken = await writeLast('takePartitions', { group, member, partitionIds, ttlMs, nowMs: clock.nowMs() });
    for (const partition of taken) onTaken(rows.find(({ id }) => id === partition.partitionId)!, partition);
  };

  const balance = async (nowMs: number): Promise<void> => {
    const members = reader.members(group, nowMs);
    const names = members.map((other) => other.member).join();
    if (names !== rivals) changedMs = nowMs;
    rivals = names;
    const wanted: PartitionRow[] = [];
    for (const topic of topics) {
      const rows = reader.partitions(topic);
      const sharing = members.filter((other) => other.topics.includes(topic)).map((other) => other.member);
      const share = fairShare(topic, rows.length, member, sharing);
      const mine = rows.flatMap(({ id }) => held.get(id) ?? []);
      const kept = mine.filter(({ givingUp }) => givingUp === undefined);
      for (const partition of kept.slice(share)) giveUp(partition);
      const free = rows.filter(({ id }) => !held.has(id) && reader.isFree(partitionLeaseName(group, id), nowMs));
      wanted.push(...free.slice(0, Math.max(0, share - kept.length)));
    }
    if (wanted.length === 0 || isLeaving) return;
    changedMs = nowMs;
    taking = take(wanted).catch((error: unknown) => {
      if (!isPassing(error)) throw error; // otherwise it was told, and the member is leaving
    });
    await taking;
  };

  /** What runs out does so without a write, so every second is looked at, changed or not. */
  const look = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    const state = `${reader.dataVersion()} ${Math.floor(nowMs / 1_000)}`;
    if (state === seen) return;
    seen = state;
    await balance(nowMs);
  };

  return {
    run: async (stop) => {
      while (!stop.aborted) {
        if (clock.nowMs() >= beatAtMs) await beat();
        if (!isLeaving) await look();
        await clock.sleep(quietPaceMs(clock.nowMs() - changedMs, lookMsMin, lookMsMax), stop);
      }
    },
    leave: async () => {
      isLeaving = true;
      await taking;
      await writeLast('leaveGroup', { group, member });
    },
  };
}
