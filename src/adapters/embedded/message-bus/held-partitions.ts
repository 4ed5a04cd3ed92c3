import type { DispatchedPartition } from '../../dispatch/dispatched-partition.ts';
import type { Lease } from '../../../ports/leases.ts';
import type { LaneCommit } from './group-writer.ts';
import type { LaneRow } from './tables.ts';

/** A lane that this member has the lease of. */
export interface HeldLane {
  readonly row: LaneRow;
  readonly lease: Lease;
  readonly partition: DispatchedPartition;
  delayMs: number;
  /** What was read is behind it. */
  readFrom: number;
  committed: number;
  /** Resolves when it is somebody else's to take. */
  givingUp?: Promise<void>;
}

export type HeldLanes = Map<number, HeldLane>;

export const commitOf = ({ row, lease, partition }: HeldLane): LaneCommit => ({
  lane: row.id,
  lease,
  nextOffset: partition.next(),
});
