import { expect, it } from 'vitest';
import { lastingFilter, passesNow, sparesOf } from '../../../src/adapters/opensearch/reading/lasting-filter.ts';
import type { SearchFilter } from '../../../src/ports/search-index.ts';

const noonMs = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const until = (toMs: number, ...except: readonly string[]): SearchFilter => ({
  sources: { notIn: new Set(['src_hidden']) },
  toMs,
  keepsUndated: true,
  withCoverage: false,
  except: new Set(except),
});
const many = Array.from({ length: 100 }, (_, number) => `rel_${number}`);

it('is the same for every search of an hour, whatever it is about, so that a server can keep what passes it', () => {
  const lasting = lastingFilter(until(noonMs + minuteMs, 'rel_a'));
  expect(lastingFilter(until(noonMs + 59 * minuteMs, 'rel_b'))).toEqual(lasting);
  expect(lastingFilter(until(noonMs + 61 * minuteMs, 'rel_b'))).not.toEqual(lasting);
  expect(lasting).toMatchObject({ sources: { notIn: new Set(['src_hidden']) }, keepsUndated: true });
});

it('leaves to each search what only that one leaves out, unless it is much', () => {
  const filter = until(noonMs + minuteMs, 'rel_a');
  expect(passesNow(filter, 'rel_a', noonMs)).toBe(false);
  expect(passesNow(filter, 'rel_b', noonMs + minuteMs)).toBe(true);
  expect(passesNow(filter, 'rel_b', noonMs + minuteMs + 1)).toBe(false);
  expect(passesNow(filter, 'rel_b', undefined)).toBe(true);
  const much = until(noonMs, ...many);
  expect(lastingFilter(much).except).toEqual(much.except);
  expect(sparesOf(much)).toBe(sparesOf(until(noonMs)));
  expect(sparesOf(filter)).toBe(sparesOf(until(noonMs)) + 1);
});
