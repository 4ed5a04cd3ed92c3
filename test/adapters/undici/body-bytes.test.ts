import { expect, it } from 'vitest';
import { createBodyBytes } from '../../../src/adapters/undici/body-bytes.ts';
import { memoryInUse } from '../../spec/memory-in-use.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  [['abc'], true, 'abc'],
  [['abc', 'de', '', 'fgh', 'ij'], true, 'abcdefghij'],
  [['abcdefghij', 'k'], false, 'abcdefghij'],
  [['abcdef', 'ghijkl'], false, 'abcdefghij'],
  [[], true, ''],
])('of %j there is room for all: %j', (pieces, fits, kept) => {
  const body = createBodyBytes(10);
  expect(pieces.map(bytesOf).every((piece) => body.add(piece))).toBe(fits);
  const read = body.read();
  expect([new TextDecoder().decode(read), read.buffer.byteLength]).toEqual([kept, kept.length]);
});

it('a body in chunks of a byte takes no more memory than its bytes', () => {
  const byteCount = 1_000_000;
  const before = memoryInUse();
  const body = createBodyBytes(byteCount);
  const received = new Uint8Array(byteCount).fill(120);
  for (let at = 0; at < byteCount; at += 1) body.add(received.subarray(at, at + 1));
  expect(memoryInUse() - before).toBeLessThan(10 * byteCount);
  expect(Buffer.compare(body.read(), received)).toBe(0);
});
