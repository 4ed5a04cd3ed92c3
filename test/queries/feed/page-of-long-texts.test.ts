import { expect, it } from 'vitest';
import { fitting } from '../../../queries/feed/release-feed-answer.ts';
import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';

const rowsOf = (chars: readonly (number | null)[]): FeedRow[] =>
  chars.map((contentChars, index) => ({ id: `rel_${index}`, derived: { contentChars } }) as unknown as FeedRow);

it.each([
  [[5, 5, null, 1], 10, 3],
  [[5, 5, null], 10, 3],
  [[50, 1], 10, 1],
  [[10, 1], 10, 1],
  [[1, 50, 1], 10, 1],
  [[], 10, 0],
])('of texts with %j characters those that fit into %i are %i, and at least one', (chars, max, count) => {
  expect(fitting(rowsOf(chars), max)).toHaveLength(count);
});
