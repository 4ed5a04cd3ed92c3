import { describe, expect, it } from 'vitest';
import { itemBatches } from '../../src/ingest/item-batches.ts';

describe('batches of items', () => {
  it('are bounded by count and by size, and keep the order', () => {
    const items = Array.from({ length: 1_203 }, (_, index) => ({
      title: `${index}`,
      content: index === 7 ? 'x'.repeat(5_000_000) : 'y'.repeat(index % 3 === 0 ? 20_000 : 10),
    }));
    const batches = itemBatches(items);
    expect(batches.flat()).toEqual(items);
    for (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(500);
      const chars = batch.reduce((sum, { content = '' }) => sum + content.length, 0);
      expect(batch.length === 1 || chars <= 4_000_000).toBe(true);
    }
    expect(itemBatches([])).toEqual([]);
  });
});
