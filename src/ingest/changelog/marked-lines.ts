/**
 * The lines that may begin an entry, found by their marks alone: a scan by characters, because it passes every line of a
 * file, and most of them are none.
 */

export type LineKind = 'heading' | 'bold' | 'item' | 'tag' | 'line';

export interface MarkedLine {
  readonly kind: LineKind;
  /** Of a heading; 0 of other lines. */
  readonly level: number;
  /** As it is written, without its mark. */
  readonly text: string;
  readonly start: number;
  /** Where the text below it begins. */
  readonly contentStart: number;
  /** The line above is running text, which may go on in this one. */
  readonly isRunning: boolean;
}

const headingCharsMax = 500;
/** What is no heading must look like one to be read at all: short, and with a version or year near its beginning. */
const lineCharsMax = 200;
const versionNear = /[^\d\n]{0,40}\d+[.\-/]\d/y;
const headingWords = /\d|unreleased|next|upcoming|tbd|tba|wip|progress|main|master|head|trunk|development|future|soon/i;

const hash = 35;
const star = 42;
const plus = 43;
const dash = 45;
const less = 60;
const equals = 61;
const underscore = 95;
const backtick = 96;
const tilde = 126;

const isBlankCode = (code: number): boolean => code === 32 || code === 9 || code === 13;

const runLength = (text: string, from: number, end: number): number => {
  const code = text.charCodeAt(from);
  let at = from + 1;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at - from;
};

const isBlankFrom = (text: string, from: number, end: number): boolean => {
  let at = from;
  while (at < end && isBlankCode(text.charCodeAt(at))) at += 1;
  return at === end;
};

/** 1 or 2 for a line of only `=` or `-`; 3 for the other lines that are drawn below headings; else 0. */
function underlineLevel(text: string, from: number, end: number): number {
  const code = text.charCodeAt(from);
  if (code !== equals && code !== dash && !'~^"+*#._'.includes(text.charAt(from))) return 0;
  const length = runLength(text, from, end);
  if (length < 2 || !isBlankFrom(text, from + length, end)) return 0;
  if (code === equals) return 1;
  return code === dash ? 2 : length > 2 ? 3 : 0;
}

const isDrawn = (level: number): boolean => level === 3;

const tagLevel = /<h([1-6])[\s>]/iy;
const cellTag = /<(?:t[dh]|dt|p|b|strong|li|summary|a|div)[\s>]/iy;

/** Calls back for every line that may begin an entry, outside fenced code and comments, in order. */
export function scanMarkedLines(text: string, visit: (line: MarkedLine) => void): void {
  let fence: { readonly code: number; readonly length: number; readonly start: number } | null = null;
  let ignoresFences = false;
  let ignoresComments = false;
  let isRunning = false;
  // The line above, while it may still turn out to be underlined.
  let above: { readonly start: number; readonly end: number; readonly isRunning: boolean } | null = null;

  const near = (at: number, end: number): boolean => {
    versionNear.lastIndex = at;
    return end - at <= lineCharsMax && versionNear.test(text) && versionNear.lastIndex <= end;
  };
  const report = (kind: LineKind, level: number, [start, from, end]: readonly [number, number, number], running: boolean) =>
    visit({
      kind,
      level,
      text: text.slice(from, Math.min(end, from + headingCharsMax)),
      start,
      contentStart: Math.min(end + 1, text.length),
      isRunning: running,
    });
  const reportAbove = () => {
    if (above === null) return;
    const { start, end, isRunning: running } = above;
    above = null;
    if (near(start, end)) report('line', 0, [start, start, end], running);
  };

  let line = 0;
  for (;;) {
    if (line >= text.length) {
      if (fence === null) break;
      // A fence that nobody closes is none: what it would hide is read after all, this once.
      line = fence.start;
      fence = null;
      ignoresFences = true;
      continue;
    }
    const newline = text.indexOf('\n', line);
    const end = newline === -1 ? text.length : newline;
    let at = line;
    while (at < end && isBlankCode(text.charCodeAt(at))) at += 1;
    const code = at < end ? text.charCodeAt(at) : 0;
    const next = end + 1;

    if (fence !== null) {
      if (code === fence.code) {
        const length = runLength(text, at, end);
        if (length >= fence.length && isBlankFrom(text, at + length, end)) fence = null;
      }
      line = next;
      continue;
    }
    if (code === 0) {
      reportAbove();
      isRunning = false;
      line = next;
      continue;
    }
    if ((code === backtick || code === tilde) && !ignoresFences) {
      const length = runLength(text, at, end);
      if (length >= 3 && (code === tilde || !text.slice(at + length, end).includes('`'))) {
        if (!(code === tilde && above !== null && isBlankFrom(text, at + length, end))) {
          reportAbove();
          fence = { code, length, start: next };
          isRunning = false;
          line = next;
          continue;
        }
      }
    }
    if (code === less && !ignoresComments && text.startsWith('<!--', at)) {
      reportAbove();
      const close = text.indexOf('-->', at + 4);
      if (close === -1) ignoresComments = true;
      else {
        const closeEnd = text.indexOf('\n', close);
        line = closeEnd === -1 ? text.length : closeEnd + 1;
        isRunning = false;
        continue;
      }
    }
    const indent = at - line;
    if (indent > 3 || (indent > 0 && text.charCodeAt(line) === 9)) {
      reportAbove();
      isRunning = false;
      line = next;
      continue;
    }
    if (above !== null) {
      const level = underlineLevel(text, at, end);
      if (level > 0 && !(isDrawn(level) && !near(above.start, above.end))) {
        const { start, end: aboveEnd, isRunning: running } = above;
        above = null;
        visit({
          kind: 'heading',
          level,
          text: text.slice(start, Math.min(aboveEnd, start + headingCharsMax)),
          start,
          contentStart: Math.min(next, text.length),
          isRunning: running,
        });
        isRunning = false;
        line = next;
        continue;
      }
      reportAbove();
    }
    if (code === hash) {
      const level = runLength(text, at, end);
      const from = at + level;
      const isSpaced = from === end || isBlankCode(text.charCodeAt(from));
      if (level <= 6 && (isSpaced || near(from, end))) {
        const shown = text.slice(from, Math.min(end, from + headingCharsMax));
        if (isSpaced ? headingWords.test(shown) : !/^\d+(?!\d*\.)/.test(shown)) {
          visit({ kind: 'heading', level, text: shown.replace(/(?:^|\s)#+\s*$/, ''), start: line, contentStart: Math.min(next, text.length), isRunning: false });
        }
        isRunning = false;
        line = next;
        continue;
      }
    }
    const afterMark = text.charCodeAt(at + 1);
    if ((code === dash || code === star || code === plus) && isBlankCode(afterMark)) {
      if (near(at + 2, end)) report('item', 0, [line, at + 2, end], false);
      isRunning = false;
    } else if ((code === star || code === underscore) && afterMark === code && near(at + 2, end)) {
      report('bold', 0, [line, at, end], false);
      isRunning = false;
    } else if (code === less && near(at, end)) {
      tagLevel.lastIndex = at;
      cellTag.lastIndex = at;
      const level = tagLevel.exec(text)?.[1];
      if (level !== undefined) report('heading', Number(level), [line, at, end], false);
      else if (cellTag.test(text)) report('tag', 0, [line, at, end], false);
      isRunning = false;
    } else {
      above = { start: line, end, isRunning };
      isRunning = true;
    }
    line = next;
  }
  reportAbove();
}
