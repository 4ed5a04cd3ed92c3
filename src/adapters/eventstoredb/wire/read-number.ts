import type { Reader } from 'protobufjs';

/** An unsigned number of 64 bits; one above 2^53 is rounded, and stays above it. */
export function readNumber(reader: Reader): number {
  const { low, high } = reader.uint64();
  return (high >>> 0) * 2 ** 32 + (low >>> 0);
}
