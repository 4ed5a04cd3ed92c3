import { expect, it } from 'vitest';
import { countMax, createAskedCounts } from '../../../src/http/ready/asked-counts.ts';

const address = (number: number): string => `/v1/orgs/org-${number}/releases?limit=20`;

it('an address is counted each time that it is asked for, up to what is often', () => {
  const counts = createAskedCounts(() => undefined);
  const noted = Array.from({ length: 20 }, () => counts.note(address(1)));
  expect(noted).toEqual(Array.from({ length: 20 }, (_, turn) => Math.min(turn + 1, countMax)));
  expect([counts.of(address(1)), counts.of(address(2))]).toEqual([countMax, 0]);
});

it('ten thousand addresses are told apart, but for a few that seem to be asked for more often', () => {
  const counts = createAskedCounts(() => undefined);
  for (let number = 0; number < 10_000; number += 1) counts.note(address(number));
  const numbers = Array.from({ length: 10_000 }, (_, number) => number);
  expect(numbers.filter((number) => counts.of(address(number)) < 1)).toEqual([]);
  expect(numbers.filter((number) => counts.of(address(number)) > 1).length).toBeLessThan(500);
  expect(numbers.filter((number) => counts.of(address(number + 10_000)) > 0).length).toBeLessThan(500);
});

it('what was asked for before many others counts half, and is forgotten in the end', () => {
  let halvings = 0;
  const counts = createAskedCounts(() => {
    halvings += 1;
  });
  for (let turn = 0; turn < 8; turn += 1) counts.note('before');
  const seen: number[] = [];
  while (halvings < 6) {
    const known = halvings;
    counts.note('another'); // one alone: many would leave traces in its cells
    if (halvings > known) seen.push(counts.of('before'));
  }
  expect(seen).toEqual([4, 2, 1, 0, 0, 0]);
});
