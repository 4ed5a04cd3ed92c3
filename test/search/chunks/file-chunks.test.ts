import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../src/adapters/tokenizer/count-tokens.ts';
import { decodePage } from '../../../src/domain/changelog/marks.ts';
import { headingStarts, outlineOf } from '../../../src/domain/changelog/outline.ts';
import { sliceOf } from '../../../src/domain/changelog/slice.ts';
import { chunkHeading, fileChunks } from '../../../src/search/chunks/file-chunks.ts';
import { createSeeded } from '../../spec/seeded.ts';

async function opened(text: string) {
  const outline = await outlineOf(text, async (texts) => texts.map(countTokens));
  const pages = { firsts: outline.firsts, load: async (page: number) => decodePage(outline.pages[page]!) };
  return { pages, total: { at: text.length, tokens: outline.tokens } };
}

const section = (name: string, words: number): string => `## ${name}\n\n${'word '.repeat(words)}\n\n`;

describe('the chunks of a file', () => {
  it('hold about 500 tokens, and begin and end at headings', async () => {
    const text = `Preface\n\n${section('1', 200)}${section('2', 200)}${section('3', 200)}`;
    const { pages, total } = await opened(text);
    const starts = headingStarts(text);
    expect(await fileChunks(pages, total)).toEqual([
      { offset: 0, length: starts[2] },
      { offset: starts[2], length: text.length - starts[2]! },
    ]);
  });

  it('leave a long section whole', async () => {
    const text = `${section('long', 2_000)}${section('short', 5)}`;
    const { pages, total } = await opened(text);
    const [long, short] = await fileChunks(pages, total);
    expect(long).toEqual({ offset: 0, length: text.indexOf('## short') });
    expect(short?.offset).toBe(text.indexOf('## short'));
  });

  it('go back for a heading within the last 200 characters, where more comes of it', async () => {
    const text = `${section('1', 440)}${section('small', 20)}${section('3', 300)}`;
    const { pages, total } = await opened(text);
    const [first, second] = await fileChunks(pages, total);
    expect(first?.length).toBe(text.indexOf('## 3'));
    expect(second?.offset).toBe(text.indexOf('## small'));
  });

  it('do not go back where the last one would only come again', async () => {
    const text = `${section('1', 440)}${section('small', 20)}${section('3', 3_000)}`;
    const { pages, total } = await opened(text);
    expect((await fileChunks(pages, total)).map(({ offset }) => offset)).toEqual([0, text.indexOf('## 3')]);
  });

  it('of nothing are none', async () => {
    const { pages, total } = await opened('');
    expect(await fileChunks(pages, total)).toEqual([]);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'cover the whole file, and a slice at the offset of each contains it (seed %i)',
    async (seed) => {
      const random = createSeeded(seed);
      const count = random.int(1, 60);
      let text = random.int(0, 1) === 0 ? '' : 'Preface 😀\n\n';
      for (let at = 0; at < count; at += 1) {
        const mark = '#'.repeat(random.int(1, 5));
        text += `${mark} ${at} 😀\n${'so many words '.repeat(random.int(0, 1) === 0 ? random.int(0, 10) : random.int(0, 300))}\n`;
        if (random.int(0, 5) === 0) text += '```\n# no heading\n```\n';
      }
      const { pages, total } = await opened(text);
      const chunks = await fileChunks(pages, total);
      let end = 0;
      for (const { offset, length } of chunks) {
        expect(offset).toBeLessThanOrEqual(end);
        expect(offset + length).toBeGreaterThan(end);
        end = offset + length;
        const budget = { measure: 'at', size: length } as const;
        const slice = await sliceOf(pages, total, { offset, budget });
        expect([slice.start.at, slice.end.at]).toEqual([offset, offset + length]);
      }
      expect(end).toBe(text.length);
      const starts = chunks.map(({ offset }) => offset);
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
    },
  );
});

it.each([
  ['## 1.2.0 (2026-01-02) ##\ntext', '1.2.0 (2026-01-02)'],
  ['# [Unreleased]\n', '[Unreleased]'],
  ['Preface\n# A', null],
  ['#### deep', null],
  ['## \n', null],
])('the heading of %j is %j', (text, heading) => {
  expect(chunkHeading(text)).toBe(heading);
});
