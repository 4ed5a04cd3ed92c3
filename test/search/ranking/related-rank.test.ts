import { expect, it } from 'vitest';
import { dayMs } from '../../../src/kernel/dates.ts';
import { relatedRank } from '../../../src/search/ranking/related-rank.ts';

const nowMs = Date.UTC(2026, 2, 1);
const whole = { cosine: 0.5, publishedMs: nowMs, contentChars: 160 };

it.each([
  ['new', {}, 0.5],
  ['half a year old', { publishedMs: nowMs - 180 * dayMs }, 0.5 * 0.8],
  ['a year old', { publishedMs: nowMs - 360 * dayMs }, 0.5 * 0.7],
  ['of the last century', { publishedMs: 0 }, 0.5 * 0.6],
  ['undated', { publishedMs: null }, 0.5 * 0.7],
  ['short', { contentChars: 159 }, 0.5 * 0.5],
  ['without a text', { contentChars: null }, 0.5 * 0.5],
  ['short and undated', { contentChars: 1, publishedMs: null }, 0.5 * 0.5 * 0.7],
])('a release that is %s', (_, fields, expected) => {
  expect(relatedRank({ ...whole, ...fields }, nowMs)).toBeCloseTo(expected, 6);
});
