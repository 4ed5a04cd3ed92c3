import { expect, it } from 'vitest';
import { createPageSize } from '../../../src/kernel/paging/page-size.ts';

const bounds = { first: 4, countMax: 50, bytesMax: 1_000 };

it('begins small and grows step by step, up to its bound', () => {
  const size = createPageSize(bounds);
  const counts = [1, 2, 3, 4, 5].map(() => {
    const count = size.count();
    size.saw(count, count);
    return count;
  });
  expect(counts).toEqual([4, 8, 16, 32, 50]);
});

it('follows the size of what was seen, down to one', () => {
  const size = createPageSize(bounds);
  size.saw(4, 800);
  expect(size.count()).toBe(5);
  size.saw(5, 5_000);
  expect(size.count()).toBe(1);
  size.saw(1, 1_000_000);
  expect(size.count()).toBe(1);
  size.saw(1, 10);
  expect(size.count()).toBe(2);
});

it('learns nothing from a page without anything, nor fails where nothing takes no bytes', () => {
  const size = createPageSize(bounds);
  size.saw(0, 0);
  expect(size.count()).toBe(4);
  size.saw(4, 0);
  expect(size.count()).toBe(8);
});
