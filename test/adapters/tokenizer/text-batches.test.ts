import { expect, it } from 'vitest';
import { textBatches } from '../../../src/adapters/tokenizer/text-batches.ts';

const sizes = (texts: readonly string[]) => [...textBatches(texts)].map((batch) => batch.length);

it('keeps the order and loses nothing', () => {
  const texts = Array.from({ length: 2500 }, (_, number) => `text ${number}`);
  expect([...textBatches(texts)].flat()).toEqual(texts);
});

it('bounds a batch by characters and by texts, but a text is never cut', () => {
  const [small, large] = ['x'.repeat(400_000), 'x'.repeat(2_000_000)];
  expect(sizes([small, small, small, large, small])).toEqual([2, 1, 1, 1]);
  expect(sizes(Array.from({ length: 2500 }, () => ''))).toEqual([1000, 1000, 500]);
  expect(sizes([])).toEqual([]);
});
