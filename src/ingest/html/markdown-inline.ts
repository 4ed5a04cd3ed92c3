/** Stands for a line break until a paragraph is whole; control characters never come in as text. */
export const lineBreak = '\x01';

export type InlineKind = 'strong' | 'emphasis' | 'deleted' | 'code' | 'link' | 'plain';

export interface Inline {
  readonly kind: InlineKind;
  /** Of a link. */
  readonly address: string | null;
  text: string;
}

/** What Markdown would take for a mark, kept as text. Words_with_underscores and lone marks mean nothing, so they stay. */
export const escapeInline = (text: string): string => {
  if (!/[\\`*~_\]<&]/.test(text)) return text;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/`|(?<=\S)\*|\*(?=\S)|~(?=~)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\](?=[([:]|$)/g, '\\]')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w{1,32};)/g, '\\&');
};

/** A mark that only a line's beginning makes one. */
export const escapeLineStart = (line: string): string =>
  line.replace(/^(?:#{1,6}(?= |$)|[-+*](?= |$)|>|=+$|-+$|~~~)/, '\\$&').replace(/^(\d{1,9})([.)])(?= |$)/, '$1\\$2');

const runsOf = (text: string, mark: RegExp): number => {
  let longest = 0;
  for (const [run] of text.matchAll(mark)) longest = Math.max(longest, run.length);
  return longest;
};

export const fenceFor = (code: string): string => '`'.repeat(Math.max(3, runsOf(code, /`+/g) + 1));

const codeSpan = (code: string): string => {
  const mark = '`'.repeat(runsOf(code, /`+/g) + 1);
  const padding = /^`|`$/.test(code) ? ' ' : '';
  return `${mark}${padding}${code}${padding}${mark}`;
};

/** Parentheses would end the address too early. */
export const linkTarget = (address: string): string =>
  address.replace(/[()<>]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const marks: Readonly<Partial<Record<InlineKind, string>>> = { strong: '**', emphasis: '*', deleted: '~~' };

function marked({ kind, address }: Inline, inner: string): string {
  if (kind === 'code') return codeSpan(inner.replaceAll(lineBreak, ' '));
  if (kind === 'link' && address !== null) return `[${inner}](${linkTarget(address)})`;
  const mark = marks[kind] ?? '';
  return `${mark}${inner}${mark}`;
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 1;

/** What an element amounts to in its paragraph; blanks at its edges go outside, where marks need them. */
export function inlineMarkdown(inline: Inline): string {
  const { kind, text } = inline;
  if (kind === 'plain' || text === '') return text;
  // By hand: a pattern would look at a long run of blanks once for each of them.
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return start === end ? text : `${text.slice(0, start)}${marked(inline, text.slice(start, end))}${text.slice(end)}`;
}
