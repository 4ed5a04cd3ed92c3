/** A file that browsers load, as it is and as most of them want it. */
export interface PackedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
}

/** Reads and compresses them all; whoever needs them more than once keeps them. */
export type LoadPackedFiles = () => Promise<readonly PackedFile[]>;
