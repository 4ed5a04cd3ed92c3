const backtick = 96;
const tilde = 126;
const bulletOfAppStores = 0x2022;

export const isBlankCode = (code: number): boolean => code === 32 || code === 9 || code === 13;

export const skipBlanks = (text: string, from: number, end: number): number => {
  let at = from;
  while (at < end && isBlankCode(text.charCodeAt(at))) at += 1;
  return at;
};

export const runLength = (text: string, from: number, end: number, code: number): number => {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at - from;
};

/** Where the mark of a list item ends, -1 when the line is none. */
const markEndOf = (text: string, from: number, end: number): number => {
  let at = from;
  while (at < end && at - from < 9 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at += 1;
  const marker = text.charAt(at);
  const isMarker = marker !== '' && (at > from ? '.)' : '-*+•').includes(marker); // app stores write lists with •
  return !isMarker || (at + 1 < end && !isBlankCode(text.charCodeAt(at + 1))) ? -1 : at + 1;
};

/** Where the text of a list item begins, its line's end when it has none, -1 when the line is no list item. */
export const itemStart = (text: string, from: number, end: number): number => {
  const markEnd = markEndOf(text, from, end);
  return markEnd === -1 ? -1 : skipBlanks(text, markEnd, end);
};

interface Fence {
  readonly code: number;
  readonly length: number;
  /** The column that the text of its list item begins at, 0 when its line begins with it: what begins before ends the item. */
  readonly itemColumn: number;
}

/** The fence that stands there, if one does; a line with code between backticks opens none. */
const openingFence = (text: string, from: number, end: number): Omit<Fence, 'itemColumn'> | null => {
  const code = text.charCodeAt(from);
  if (code !== backtick && code !== tilde) return null;
  const length = runLength(text, from, end, code);
  if (length < 3) return null;
  return code === backtick && text.slice(from + length, end).includes('`') ? null : { code, length };
};

const closesFence = (text: string, from: number, end: number, fence: Fence): boolean => {
  const length = runLength(text, from, end, fence.code);
  return length >= fence.length && skipBlanks(text, from + length, end) === end;
};

/** A tab goes on to the next fourth column. */
const columnOf = (text: string, line: number, at: number): number => {
  let column = 0;
  for (let each = line; each < at; each += 1) column += text.charCodeAt(each) === 9 ? 4 - (column % 4) : 1;
  return column;
};

/** More blanks than these behind the mark of an item make code of its text. */
const blanksOfItemMax = 4;

/** The fence that a list item begins with, behind the marks of nested ones. Markdown has no items with •. */
const fenceOfItem = (text: string, line: number, start: number, end: number): Fence | null => {
  let at = start;
  while (text.charCodeAt(at) !== bulletOfAppStores) {
    const markEnd = markEndOf(text, at, end);
    if (markEnd === -1) break;
    at = skipBlanks(text, markEnd, end);
    if (at - markEnd > blanksOfItemMax) break;
    const fence = openingFence(text, at, end);
    if (fence !== null) return { ...fence, itemColumn: columnOf(text, line, at) };
  }
  return null;
};

/** `item`: a list item begins, and code with it. */
type LineOfCode = 'code' | 'item' | null;

/**
 * Tells of each line whether it is one of fenced code, its fences too; `start` is its first character that is no blank. Code
 * that begins on the line of a list item ends with the item, other code at its fence only: many indent neither as Markdown
 * wants it.
 */
export const createCodeReader = () => {
  let fence: Fence | null = null;
  return (text: string, line: number, start: number, end: number): LineOfCode => {
    if (fence !== null) {
      const isItemOver = start < end && fence.itemColumn > 0 && columnOf(text, line, start) < fence.itemColumn;
      if (!isItemOver) {
        if (closesFence(text, start, end, fence)) fence = null;
        return 'code';
      }
    }
    const opened = start === end ? null : openingFence(text, start, end);
    fence = opened && { ...opened, itemColumn: 0 };
    if (fence !== null) return 'code';
    fence = fenceOfItem(text, line, start, end);
    return fence === null ? null : 'item';
  };
};
