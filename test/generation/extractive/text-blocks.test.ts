import { expect, it } from 'vitest';
import { textBlocks } from '../../../src/generation/extractive/text-blocks.ts';
import { isCleanText } from '../../../src/kernel/text-rules.ts';

it('cuts long lines and headings between characters', () => {
  const long = (before: number) => `${'a'.repeat(before)}🚀🚀🚀`;
  for (const before of [1_997, 1_998, 1_999, 2_000]) {
    expect(textBlocks(long(before)).map(({ text }) => isCleanText(text))).toEqual([true]);
  }
  for (const before of [197, 198, 199, 200]) {
    const [block] = textBlocks(`# ${long(before)}\n\nText`);
    expect(block?.headings.map(isCleanText)).toEqual([true]);
  }
});
