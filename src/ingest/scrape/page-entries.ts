import { selectAll, selectOne } from 'css-select';
import type { AnyNode, Document, Element } from 'domhandler';
import { getOuterHTML } from 'domutils';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { acceptableItem } from '../acceptable-item.ts';
import { changelogEntries, itemOfEntry } from '../changelog/changelog-entries.ts';
import { firstItems, olderLeftOut } from '../first-items.ts';
import { htmlToMarkdown, isReadWhole } from '../html/html-to-markdown.ts';
import type { LeftOutEntry } from '../source-fetcher.ts';
import { parsePage } from './parse-page.ts';
import { type FoundEntries, ruledEntries } from './ruled-entries.ts';
import type { ScrapeRules } from './scrape-rules.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

export interface PageToRead {
  readonly markup: string;
  readonly url: string;
  /** Null: its headings count. */
  readonly rules: ScrapeRules | null;
}

export interface PageEntries {
  readonly items: readonly ReleaseItem[];
  readonly leftOut: readonly LeftOutEntry[];
}

/** As many as one fetch of a feed brings in. */
const bounds = { itemsMax: 500, charsMax: 8_000_000 };
/** What stands around the content of a page, or is not shown. */
const surroundings = 'nav, footer, aside, form, script, style, noscript, template, iframe, svg, button';

function baseUrlOf(page: Document, url: string): string {
  const href = selectOne<AnyNode, Element>('base', page)?.attribs['href'];
  return href !== undefined && isUrl(href, url) ? new URL(href, url).href : url;
}

/** In one pass over each parent: to look for each among thousands of siblings would take minutes. */
function removeAll(elements: readonly Element[]): void {
  const removed = new Set<AnyNode>(elements);
  for (const parent of new Set(elements.map((element) => element.parent))) {
    if (parent !== null) parent.children = parent.children.filter((child) => !removed.has(child));
  }
}

const unreadEnd: LeftOutEntry = {
  entry: 'the end of the page',
  reason: 'It is behind as much of a page as is read.',
};

/** Read as a changelog file is: by the headings that name a version or a date. */
function headedEntries(page: Document, baseUrl: string): FoundEntries {
  removeAll(selectAll<AnyNode, Element>(surroundings, page));
  const mains = selectAll<AnyNode, Element>('main', page);
  const [content] = mains.length === 1 ? mains : [page];
  const html = getOuterHTML(content as AnyNode);
  const markdown = htmlToMarkdown(html, baseUrl);
  const unread = isReadWhole(html, markdown) ? [] : [unreadEnd];
  return { entries: changelogEntries(markdown).map(itemOfEntry), unread };
}

/** The releases that a page tells about, in its order. Pure, and linear in its length. Throws FetchFailed. */
export function pageEntries({ markup, url, rules }: PageToRead): PageEntries {
  const page = parsePage(markup);
  const baseUrl = baseUrlOf(page, url);
  const { entries: found, unread } = rules === null ? headedEntries(page, baseUrl) : ruledEntries(page, rules, baseUrl);
  const accepted = found.map((item) => (item === null ? null : acceptableItem(item)));
  const leftOut = found.flatMap((item, index) =>
    accepted[index] === null
      ? [{ entry: item?.title || `entry ${index + 1} of the page`, reason: 'No release can be made of this entry.' }]
      : [],
  );
  const usable = accepted.filter((item) => item !== null);
  const items = firstItems(usable, bounds);
  return { items, leftOut: [...unread, ...olderLeftOut(usable.length - items.length), ...leftOut] };
}
