import { runLength, skipBlanks, visitVisibleLines } from './visible-lines.ts';

/** A heading, or another line that may begin an entry, by its marks alone. */
export interface MarkedLine {
  readonly kind: 'heading' | 'bold' | 'item' | 'tag' | 'line';
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
/** Of a blank at the beginning of a line more would make it code, or part of a list. */
const indentMax = 3;

const hash = 35;
const star = 42;
const plus = 43;
const dash = 45;
const less = 60;
const equals = 61;
const underscore = 95;
const tab = 9;
const space = 32;

/** Without a digit a heading can only say that something is not out yet. */
const headingWords =
  /\d|unreleased|released|next|upcoming|tbd|tba|wip|progress|main|master|head|trunk|development|future|soon/i;

/**
 * What is no heading begins an entry only with a version or date in front. This lets most lines pass unread, and never looks
 * far into one.
 */
const versionInFront =
  /(?:<[^<>\n]{0,120}>\s{0,4}){0,4}[^\w\n<@]{0,10}(?:(?:version|ver|releas\w{0,3}|changes in|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}[^\w\n]{1,3}){0,3}(?:@?[a-z][\w./-]{0,60}[-@])?v?[. ]?\d{1,8}(?:[.\-/:]|\w{0,2}[ ,])/iy;

const startsWithVersion = (text: string, from: number): boolean => {
  versionInFront.lastIndex = from;
  return versionInFront.test(text);
};

/** 1 or 2 for a line of only `=` or `-`, 3 for others that are drawn below headings; 0 when the line is none. */
function underlineLevel(text: string, first: number, end: number): number {
  const code = text.charCodeAt(first);
  if (code !== equals && code !== dash && !'~^"+*#._'.includes(text.charAt(first))) return 0;
  const length = runLength(text, first, end);
  if (length < 2 || skipBlanks(text, first + length, end) !== end) return 0;
  if (code === equals) return 1;
  return code === dash ? 2 : 3;
}

const headingTag = /<h([1-6])[\s>]/iy;
const cellTag = /<(?:t[rdh]|dt|p|b|strong|li|summary|a|div)[\s>]/iy;

/** 1 to 6, 0 for another tag that can hold the name of an entry, -1 for any other. */
function tagLevel(text: string, first: number): number {
  headingTag.lastIndex = first;
  cellTag.lastIndex = first;
  const level = headingTag.exec(text)?.[1];
  if (level !== undefined) return Number(level);
  return cellTag.test(text) ? 0 : -1;
}

/** The number of `#`, 0 where the line is no heading. Without a blank behind them a version must follow: `##1.2.3`, not `#123`. */
function hashLevel(text: string, first: number, end: number): number {
  if (text.charCodeAt(first) !== hash) return 0;
  const level = runLength(text, first, end);
  if (level > 6) return 0;
  const behind = first + level;
  const code = text.charCodeAt(behind);
  const isSpaced = behind === end || code === space || code === tab;
  return isSpaced || /^\s?\[?v?\d+\.\d/i.test(text.slice(behind, behind + 12)) ? level : 0;
}

interface LineAbove {
  readonly start: number;
  readonly end: number;
  readonly isRunning: boolean;
}

/**
 * Calls back for every line that may begin an entry, outside fenced code and comments, in order; with all headings also for
 * those that can only stand above some.
 */
export function scanMarkedLines(
  text: string,
  visit: (line: MarkedLine) => void,
  { withAllHeadings = false }: { readonly withAllHeadings?: boolean } = {},
): void {
  // A line of text is held back until the next one tells whether it is underlined.
  let above: LineAbove | null = null;
  let isRunning = false;

  const report = (kind: MarkedLine['kind'], level: number, place: LineAbove & { from: number; next: number }) =>
    visit({
      kind,
      level,
      text: text.slice(place.from, Math.min(place.end, place.from + headingCharsMax)),
      start: place.start,
      contentStart: Math.min(place.next, text.length),
      isRunning: place.isRunning,
    });

  function endLineAbove(): void {
    if (above !== null && startsWithVersion(text, above.start)) {
      report('line', 0, { ...above, from: above.start, next: above.end + 1 });
    }
    above = null;
  }

  /** True when the line turned the one above into a heading. */
  function underlines(first: number, end: number): boolean {
    if (above === null) return false;
    const level = underlineLevel(text, first, end);
    if (level === 0 || (level === 3 && !startsWithVersion(text, above.start))) return false;
    report('heading', level, { ...above, from: above.start, next: end + 1 });
    above = null;
    return true;
  }

  /** True when the line is marked as more than text. */
  function isMarked(start: number, first: number, end: number): boolean {
    const place = { start, end, next: end + 1, isRunning: false };
    const code = text.charCodeAt(first);
    const level = hashLevel(text, first, end);
    if (level > 0) {
      const from = first + level;
      const shown = text.slice(from, Math.min(end, from + headingCharsMax));
      const marksEnd = from + shown.replace(/(?:^|\s)#+\s*$/, '').length;
      if (withAllHeadings || headingWords.test(shown)) report('heading', level, { ...place, end: marksEnd, from });
      return true;
    }
    const after = text.charCodeAt(first + 1);
    if ((code === dash || code === star || code === plus) && (after === space || after === tab)) {
      if (startsWithVersion(text, first + 2)) report('item', 0, { ...place, from: first + 2 });
      return true;
    }
    if ((code === star || code === underscore) && after === code && startsWithVersion(text, first + 2)) {
      report('bold', 0, { ...place, from: first });
      return true;
    }
    if (code !== less) return false;
    const ofTag = startsWithVersion(text, first) ? tagLevel(text, first) : -1;
    if (ofTag >= 0) report(ofTag > 0 ? 'heading' : 'tag', ofTag, { ...place, from: first });
    return true;
  }

  visitVisibleLines(text, {
    line: (start, first, end) => {
      const isIndented = first - start > indentMax || (first > start && text.charCodeAt(start) === tab);
      if (first === end || isIndented) {
        endLineAbove();
        isRunning = false;
      } else if (underlines(first, end)) {
        isRunning = false;
      } else {
        endLineAbove();
        if (isMarked(start, first, end)) isRunning = false;
        else {
          above = { start, end, isRunning };
          isRunning = true;
        }
      }
    },
    gap: () => {
      endLineAbove();
      isRunning = false;
    },
  });
  endLineAbove();
}
