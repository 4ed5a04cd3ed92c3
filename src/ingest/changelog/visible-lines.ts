/** Lines of a text, without those of fenced code and comments, which only show what a changelog looks like. */
export interface LineVisitor {
  /** `text.slice(start, end)` is the line, `first` its first character that is no blank, or `end`. */
  readonly line: (start: number, first: number, end: number) => void;
  /** Lines were left out here. */
  readonly gap: () => void;
}

const backtick = 96;
const tilde = 126;

const isBlankCode = (code: number): boolean => code === 32 || code === 9 || code === 13;

export const skipBlanks = (text: string, from: number, end: number): number => {
  let at = from;
  while (at < end && isBlankCode(text.charCodeAt(at))) at += 1;
  return at;
};

/** How often the character at `from` stands there in a row. */
export const runLength = (text: string, from: number, end: number): number => {
  const code = text.charCodeAt(from);
  let at = from + 1;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at - from;
};

interface Fence {
  readonly code: number;
  readonly length: number;
  /** Where the code begins. */
  readonly next: number;
}

/** A line with code between backticks opens no fence, nor does one of tildes as long as the line that it underlines. */
function openedFence(text: string, first: number, end: number, charsAbove: number): Fence | null {
  const code = text.charCodeAt(first);
  if (code !== backtick && code !== tilde) return null;
  const length = runLength(text, first, end);
  if (length < 3 || (code === backtick && text.slice(first + length, end).includes('`'))) return null;
  const underlines = code === tilde && charsAbove > 0 && length >= charsAbove;
  return underlines ? null : { code, length, next: end + 1 };
}

const closesFence = (text: string, first: number, end: number, { code, length }: Fence): boolean => {
  if (first === end || text.charCodeAt(first) !== code) return false;
  const run = runLength(text, first, end);
  return run >= length && skipBlanks(text, first + run, end) === end;
};

/**
 * Linear in any text: a fence or comment that nobody closes hides nothing, and is looked for only once. What stands below such
 * a fence is read again, without looking for others.
 */
export function visitVisibleLines(text: string, visit: LineVisitor): void {
  let fence: Fence | null = null;
  let looksForFences = true;
  let looksForComments = true;
  let charsAbove = 0;
  let start = 0;
  while (start < text.length || fence !== null) {
    if (start >= text.length) {
      start = fence!.next;
      fence = null;
      looksForFences = false;
      continue;
    }
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const first = skipBlanks(text, start, end);
    const next = end + 1;
    if (fence !== null) {
      if (closesFence(text, first, end, fence)) fence = null;
      start = next;
      continue;
    }
    fence = looksForFences ? openedFence(text, first, end, charsAbove) : null;
    const comment =
      fence === null && looksForComments && text.startsWith('<!--', first) ? text.indexOf('-->', first) : -2;
    if (comment === -1) looksForComments = false;
    if (fence !== null || comment > 0) {
      visit.gap();
      charsAbove = 0;
      const behind = comment > 0 ? text.indexOf('\n', comment) : end;
      start = behind === -1 ? text.length : behind + 1;
      continue;
    }
    visit.line(start, first, end);
    charsAbove = end - first;
    start = next;
  }
}
