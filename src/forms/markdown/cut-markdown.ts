import { missingEndOf } from './open-block.ts';

/** Without empty lines around it. Blanks before the first word stay: they may make it code. */
const trimLines = (text: string): string => {
  const firstWord = text.search(/\S/);
  return firstWord === -1 ? '' : text.slice(text.lastIndexOf('\n', firstWord) + 1).trimEnd();
};

/** Ends a code block or comment that the text leaves open, so that it does not take in what comes behind. */
export function closedMarkdown(text: string): string {
  const trimmed = trimLines(text);
  const end = missingEndOf(trimmed);
  return end === null ? trimmed : `${trimmed}\n${end}`;
}

/** Between two lines where the last one begins late enough; never in the middle of a character. */
const cutAt = (text: string, charsMax: number): string => {
  const start = text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '');
  const lineEnd = start.lastIndexOf('\n');
  return lineEnd > charsMax / 2 ? start.slice(0, lineEnd) : start;
};

export interface CutMarkdown {
  readonly text: string;
  readonly isCut: boolean;
}

export const cutMarkdown = (text: string, charsMax: number): CutMarkdown => {
  const trimmed = trimLines(text);
  return trimmed.length <= charsMax
    ? { text: closedMarkdown(trimmed), isCut: false }
    : { text: closedMarkdown(cutAt(trimmed, charsMax)), isCut: true };
};
