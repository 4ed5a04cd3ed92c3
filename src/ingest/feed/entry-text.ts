import { decodeHTMLStrict } from 'entities';
import { htmlToLine } from '../html/html-to-line.ts';
import { htmlToMarkdown } from '../html/html-to-markdown.ts';
import type { FeedText } from './feed-entry.ts';

const tagNames =
  'p|br|div|a|ul|ol|li|b|i|em|strong|h[1-6]|img|span|table|tbody|tr|td|th|pre|code|blockquote|hr|font|u|s|del|ins|small|sub|sup|center|article|section|figure|iframe|video|details|summary|kbd|tt|dl|dt|dd|mark|abbr|cite|q|var|samp';
const tag = new RegExp(`</?(?:${tagNames})(?:\\s[^<>]*)?/?>`, 'i');
const escapedTag = new RegExp(`&lt;/?(?:${tagNames})(?:\\s|/?&gt;)`, 'i');
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

/** Once for who escapes text as HTML, and once more for who does so twice. */
const escapesMax = 2;

function decodeEntities(text: string): string {
  let decoded = text;
  for (let round = 0; round < escapesMax && entity.test(decoded); round += 1) decoded = decodeHTMLStrict(decoded);
  return decoded;
}

/** What a reader is to see as a title. Where nobody says what it is, only tags that HTML has are taken for tags. */
export function titleLine({ value, form }: FeedText): string {
  if (form === 'text') return value;
  if (form === 'xhtml') return htmlToLine(value, { xml: true });
  if (form === 'html') return decodeEntities(htmlToLine(value));
  return tag.test(value) ? decodeEntities(htmlToLine(value)) : decodeEntities(value);
}

/** Lines as they are, without blank ones around them. */
const plainLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();

/** The text of an entry as Markdown. Plain text stays as it is: it may well be Markdown. */
export function entryMarkdown({ value, form, base }: FeedText): string {
  if (form === 'text') return plainLines(value);
  if (form === 'xhtml') return htmlToMarkdown(value, base, { xml: true });
  const isMarkup = tag.test(value);
  if (!isMarkup && escapedTag.test(value)) return htmlToMarkdown(decodeHTMLStrict(value), base);
  return isMarkup || form === 'html' ? htmlToMarkdown(value, base) : plainLines(decodeEntities(value));
}
