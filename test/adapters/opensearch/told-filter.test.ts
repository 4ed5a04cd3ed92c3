import { expect, it } from 'vitest';
import { sparesOf, toldFilter } from '../../../src/adapters/opensearch/reading/told-filter.ts';
import type { SearchFilter } from '../../../src/ports/search-index.ts';

const noonMs = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const ofSources: SearchFilter = { sources: { in: new Set(['src_a']) }, withCoverage: false };
const ofAll: SearchFilter = { sources: { notIn: new Set(['src_hidden']) }, withCoverage: false };
const until = (filter: SearchFilter, toMs: number, ...except: readonly string[]): SearchFilter => ({
  ...filter,
  toMs,
  keepsUndated: true,
  except: new Set(except),
});
const many = Array.from({ length: 100 }, (_, number) => `rel_${number}`);

it('tells nothing where most passes, and asks for the more to leave out', () => {
  expect(toldFilter(until(ofAll, noonMs, 'rel_a'))).toBeNull();
  expect(sparesOf(ofAll, 100)).toBeGreaterThanOrEqual(20);
  expect(sparesOf(until(ofAll, noonMs, 'rel_a'), 100)).toBe(sparesOf(ofAll, 100) + 1);
});

it('tells which sources, from when on, and much that is left out', () => {
  expect(toldFilter(ofSources)).toEqual(ofSources);
  expect(sparesOf(ofSources, 100)).toBe(0);
  expect(toldFilter({ ...ofAll, fromMs: noonMs })).toEqual({ ...ofAll, fromMs: noonMs });
  const much = until(ofAll, noonMs, ...many);
  expect(toldFilter(much)).toMatchObject({ sources: ofAll.sources, except: much.except });
});

it('is the same for every search of an hour, whatever it is about, so that a server can keep what passes it', () => {
  const told = toldFilter(until(ofSources, noonMs + minuteMs, 'rel_a'));
  expect(toldFilter(until(ofSources, noonMs + 59 * minuteMs, 'rel_b'))).toEqual(told);
  expect(toldFilter(until(ofSources, noonMs + 61 * minuteMs, 'rel_b'))).not.toEqual(told);
  expect(told).toMatchObject({ sources: ofSources.sources, keepsUndated: true });
});

it('asks for more to leave out what is dated soon and what only this search leaves out, unless that is much', () => {
  const soon = sparesOf(until(ofSources, noonMs), 100);
  expect(soon).toBeGreaterThan(0);
  expect(sparesOf(until(ofSources, noonMs, 'rel_a'), 100)).toBe(soon + 1);
  expect(sparesOf(until(ofSources, noonMs, ...many), 100)).toBe(soon);
});
