import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { cutMarkdown } from '../markdown/cut-markdown.ts';

/**
 * The longest text that is rendered whole. Hostile Markdown and HTML take time that grows with the square of their
 * length: so much takes some milliseconds, at worst some tens; a megabyte would take minutes.
 */
export const atomContentCharsMax = 10_000;
/** A few characters of Markdown can stand for many of HTML; common notes stay far below. */
const htmlCharsMax = 65_536;
/** A row of a table gets as many cells as its head has, so a long text of short lines could have a million. */
const tableCellsMax = 10_000;

const markdown = new MarkdownIt({ html: true });
const markdownWithoutTables = new MarkdownIt({ html: true }).disable('table');

const couldBeHugeTable = (text: string): boolean => {
  const lines = text.split('\n');
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return columns * lines.length > tableCellsMax;
};

const wholeTags = 'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code a img table thead tbody tr th td'.split(' ');
const textTags = 'em strong b i u s del ins sub sup kbd samp var q abbr mark small details summary div span'.split(' ');

/** What is not named is left out: no script, no style, no form, no frame, and no attribute that runs or draws anything. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...wholeTags, ...textTags],
  allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  nestingLimit: 50,
};

const clean = (text: string): string => {
  const renderer = couldBeHugeTable(text) ? markdownWithoutTables : markdown;
  return sanitizeHtml(renderer.render(text), allowed).trim();
};

const asText = (text: string): string => {
  const escaped = markdown.utils.escapeHtml(text);
  return escaped === '' ? '' : `<p>${escaped}</p>`;
};

export interface RenderedRelease {
  readonly content: string;
  readonly summary: string;
  readonly webUrl: string;
}

/** The text of a release for feed readers; the rest of a long one is on its page. Without one, its summary. */
export const contentHtml = ({ content, summary, webUrl }: RenderedRelease): string => {
  const { text, isCut } = cutMarkdown(content, atomContentCharsMax);
  const html = text === '' ? '' : clean(isCut ? `${text}\n\n[…](<${webUrl}>)` : text);
  return html === '' || html.length > htmlCharsMax ? asText(summary) : html;
};
