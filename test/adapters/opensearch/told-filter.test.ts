import { expect, it } from 'vitest';
import { checkOfAll, checkOfMoment } from '../../../src/adapters/opensearch/reading/passing-hits.ts';
import { type ToldFilter, toldFilters } from '../../../src/adapters/opensearch/reading/told-filter.ts';
import type { SearchFilter } from '../../../src/ports/search-index.ts';

const noonMs = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const limit = 100;
const ofSources: SearchFilter = { sources: { in: new Set(['src_a']) }, withCoverage: false };
const ofAll: SearchFilter = { sources: { notIn: new Set(['src_hidden']) }, withCoverage: false };
const until = (filter: SearchFilter, toMs: number, ...except: readonly string[]): SearchFilter => ({
  ...filter,
  toMs,
  keepsUndated: true,
  except: new Set(except),
});
const many = Array.from({ length: 100 }, (_, number) => `rel_${number}`);

const allTold = (filter: SearchFilter): ToldFilter => ({ filter, spares: 0, check: null });
const first = (filter: SearchFilter): ToldFilter => toldFilters(filter, limit)[0];

it('tells nothing first where most passes, then what lasts, then all', () => {
  const filter = until(ofAll, noonMs, 'rel_a');
  const [nothing, lasting, ...others] = toldFilters(filter, limit);
  expect(nothing).toMatchObject({ filter: null, check: checkOfAll });
  expect(nothing.spares).toBeGreaterThanOrEqual(20);
  expect(nothing.spares).toBe(first(ofAll).spares + 1);
  expect(lasting).toMatchObject({ filter: { sources: ofAll.sources }, check: checkOfMoment });
  expect(others).toEqual([allTold(filter)]);
  expect(toldFilters(ofAll, limit).slice(1)).toEqual([allTold(ofAll)]); // all of it lasts
});

it('tells which sources, from when on, and much that is left out', () => {
  expect(toldFilters(ofSources, limit)).toEqual([allTold(ofSources)]);
  const recent = { ...ofAll, fromMs: noonMs };
  expect(toldFilters(recent, limit)).toEqual([allTold(recent)]);
  const much = until(ofAll, noonMs, ...many);
  expect(first(much).filter).toMatchObject({ sources: ofAll.sources, except: much.except });
});

it('is the same for every search of an hour, whatever it is about, so that a server can keep what passes it', () => {
  const { filter } = first(until(ofSources, noonMs + minuteMs, 'rel_a'));
  expect(first(until(ofSources, noonMs + 59 * minuteMs, 'rel_b')).filter).toEqual(filter);
  expect(first(until(ofSources, noonMs + 61 * minuteMs, 'rel_b')).filter).not.toEqual(filter);
  expect(filter).toMatchObject({ sources: ofSources.sources, keepsUndated: true });
});

it('asks for more to leave out what is dated soon and what only this search leaves out, unless that is much', () => {
  const { spares } = first(until(ofSources, noonMs));
  expect(spares).toBeGreaterThan(0);
  expect(first(until(ofSources, noonMs, 'rel_a')).spares).toBe(spares + 1);
  expect(first(until(ofSources, noonMs, ...many)).spares).toBe(spares);
});
