import { selectAll, selectOne } from 'css-select';
import type { AnyNode, Document, Element } from 'domhandler';
import { getOuterHTML, removeElement, textContent } from 'domutils';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { parsePublishedAt, toTimestamp } from '../../kernel/dates.ts';
import { readChangelogHeading } from '../changelog/changelog-heading.ts';
import { olderLeftOut } from '../first-items.ts';
import { htmlToMarkdown } from '../html/html-to-markdown.ts';
import type { LeftOutEntry } from '../source-fetcher.ts';
import type { ScrapeRules } from './scrape-rules.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

const textCharsMax = 1_000;
/** Twice as many as are taken in: some may be no releases. */
const entriesMax = 1_000;

const lineOf = (element: Element | null): string =>
  element === null ? '' : textContent(element).slice(0, textCharsMax).replace(/\s+/g, ' ').trim();

/** A machine's form of the date stands beside what people read. */
function dateOf(element: Element | null): string | null {
  if (element === null) return null;
  const { datetime, content } = element.attribs;
  for (const text of [datetime, content, lineOf(element)]) {
    const value = text?.trim() ?? '';
    const exact = value === '' ? null : parsePublishedAt(value);
    if (exact !== null) return exact;
    const { dayMs } = readChangelogHeading(value);
    if (dayMs !== null) return toTimestamp(dayMs);
  }
  return null;
}

function addressOf(element: Element | null, baseUrl: string): string | null {
  const href = element?.attribs['href']?.trim() ?? '';
  if (href === '' || !isUrl(href, baseUrl)) return null;
  const { protocol, href: address } = new URL(href, baseUrl);
  return /^https?:$/.test(protocol) ? address : null;
}

/** An entry within an entry is part of it, so that no text is read twice. */
function outermost(found: readonly Element[]): Element[] {
  const entries = new Set<AnyNode>(found);
  return found.filter((element) => {
    for (let parent: AnyNode | null = element.parent; parent !== null; parent = parent.parent) {
      if (entries.has(parent)) return false;
    }
    return true;
  });
}

/** What a page has, in its order. */
export interface FoundEntries {
  /** Null stands for an entry without a title. */
  readonly entries: readonly (ReleaseItem | null)[];
  /** What was not looked at. */
  readonly unread: readonly LeftOutEntry[];
}

/** What the rules of a site find on its page. */
export function ruledEntries(page: Document, rules: ScrapeRules, baseUrl: string): FoundEntries {
  const within = (selector: string | undefined, entry: Element): Element | null =>
    selector === undefined ? null : selectOne(selector, entry.children);

  const all = outermost(selectAll<AnyNode, Element>(rules.entry, page));
  const entries = all.slice(0, entriesMax).map((entry) => {
    const title = within(rules.title ?? 'h1, h2, h3, h4, h5, h6', entry);
    const date = within(rules.date ?? 'time', entry);
    const url = addressOf(within(rules.link, entry), baseUrl);
    const heading = readChangelogHeading(lineOf(title));
    const [version] = heading.versions;
    const name = heading.title || version || '';
    const publishedAt = dateOf(date) ?? (heading.dayMs === null ? null : toTimestamp(heading.dayMs));
    if (rules.content === undefined) for (const element of [title, date]) if (element !== null) removeElement(element);
    const body = rules.content === undefined ? entry : within(rules.content, entry);
    if (name === '' && publishedAt === null) return null;
    return {
      title: name || publishedAt!.slice(0, 10),
      content: body === null ? '' : htmlToMarkdown(getOuterHTML(body), baseUrl),
      ...(version !== undefined && { version }),
      ...(publishedAt !== null && { publishedAt }),
      ...(url !== null && { url }),
    };
  });
  return { entries, unread: olderLeftOut(all.length - entries.length) };
}
