import { expect, it } from 'vitest';
import { acceptedItems } from '../../../src/use-cases/fetching/take-in.ts';
import { fetchedOf, itemOf } from '../../spec/scripted-fetcher.ts';

it('names what was left out in a way that a terminal can show', () => {
  const leftOut = [{ entry: `\u001b]0;owned\u0007v1\u202e\n${'x'.repeat(300)}`, reason: 'No release.' }];
  const bad = { ...itemOf('1.0.0'), title: 'Kit\u001b[2J', importance: 9 };
  const { accepted, refused } = acceptedItems(fetchedOf({ items: [itemOf('2.0.0'), bad], leftOut }));
  expect(accepted).toEqual([itemOf('2.0.0')]);
  const entries = refused.map(({ entry }) => entry);
  expect(entries).toEqual([expect.stringMatching(/^\]0;owned v1 x+$/), 'Kit [2J']);
  expect(entries[0]).toHaveLength(200);
});
