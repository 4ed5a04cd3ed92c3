import { expect, it } from 'vitest';
import { listQuery, nearestMax } from '../../../src/adapters/opensearch/reading/list-query.ts';
import { nearList, towards } from '../../spec/search-index/harness.ts';

/** How many the server looks for, of each vector. */
const lookedFor = (limit: number, ...near: readonly Float32Array[]): number[] => {
  const asked = JSON.stringify(listQuery({ ...nearList(towards(0)), near, limit }, 0)!.queries);
  return [...asked.matchAll(/"k":(\d+)/g)].map(([, k]) => Number(k));
};

it('looks for more than is wanted of one vector, for less of each of several, and never for fewer than are wanted', () => {
  const [one = 0] = lookedFor(10, towards(0));
  const [first = 0, second = 0] = lookedFor(10, towards(0), towards(1));
  expect([one, first]).toEqual([2 * first, second]);
  expect(first).toBeGreaterThanOrEqual(10);
  expect(lookedFor(500, towards(0))[0]).toBeGreaterThanOrEqual(500);
  expect(lookedFor(2 * nearestMax, towards(0))).toEqual([nearestMax]);
});
