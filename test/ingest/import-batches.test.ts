import { describe, expect, it } from 'vitest';
import { batchesOf } from '../../src/ingest/import-batches.ts';

describe('batchesOf', () => {
  const sizesOf = (count: number, content: string) =>
    batchesOf(Array.from({ length: count }, () => ({ title: 't', content }))).map(({ length }) => length);

  it('holds 500 at most', () => {
    expect(sizesOf(1_001, 'a')).toEqual([500, 500, 1]);
    expect(sizesOf(0, 'a')).toEqual([]);
  });

  it('holds four million characters at most', () => {
    expect(sizesOf(9, 'a'.repeat(1_000_000))).toEqual([4, 4, 1]);
  });
});
