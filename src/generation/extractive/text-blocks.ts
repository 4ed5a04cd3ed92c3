import { cutText } from '../../kernel/text-rules.ts';

/** A paragraph or list item outside code, tables and comments, on one line. */
export interface TextBlock {
  readonly text: string;
  readonly isItem: boolean;
  /** Headings that it stands below, the nearest first, in lower case. */
  readonly headings: readonly string[];
}

const blocksMax = 200;
const blockCharsMax = 2_000;
const headingCharsMax = 200;

const fencePattern = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const headingPattern = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const itemPattern = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;
const quotePattern = /^ {0,3}>[ \t]?/;
/** Rules and underlines, rows of tables, definitions of links: nothing that is read as a sentence. */
const silentPattern = /^[ \t]*(?:[-=*_|:+ \t]+$|\||\[[^\]]{1,200}\]:)/;

/**
 * Goes through the lines once. It is no Markdown parser: what it takes for text is made harmless by `harmlessInline`,
 * whatever it was.
 */
export function textBlocks(markdown: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const headings: string[] = ['', '', '', '', '', ''];
  let lines: string[] = [];
  let chars = 0;
  let isItem = false;
  let fence: string | null = null;
  let isComment = false;

  const endBlock = (): void => {
    const text = lines.join(' ').trim();
    lines = [];
    chars = 0;
    if (text !== '' && blocks.length < blocksMax) {
      blocks.push({ text, isItem, headings: headings.filter((heading) => heading !== '').reverse() });
    }
    isItem = false;
  };
  const add = (text: string): void => {
    // A block that is longer is no sentence to pick; its beginning alone may hold half of a mark.
    if (chars <= blockCharsMax) lines.push(cutText(text, blockCharsMax));
    chars += text.length + 1;
  };

  for (const raw of markdown.split('\n')) {
    if (blocks.length >= blocksMax) break;
    const line = raw.replace(quotePattern, '').trimEnd();
    if (isComment) {
      isComment = !line.includes('-->');
      continue;
    }
    if (fence !== null) {
      const closing = line.trim();
      if (closing.startsWith(fence) && closing.replaceAll(fence[0]!, '') === '') fence = null;
      continue;
    }
    const opened = fencePattern.exec(line)?.[1];
    const heading = headingPattern.exec(line)?.[1];
    if (opened !== undefined) {
      endBlock();
      fence = opened;
    } else if (line.trimStart().startsWith('<!--')) {
      endBlock();
      isComment = !line.includes('-->');
    } else if (heading !== undefined) {
      endBlock();
      const text = cutText(line.trimStart().slice(heading.length), headingCharsMax).trim().toLowerCase();
      headings.fill('', heading.length - 1);
      headings[heading.length - 1] = text;
    } else if (line.trim() === '' || silentPattern.test(line)) {
      endBlock();
    } else if (itemPattern.test(line)) {
      endBlock();
      isItem = true;
      add(line.replace(itemPattern, '').replace(/^\[[ xX]\][ \t]+/, ''));
    } else if (lines.length === 0 && /^(?: {4}|\t)/.test(line)) {
      continue; // code by its indent
    } else {
      add(line.trim());
    }
  }
  endBlock();
  return blocks;
}
