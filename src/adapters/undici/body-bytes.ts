/** The beginning of a body that comes in pieces. */
export interface BodyBytes {
  /** Whether there was room for all of the piece. */
  readonly add: (piece: Uint8Array) => boolean;
  /** All that was kept, with nothing behind it: whoever sends it to another thread sends the memory as a whole. */
  readonly read: () => Uint8Array;
}

/**
 * Copied piece by piece, never kept as pieces: of a body that comes in chunks of a byte each, these would take a hundred times
 * the memory of what may be read.
 */
export function createBodyBytes(bytesMax: number): BodyBytes {
  let bytes = new Uint8Array(0);
  let byteCount = 0;

  /** Twice as many each time, so that the copies do not add up; most bodies are one piece and take just that. */
  const makeRoom = (wanted: number): void => {
    if (wanted <= bytes.length) return;
    const larger = new Uint8Array(Math.min(bytesMax, Math.max(wanted, 2 * bytes.length)));
    larger.set(bytes.subarray(0, byteCount));
    bytes = larger;
  };

  return {
    add: (piece) => {
      const kept = piece.subarray(0, bytesMax - byteCount);
      makeRoom(byteCount + kept.length);
      bytes.set(kept, byteCount);
      byteCount += kept.length;
      return kept.length === piece.length;
    },
    read: () => (byteCount === bytes.length ? bytes : bytes.slice(0, byteCount)),
  };
}
