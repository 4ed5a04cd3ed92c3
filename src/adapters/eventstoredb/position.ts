import type { Position } from '@eventstore/db-client';

/** A place in the server's log that a JSON number cannot hold; rounded, it would be another event's. */
export class PositionTooLarge extends RangeError {
  constructor(position: bigint) {
    super(`EventStoreDB's position ${position} is above ${Number.MAX_SAFE_INTEGER}, the largest that can be kept.`);
    this.name = 'PositionTooLarge';
  }
}

/** Events written over gRPC have the same commit and prepare position. */
export function positionOf(position: Position | undefined): number {
  if (position === undefined) throw new TypeError('EventStoreDB 22.6 or later is needed: it tells where an event is.');
  if (position.commit > BigInt(Number.MAX_SAFE_INTEGER)) throw new PositionTooLarge(position.commit);
  return Number(position.commit);
}

export const logPosition = (position: number): Position => ({ commit: BigInt(position), prepare: BigInt(position) });
