import { expect, it } from 'vitest';
import { neighboursMax } from '../../../queries/related/nearest-neighbours.ts';
import { listQuery, nearestMax } from '../../../src/adapters/opensearch/reading/list-query.ts';
import type { SearchList } from '../../../src/ports/search-index.ts';
import { nearList, towards } from '../../spec/search-index/harness.ts';

/** How many the server looks for, of each vector. */
const lookedFor = (limit: number, ...near: readonly Float32Array[]): number[] =>
  lookedForIn({ ...nearList(towards(0)), near, limit });

const lookedForIn = (list: SearchList): number[] => {
  const asked = JSON.stringify(listQuery(list, 0)!.queries);
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

it('looks for no more than it always does where what is related to a release is asked for', () => {
  const near = [towards(0), towards(1)];
  const list = nearList(towards(0));
  const related = { ...list, near, limit: neighboursMax, filter: { ...list.filter, except: new Set(['rel_itself']) } };
  expect(lookedForIn(related)).toEqual(lookedFor(10, ...near));
});
