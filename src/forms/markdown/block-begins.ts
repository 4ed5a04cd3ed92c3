import { isBlankAt, type Line } from './lines.ts';

/** A block that goes on until a line ends it, whatever stands between: empty lines too. */
export interface EndlessBlock {
  /** A line that ends it. */
  readonly end: string;
  readonly isEndedBy: (line: Line) => boolean;
  /** Four blanks make code of a line, so that it ends nothing; in HTML they mean nothing. */
  readonly endsAtAnyIndent: boolean;
}

const wordsOf = ({ text, from, end }: Line): string => text.slice(from, end);

const rawTags = ['pre', 'script', 'style', 'textarea'];

const html = (begin: RegExp, end: string, isEnd: RegExp) => ({
  begin,
  block: { end, isEndedBy: (line: Line) => isEnd.test(wordsOf(line)), endsAtAnyIndent: true } satisfies EndlessBlock,
});

/** The HTML of CommonMark 4.6 that empty lines do not end. */
const htmlBlocks: readonly ReturnType<typeof html>[] = [
  html(/^<!--/, '-->', /-->/),
  html(/^<\?/, '?>', /\?>/),
  html(/^<!\[CDATA\[/, ']]>', /\]\]>/),
  html(/^<![a-z]/i, '>', />/),
  // Any of these tags ends a block that another one began.
  ...rawTags.map((tag) =>
    html(new RegExp(`^<${tag}(?=[ \\t>]|$)`, 'i'), `</${tag}>`, new RegExp(`</(?:${rawTags.join('|')})>`, 'i')),
  ),
];

/** No text without one of these leaves a block open. */
export const couldBeginBlock = /```|~~~|<[!?]|<(?:pre|script|style|textarea)/i;

const htmlBegunBy = (line: Line): EndlessBlock | null => {
  const second = line.text[line.from + 1] ?? '';
  if (!/[!?pst]/i.test(second)) return null;
  const words = wordsOf(line);
  const block = htmlBlocks.find(({ begin }) => begin.test(words))?.block;
  return block === undefined || block.isEndedBy(line) ? null : block;
};

/** How many of the same character a line begins with. */
const runOf = ({ text, from, end }: Line, mark: number): number => {
  let at = from;
  while (at < end && text.charCodeAt(at) === mark) at += 1;
  return at - from;
};

const fenceMarksMin = 3;
const isBlankFrom = (line: Line, from: number): boolean => {
  for (let at = from; at < line.end; at += 1) if (!isBlankAt(line, at)) return false;
  return true;
};

const fenceBegunBy = (line: Line, mark: number): EndlessBlock | null => {
  const { text, from, end } = line;
  const count = runOf(line, mark);
  if (count < fenceMarksMin || (mark === backtick && text.slice(from + count, end).includes('`'))) return null;
  return {
    end: text.slice(from, from + count),
    isEndedBy: (other) => {
      const marks = runOf(other, mark);
      return marks >= count && isBlankFrom(other, other.from + marks);
    },
    endsAtAnyIndent: false,
  };
};

const codeOf = (char: string): number => char.charCodeAt(0);
const [backtick, tilde, lessThan] = [codeOf('`'), codeOf('~'), codeOf('<')];

/** The block that a line begins and does not end. */
export const blockBegunBy = (line: Line): EndlessBlock | null => {
  const first = line.text.charCodeAt(line.from);
  if (first === backtick || first === tilde) return fenceBegunBy(line, first);
  return first === lessThan ? htmlBegunBy(line) : null;
};

const bullets = new Set(['-', '*', '+'].map(codeOf));
const [zero, nine, dot, bracket] = [codeOf('0'), codeOf('9'), codeOf('.'), codeOf(')')];
const numberDigitsMax = 9;

const digitsAt = ({ text, from, end }: Line): number => {
  let at = from;
  for (; at < end && at - from <= numberDigitsMax; at += 1) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) break;
  }
  return at - from;
};

/** How long the mark of a list item is that a line begins with; 0 without one. */
export const listMarkOf = (line: Line): number => {
  const { text, from } = line;
  if (bullets.has(text.charCodeAt(from))) return isBlankAt(line, from + 1) ? 1 : 0;
  const digits = digitsAt(line);
  if (digits === 0 || digits > numberDigitsMax) return 0;
  const behind = text.charCodeAt(from + digits);
  return (behind === dot || behind === bracket) && isBlankAt(line, from + digits + 1) ? digits + 1 : 0;
};
