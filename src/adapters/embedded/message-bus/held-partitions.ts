import type { DispatchedPartition } from '../../dispatch/dispatched-partition.ts';
import type { Lease } from '../../../ports/leases.ts';
import type { PartitionCommit } from './group-writer.ts';
import type { PartitionRow } from './tables.ts';

/** A partition that this member has the lease of. */
export interface HeldPartition {
  readonly row: PartitionRow;
  readonly lease: Lease;
  readonly dispatched: DispatchedPartition;
  readonly delayMs: number;
  /** What was read is behind it. */
  readFrom: number;
  committed: number;
  /** Resolves when it is somebody else's to take. */
  givingUp?: Promise<void>;
}

export type HeldPartitions = Map<number, HeldPartition>;

export const commitOf = ({ row, lease, dispatched }: HeldPartition): PartitionCommit => ({
  partitionId: row.id,
  lease,
  nextOffset: dispatched.next(),
});
