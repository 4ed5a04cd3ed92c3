import { describe, expect, it } from 'vitest';
import { pageOf, pagination } from '../../../src/kernel/paging/page.ts';

const items = [1, 2, 3, 4, 5];

describe('pageOf', () => {
  it.each([
    [1, 2, [1, 2], 3, true],
    [2, 2, [3, 4], 3, true],
    [3, 2, [5], 3, false],
    [4, 2, [], 3, false],
    [1, 5, items, 1, false],
    [1, 500, items, 1, false],
    [1, 4, [1, 2, 3, 4], 2, true],
    [Number.MAX_SAFE_INTEGER, 500, [], 1, false],
  ])('page %i of %i', (page, limit, expected, totalPages, hasMore) => {
    expect(pageOf(items, { page, limit })).toEqual({
      items: expected,
      pagination: { page, pageSize: limit, returned: expected.length, totalItems: 5, totalPages, hasMore },
    });
  });

  it('has one page when there is nothing', () => {
    expect(pageOf([], { page: 1, limit: 20 })).toEqual({
      items: [],
      pagination: { page: 1, pageSize: 20, returned: 0, totalItems: 0, totalPages: 1, hasMore: false },
    });
  });
});

describe('pagination', () => {
  it('counts over items that are not at hand', () => {
    expect(pagination(2, 20, 20, 41)).toEqual({
      page: 2,
      pageSize: 20,
      returned: 20,
      totalItems: 41,
      totalPages: 3,
      hasMore: true,
    });
    expect(pagination(2, 20, 20, 40)).toMatchObject({ totalPages: 2, hasMore: false });
  });
});
