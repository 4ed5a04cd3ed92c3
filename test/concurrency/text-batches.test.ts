import { expect, it } from 'vitest';
import { textBatches } from '../../src/concurrency/text-batches.ts';

const limits = { textsMax: 100, bytesMax: 1_000 };
const batches = (texts: readonly string[]) => [...textBatches(texts, limits)];
const sizes = (texts: readonly string[]) => batches(texts).map((batch) => batch.length);

it('keeps the order and loses nothing', () => {
  const texts = Array.from({ length: 250 }, (_, number) => `text ${number}`);
  expect(batches(texts).flat()).toEqual(texts);
});

it('bounds a batch by bytes and by texts, but a text is never cut', () => {
  const [small, large] = ['x'.repeat(400), 'x'.repeat(2_000)];
  expect(sizes([small, small, small, large, small])).toEqual([2, 1, 1, 1]);
  expect(sizes(['\u20ac'.repeat(200), '\u20ac'.repeat(200)])).toEqual([1, 1]);
  expect(sizes(Array.from({ length: 250 }, () => ''))).toEqual([100, 100, 50]);
  expect(sizes([])).toEqual([]);
});
