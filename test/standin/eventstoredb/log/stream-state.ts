import { deletedRevision, isMetastream, type StoredEvent } from './stored-event.ts';

/** One stream of the EventStoreDB stand-in. The index of an event is its revision; a scavenge leaves a hole. */
export interface StreamState {
  readonly name: string;
  readonly events: (StoredEvent | undefined)[];
  /** From `$tb` of the metadata; `deletedRevision` means softly deleted. */
  truncateBefore: bigint;
  tombstoned: boolean;
}

export const newStream = (name: string): StreamState => ({
  name,
  events: [],
  truncateBefore: 0n,
  tombstoned: false,
});

export const isSoftDeleted = (state: StreamState): boolean => state.truncateBefore === deletedRevision;

/** The first revision that a reader may see. A metastream shows its last event only, as with `$maxCount` 1. */
export const firstVisible = (state: StreamState): number => {
  const last = state.events.length - 1;
  if (isMetastream(state.name)) return Math.max(0, last);
  return state.truncateBefore > BigInt(last) ? state.events.length : Number(state.truncateBefore);
};

/** Parsed as text, because the value of a soft delete is not a safe integer. */
export const truncateBeforeIn = (metadata: Uint8Array): bigint => {
  const found = /"\$tb"\s*:\s*(\d+)/.exec(Buffer.from(metadata).toString('utf8'));
  return found?.[1] === undefined ? 0n : BigInt(found[1]);
};
