import { cutText } from '../../../kernel/text-rules.ts';
import { createCodeReader, isBlankCode, itemStart, runLength, skipBlanks } from './fenced-code.ts';

/** A small line scanner, not a Markdown parser: it must stay linear and cheap on a million hostile characters. */

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Where the heading begins, and where the text below it begins. */
  readonly start: number;
  readonly contentStart: number;
}

export interface OutlineVisitor {
  readonly heading: (heading: Heading) => void;
  /** The item's text is `markdown.slice(start, end)`, without its marker and continuation lines; empty when it begins with code. */
  readonly item: (start: number, end: number) => void;
  /** Any other line of text, from its first character that is no blank; a heading may turn out to have been one. */
  readonly text?: (start: number, end: number) => void;
  /** A blank line, or fenced code: what comes next goes on with nothing. */
  readonly gap?: () => void;
}

const headingCharsMax = 500;
const labelCharsMax = 60;

const hash = 35;
const dash = 45;
const equals = 61;

const lineEndOf = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
};

/** Number of `#` of an ATX heading, 0 when the line is none. */
const atxLevel = (text: string, from: number, end: number): number => {
  const level = runLength(text, from, end, hash);
  if (level === 0 || level > 6) return 0;
  return from + level === end || isBlankCode(text.charCodeAt(from + level)) ? level : 0;
};

/** 1 or 2 for a line of only `=` or `-`, which makes the line above it a heading. */
const underlineLevel = (text: string, from: number, end: number): number => {
  const code = text.charCodeAt(from);
  if (code !== equals && code !== dash) return 0;
  if (skipBlanks(text, from + runLength(text, from, end, code), end) !== end) return 0;
  return code === equals ? 1 : 2;
};

const headingText = (text: string, from: number, end: number): string => {
  const line = text.slice(from, Math.min(end, from + headingCharsMax)).trim();
  return line.endsWith('#') ? line.replace(/(?:^|[ \t])#+$/, '').trim() : line;
};

/** Calls the visitor for every heading, list item and other line outside fenced code, in order. */
export const scanMarkdown = (markdown: string, visit: OutlineVisitor): void => {
  const codeAt = createCodeReader();
  // Lines of the running paragraph: only a line that stands alone can be the text of an underlined heading.
  let paragraphLines = 0;
  let lineBefore = 0;
  let end = 0;
  for (let line = 0; line < markdown.length; lineBefore = line, line = end + 1) {
    end = lineEndOf(markdown, line);
    const start = skipBlanks(markdown, line, end);
    const code = codeAt(markdown, line, start, end);
    if (start === end || code !== null) {
      if (code === 'item') visit.item(end, end);
      paragraphLines = 0;
      visit.gap?.();
      continue;
    }
    const isIndented = start - line > 3;
    const underlined = paragraphLines === 1 && !isIndented ? underlineLevel(markdown, start, end) : 0;
    const level = isIndented ? 0 : underlined || atxLevel(markdown, start, end);
    if (level > 0) {
      const text = underlined ? headingText(markdown, lineBefore, line - 1) : headingText(markdown, start + level, end);
      visit.heading({
        level,
        text,
        start: underlined ? lineBefore : line,
        contentStart: Math.min(end + 1, markdown.length),
      });
      paragraphLines = 0;
      continue;
    }
    const item = itemStart(markdown, start, end);
    if (item !== -1) {
      if (item < end) visit.item(item, end);
      else visit.gap?.();
      paragraphLines = 2; // what follows without a blank line belongs to the item
    } else {
      visit.text?.(start, end);
      paragraphLines = isIndented || markdown[start] === '>' ? 2 : paragraphLines + 1;
    }
  }
};

/** What an item is filed under: its bold lead, a lead in brackets, or the short text before a colon; else empty. */
export const itemLabel = (item: string): string => {
  const text = item.slice(0, 2 * labelCharsMax).replace(/^\[[ xX]\]\s/, '');
  const marked = /^[^\p{L}\p{N}*_[\]]{0,8}(?:(\*\*|__)(?<bold>.+?)\1|\[(?<bracket>[^\]]+)\](?!\())/u.exec(text)?.groups;
  const label = marked?.['bold'] ?? marked?.['bracket'];
  if (label !== undefined) return label.trim();
  const colon = text.indexOf(':');
  if (colon === -1 || colon > labelCharsMax || !/^(?:\s|$)/.test(text.slice(colon + 1, colon + 2))) return '';
  const lead = text.slice(0, colon).trim();
  return lead.includes('. ') ? '' : lead;
};

// Characters that are text although they look like marks are moved to private-use code points and back.
const privateUse = 0xe000;
const protect = (char: string): string => String.fromCharCode(privateUse + char.charCodeAt(0));
const restore = (char: string): string => String.fromCharCode(char.charCodeAt(0) - privateUse);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Emphasis marks go; those inside a word (snake_case) or between blanks (2 * 3) are text. */
const emphasis = (run: string, offset: number, text: string): string => {
  const before = text.charAt(offset - 1);
  const after = text.charAt(offset + run.length);
  if (before.trim() === '' && after.trim() === '') return run;
  return run.startsWith('_') && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after) ? run : '';
};

// No class below admits the character that opens its own pattern, so a failed try never reads what the next one reads.

const withoutLinks = (text: string): string =>
  text
    .replace(/!\[[^[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g, ' ')
    .replace(/\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g, '$1');

const withoutTags = (text: string): string =>
  text
    .replace(/<((?:https?:|mailto:)[^<>\s]*)>/gi, '$1')
    .replace(/<\/?(?:br|p|div|li|ul|ol|h[1-6]|tr|td|th|hr|table)\b[^<>]*>/gi, ' ')
    .replace(/<[a-z/!][^<>]*>/gi, '');

const withProtectedCode = (text: string): string =>
  text
    .replace(/\\([!-/:-@[-`{-~])/g, (_, char: string) => protect(char))
    .replace(/`(?<!``)`*([^`]+)`+/g, (_, code: string) => code.replace(/[!-/:-@[-`{-~]/g, protect))
    .replaceAll('`', '');

/** A text of any number of lines without links, tags, emphasis and marks of code. */
export const withoutInlineMarks = (marked: string): string => {
  const hasCode = marked.includes('`') || marked.includes('\\');
  let text = hasCode ? withProtectedCode(marked) : marked;
  if (text.includes('](') || text.includes('][')) text = withoutLinks(text);
  if (text.includes('<')) text = withoutTags(text);
  text = text.replace(/[*_]+/g, emphasis).replaceAll('~~', '');
  if (text.includes('&')) text = text.replace(/&(#?\w{2,5});/g, (whole, name: string) => entities[name] ?? whole);
  return hasCode ? text.replace(/[\ue021-\ue07e]/g, restore) : text;
};

/** Finds a text from growing positions; each stretch is searched once. */
const createFinder = (text: string, wanted: string) => {
  let found = -2;
  return (from: number): number => {
    if (found !== -1 && found < from) found = text.indexOf(wanted, from);
    return found;
  };
};

/** A line of only rule, underline or table-border characters, or a link definition, says nothing. */
export const saysNothing = (line: string): boolean =>
  /^[-=*_|:\s]*$/.test(line) || (line.startsWith('[') && /^\[[^[\]]{1,200}\]:\s/.test(line));

/** A line without what makes it a quote, a heading, an item or a row of a table. */
export const withoutLineMarks = (line: string): string => {
  if (saysNothing(line)) return '';
  if (line.startsWith('|')) return line.replaceAll('|', ' ');
  let at = 0;
  while (line[at] === '>') at = skipBlanks(line, at + 1, line.length);
  const level = atxLevel(line, at, line.length);
  if (level > 0) return line.slice(at + level).replace(/[ \t]#+\s*$/, '');
  const item = itemStart(line, at, line.length);
  return (item === -1 ? line.slice(at) : line.slice(item)).replace(/^\[[ xX]\]\s/, '');
};

// Where that much holds nothing to read, the rest does not either.
const readCharsMax = 100_000;

/** Reads on, each time about `wanted` characters of lines outside fenced code and comments, without their marks. */
const createLineReader = (markdown: string, wanted: number) => {
  const nextComment = createFinder(markdown, '<!--');
  const nextNewline = createFinder(markdown, '\n');
  const readEnd = Math.min(markdown.length, Math.max(readCharsMax, 10 * wanted));
  const codeAt = createCodeReader();
  let at = 0;

  // Where a tag or link target that is open at the end of the text read so far closes.
  const openMarkEnd = (text: string): number => {
    const tag = text.lastIndexOf('<') > text.lastIndexOf('>') ? markdown.indexOf('>', at) : -1;
    const target = text.lastIndexOf('](') > text.lastIndexOf(')') ? markdown.indexOf(')', at) : -1;
    return Math.max(tag, target);
  };

  const readLine = (charsMax: number): string => {
    const isLineStart = at === 0 || markdown[at - 1] === '\n';
    const newline = nextNewline(at);
    const lineEnd = newline === -1 ? markdown.length : newline;
    const start = skipBlanks(markdown, at, lineEnd);
    if (start === lineEnd) {
      at = lineEnd + 1;
      return '\n';
    }
    // Inside of a line there is none: lines of code are read whole.
    if (isLineStart && codeAt(markdown, at, start, lineEnd) !== null) {
      at = lineEnd + 1;
      return '\n';
    }
    const comment = nextComment(at);
    const end = Math.min(lineEnd, at + charsMax, comment === -1 ? lineEnd : comment);
    const line = markdown.slice(isLineStart ? start : at, Math.max(start, end));
    at = end === lineEnd ? end + 1 : end;
    if (end === comment) {
      const close = markdown.indexOf('-->', end + 4);
      at = close === -1 ? markdown.length : close + 3;
    }
    return (isLineStart ? withoutLineMarks(line) : line) + (end === lineEnd ? '\n' : '');
  };

  return (): string | null => {
    if (at >= readEnd) return null;
    let text = '';
    let target = -1;
    while (at < readEnd && (text.length < wanted || at <= target)) {
      text += readLine(Math.max(wanted, target + 1 - at));
      if (text.length >= wanted && target === -1) target = openMarkEnd(text);
    }
    return text;
  };
};

/** The first characters of what a reader would see, on one line. It reads only as far as it needs to. */
export const plainText = (markdown: string, charsMax: number): string => {
  const read = createLineReader(markdown, charsMax + 200);
  let text = '';
  while (text.length <= charsMax) {
    const chunk = read();
    if (chunk === null) break;
    text = (text + withoutInlineMarks(chunk)).replace(/\s+/g, ' ').trimStart();
  }
  return cutText(text.trimEnd(), charsMax);
};
