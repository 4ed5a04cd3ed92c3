import { saysNothing, scanMarkdown, withoutLineMarks } from '../../domain/release/derived/outline.ts';

/** A comment that nobody closes hides nothing. Each stretch of the text is looked at once. */
function withoutComments(markdown: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const open = markdown.indexOf('<!--', from);
    const close = open === -1 ? -1 : markdown.indexOf('-->', open + 4);
    if (close === -1) return kept.length === 0 ? markdown : kept.join('') + markdown.slice(from);
    kept.push(markdown.slice(from, open));
    from = close + 3;
  }
}

/**
 * The items of lists, each with the lines that go on with it, the paragraphs, and the rows of tables, each on one line.
 * Headings, code, comments and definitions of links are left out.
 */
export function entryBlocks(markdown: string): string[] {
  const text = withoutComments(markdown);
  const blocks: string[] = [];
  let lines: string[] = [];
  let blockStart = 0;

  const endBlock = (): void => {
    const block = lines.join(' ').trim();
    if (block !== '') blocks.push(block);
    lines = [];
  };
  const addLine = (start: number, end: number): void => {
    if (lines.length === 0) blockStart = start;
    lines.push(withoutLineMarks(text.slice(start, end).trimEnd()));
  };

  scanMarkdown(text, {
    heading: ({ start }) => {
      if (blockStart >= start) lines = []; // the line above was no paragraph: it is underlined
      endBlock();
    },
    item: (start, end) => {
      endBlock();
      addLine(start, end);
    },
    text: (start, end) => {
      const isRow = text[start] === '|';
      if (isRow || saysNothing(text.slice(start, end).trimEnd())) endBlock();
      addLine(start, end);
      if (isRow) endBlock();
    },
    gap: endBlock,
  });
  endBlock();
  return blocks;
}
