/** What a caller of the EventStoreDB stand-in asks to store. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  readonly stream: string;
  readonly revision: bigint;
  /** Byte-like offset in the log: commit and prepare position in one. */
  readonly position: bigint;
  readonly createdMs: number;
}

/** A soft delete is a `$tb` of this value, a tombstone an event of this revision: the largest signed 64-bit number. */
export const deletedRevision = 9_223_372_036_854_775_807n;

export const isMetastream = (stream: string): boolean => stream.startsWith('$$');
export const metastreamOf = (stream: string): string => `$$${stream}`;

/** The server counts type names as UTF-16. */
export const bytesOf = (event: ProposedEvent): number =>
  event.data.length + event.metadata.length + event.type.length * 2;
