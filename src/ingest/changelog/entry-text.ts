import { plainText } from '../../domain/release/derived/outline.ts';
import { readChangelogHeading } from './changelog-heading.ts';
import { type NumericDay, takeWrittenDates } from './written-dates.ts';

const dateLineCharsMax = 120;
/** Tools write a comment or two between a heading and its date. */
const commentLinesMax = 3;

export interface DateLine {
  readonly dayMs: number | null;
  readonly numericDay: NumericDay | null;
  /** Of the line, its line break included. */
  readonly start: number;
  readonly end: number;
}

const fillerWords = /\b(?:released?|release date|date|published|on|at|the)\b/gi;

/** The date of an entry where it stands on a line of its own at the top of the text: `*2024-01-02*`. */
export function readDateLine(text: string, from: number): DateLine | null {
  const to = text.length;
  let start = from;
  for (let comments = 0; start < to && comments <= commentLinesMax; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? to : newline;
    if (end - start > dateLineCharsMax) return null;
    const line = text.slice(start, end).trim();
    const next = Math.min(end + 1, to);
    if (line.startsWith('<!--') && line.endsWith('-->')) comments += 1;
    else if (line !== '') {
      if (!/\d{4}/.test(line)) return null;
      const shown = plainText(line, dateLineCharsMax).replace(/[[\](){}<>]/g, ' ');
      const { dayMs, numericDay, rest } = takeWrittenDates(shown);
      if (dayMs === null && numericDay === null) return null;
      return /[\p{L}\p{N}]/u.test(rest.replace(fillerWords, ' ')) ? null : { dayMs, numericDay, start, end: next };
    }
    start = next;
  }
  return null;
}

const isLinkOfVersion = (line: string): boolean => {
  const label = /^\[([^\]]{1,100})\]:\s+\S/.exec(line)?.[1];
  if (label === undefined) return false;
  const { versions, isUnreleased } = readChangelogHeading(label);
  return versions.length > 0 || isUnreleased;
};

/** Rules, anchors of the next heading, and the addresses that headings link to. */
const isTail = (line: string): boolean =>
  line === '' ||
  /^(?:-{3,}|\*{3,}|_{3,})$/.test(line) ||
  /^<a (?:name|id)="[^"]{0,200}">\s*(?:<\/a>)?$/i.test(line) ||
  isLinkOfVersion(line);

const lineCharsMax = 1_000;

/** Where the text ends that begins at `from`, without what only belongs to the next heading. */
export function endWithoutTail(text: string, from: number, to: number): number {
  let end = to;
  while (end > from) {
    const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
    if (!isTail(text.slice(start, Math.min(end, start + lineCharsMax)).trim())) break;
    end = Math.max(from, start - 1);
  }
  return end;
}
