import type { Context } from 'koa';

/** What can be sent besides JSON. */
export type DocumentType = 'text/markdown' | 'application/atom+xml' | 'text/html' | 'application/linkset+json';

/** Some clients name the character set, too. */
const markdownTypes = ['text/markdown', 'text/markdown;charset=utf-8'];

/** The range that speaks for a type is the most specific one (RFC 9110, 12.5.1). */
const rangeOf = (named: readonly string[], ranges: readonly string[]): number => {
  const range = ranges.find((each) => named.includes(each));
  return range === undefined ? Number.POSITIVE_INFINITY : named.indexOf(range);
};

/**
 * Whether Markdown is what the caller wants (contract 16.3): the higher q wins, then the one named first. Who takes
 * anything, or a page for people, gets JSON.
 */
export function prefersMarkdown(ctx: Pick<Context, 'accepts' | 'get'>): boolean {
  if (ctx.get('accept') === '') return false;
  if (ctx.accepts(...markdownTypes) === false) return false;
  // By falling q, then as they were named; without those that are refused.
  const named = (ctx.accepts() as string[]).map((range) => range.toLowerCase());
  const markdown = rangeOf(named, ['text/markdown', 'text/*', '*/*']);
  const html = rangeOf(named, ['text/html']);
  if (ctx.accepts('application/json') === false) return markdown < html;
  return markdown < Math.min(html, rangeOf(named, ['application/json', 'application/*', '*/*']));
}
