import { expect, it } from 'vitest';
import { createFetchTimes } from '../../src/records/fetch-times.ts';

const [a, b, c] = [{ id: 'src_a' }, { id: 'src_b' }, { id: 'src_c' }];

it('tells when some sources were fetched, ascending, and keeps it until one of them is fetched', () => {
  const { reads, set } = createFetchTimes([
    ['src_a', 5],
    ['src_b', 3],
    ['src_other', 1],
  ]);
  const list = [a, b, c];
  const first = reads.ascendingOf(list);
  expect(first).toEqual([3, 5]);
  set('src_other', 2);
  set('src_a', 5); // as before
  expect(reads.ascendingOf(list)).toBe(first);
  set('src_c', 4); // for the first time
  expect(reads.ascendingOf(list)).toEqual([3, 4, 5]);
  set('src_b', 9);
  expect(reads.ascendingOf(list)).toEqual([4, 5, 9]);
});

it('tells every list that a source is in of its next fetch', () => {
  const { reads, set } = createFetchTimes([['src_a', 1]]);
  const lists = [
    [a, b],
    [a, c],
  ];
  for (const ms of [2, 3]) {
    for (const list of lists) reads.ascendingOf(list);
    set('src_a', ms);
    expect(lists.map(reads.ascendingOf)).toEqual([[ms], [ms]]);
  }
});

it('follows when all are read anew', () => {
  const { reads, replace } = createFetchTimes([
    ['src_a', 1],
    ['src_b', 2],
  ]);
  const list = [a, b, c];
  reads.ascendingOf(list);
  const all = new Map([
    ['src_b', 2],
    ['src_c', 3],
  ]);
  replace(all, all);
  expect(reads.times).toEqual(all);
  const kept = reads.ascendingOf(list);
  expect(kept).toEqual([2, 3]);
  replace(all, all);
  expect(reads.ascendingOf(list)).toBe(kept);
  replace(new Map([['src_c', 3]]), new Map([['src_c', 4]]));
  expect(reads.contacts).toEqual(new Map([['src_c', 4]]));
  expect(reads.ascendingOf(list)).toEqual([3]);
});
