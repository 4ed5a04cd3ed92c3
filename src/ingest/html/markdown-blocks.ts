import { cutText } from '../../kernel/text-rules.ts';
import { escapeLineStart, lineBreak } from './markdown-inline.ts';

/** Texts of releases are no longer; what is cut before it is indented cannot grow without bound. */
export const markdownCharsMax = 1_000_000;

export interface Block {
  readonly text: string;
  readonly isList: boolean;
}

/** Lists stand close to what they belong to, everything else apart. */
export function joinBlocks(blocks: readonly Block[], isTight: boolean): string {
  const parts: string[] = [];
  blocks.forEach(({ text, isList }, index) => {
    if (index > 0) parts.push(isList && (isTight || blocks[index - 1]!.isList) ? '\n' : '\n\n');
    parts.push(text);
  });
  return cutText(parts.join(''), markdownCharsMax);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The lines of a paragraph; a blank one ends it and begins another. */
export const paragraph = (text: string): string =>
  text
    .split(lineBreak)
    .map((line) => escapeLineStart(oneLine(line)))
    .join('  \n')
    .replace(/(?: {2}\n){2,}/g, '\n\n')
    .trim();

export const heading = (level: number, text: string): string => {
  const line = oneLine(text.replaceAll(lineBreak, ' '));
  return line === '' ? '' : `${'#'.repeat(level)} ${line}`;
};

export const quoted = (text: string): string => text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>');

/** A list item with everything in it. */
export const listItem = (marker: string, text: string): string =>
  `${marker}${text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`)}`;

export interface Cell {
  readonly blocks: readonly Block[];
}

const isSimple = ({ blocks }: Cell): boolean =>
  blocks.length <= 1 &&
  blocks.every(({ text, isList }) => !isList && !text.includes('\n\n') && !text.startsWith('```'));

const cellText = ({ blocks }: Cell): string =>
  (blocks[0]?.text ?? '').replace(/\s+/g, ' ').replace(/\\.|\|/g, (mark) => (mark === '|' ? '\\|' : mark));

const rowText = (row: readonly Cell[]): string => `| ${row.map(cellText).join(' | ')} |`;

/** A table as Markdown has them; one that only lays a page out, or holds more than lines, becomes what its cells hold. */
export function tableBlocks(rows: readonly (readonly Cell[])[]): readonly Block[] {
  const [first, ...others] = rows.filter((row) => row.length > 0);
  if (first === undefined) return [];
  const isTable = rows.every((row) => row.every(isSimple)) && rows.some((row) => row.length > 1);
  if (!isTable) return rows.flatMap((row) => row.flatMap(({ blocks }) => blocks));
  const lines = [rowText(first), `|${' --- |'.repeat(first.length)}`, ...others.map(rowText)];
  return [{ text: cutText(lines.join('\n'), markdownCharsMax), isList: false }];
}
