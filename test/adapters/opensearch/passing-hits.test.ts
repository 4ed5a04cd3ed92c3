import { expect, it } from 'vitest';
import { checkOfAll, checkOfMoment, type UnsureHit } from '../../../src/adapters/opensearch/reading/passing-hits.ts';
import type { SearchFilter } from '../../../src/ports/search-index.ts';

const noonMs = Date.parse('2026-03-01T12:00:00Z');
const all: SearchFilter = { sources: { notIn: new Set() }, withCoverage: true, withBare: true };
const plain = { id: ['rel_a'], sourceId: ['src_a'], publishedMs: [noonMs], isCoverage: [false], isBare: [false] };
const { publishedMs: _, ...undated } = plain;

const isPassing = (filter: Partial<SearchFilter>, fields: UnsureHit['fields'] = plain): boolean =>
  checkOfAll.passes({ ...all, ...filter }, { fields });

it('lets pass what is of a wanted source, or of none that is hidden', () => {
  const [own, other] = [new Set(['src_a']), new Set(['src_b'])];
  const passing = [{ in: own }, { in: other }, { notIn: own }, { notIn: other }].map((sources) =>
    isPassing({ sources }),
  );
  expect(passing).toEqual([true, false, false, true]);
});

it('lets pass what is dated from the first to the last moment, and what has no date where that is wanted', () => {
  const bounds: Partial<SearchFilter>[] = [
    { fromMs: noonMs, toMs: noonMs },
    { fromMs: noonMs + 1 },
    { toMs: noonMs - 1 },
    { toMs: noonMs - 1, keepsUndated: true },
  ];
  expect(bounds.map((bound) => isPassing(bound))).toEqual([true, false, false, false]);
  expect([{}, ...bounds].map((bound) => isPassing(bound, undated))).toEqual([true, false, false, false, true]);
});

it('leaves out coverage and what says nothing, unless they are wanted, and what this search leaves out', () => {
  const coverage = { ...plain, isCoverage: [true] };
  const bare = { ...plain, isBare: [true] };
  expect([isPassing({}, coverage), isPassing({ withCoverage: false }, coverage)]).toEqual([true, false]);
  expect([isPassing({}, bare), isPassing({ withBare: false }, bare)]).toEqual([true, false]);
  expect(isPassing({ withCoverage: false, withBare: false })).toBe(true);
  expect([isPassing({ except: new Set(['rel_a']) }), isPassing({ except: new Set(['rel_b']) })]).toEqual([false, true]);
});

it('needs no more than the date where all else was told', () => {
  const filter = { ...all, sources: { in: new Set(['src_a']) }, withCoverage: false, withBare: false, toMs: noonMs };
  const at = (ms: number) => ({ fields: { id: ['rel_a'], publishedMs: [ms] } });
  expect([noonMs, noonMs + 1].map((ms) => checkOfMoment.passes(filter, at(ms)))).toEqual([true, false]);
  expect(checkOfMoment.passes({ ...filter, except: new Set(['rel_a']) }, at(noonMs))).toBe(false);
});
