import { plainText } from '../../domain/release/derived/outline.ts';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { acceptableItem } from '../acceptable-item.ts';
import { cleanedLine } from '../clean-text.ts';
import type { FeedEntry } from './feed-entry.ts';
import { entryMarkdown, titleLine } from './entry-text.ts';
import { entryVersion } from './entry-version.ts';

const madeTitleCharsMax = 120;

/** The first text that is not blank. */
function contentOf({ texts }: FeedEntry): string {
  for (const text of texts) {
    if (text.value.trim() === '') continue;
    const markdown = entryMarkdown(text);
    if (markdown !== '') return markdown;
  }
  return '';
}

/** The first line of the text that says something. */
function firstLine(content: string): string {
  let start = 0;
  while (start < content.length) {
    const newline = content.indexOf('\n', start);
    const end = newline === -1 ? content.length : newline;
    const line = plainText(
      content.slice(start, Math.min(end, start + 2_000)).replace(/^(?:[#>\s]|[-*+]\s)+/, ''),
      madeTitleCharsMax,
    );
    if (/[\p{L}\p{N}]/u.test(line)) return line;
    start = end + 1;
  }
  return '';
}

/** As the entry has it, else as its text or date gives one; empty when nothing does. */
const titleOf = ({ title, publishedAt }: FeedEntry, content: string): string =>
  (title === null ? '' : cleanedLine(titleLine(title))) || firstLine(content) || (publishedAt?.slice(0, 10) ?? '');

/** How an operator finds an entry that was left out. */
export const entryName = ({ title, address, guid, publishedAt }: FeedEntry): string =>
  (title === null ? '' : cleanedLine(titleLine(title)).slice(0, 200)) ||
  address ||
  guid?.slice(0, 200) ||
  publishedAt ||
  'an entry without a name';

/** Null when no item can be made of it. An address that is not the entry's alone is left out: it would be its identity. */
export function entryItem(entry: FeedEntry, isOwnAddress: boolean): ReleaseItem | null {
  const content = contentOf(entry);
  const title = titleOf(entry, content);
  if (title === '') return null;
  const version = entryVersion(title, entry.address);
  return acceptableItem({
    title,
    content,
    ...(version !== null && { version }),
    ...(isOwnAddress && entry.address !== null && { url: entry.address }),
    ...(entry.publishedAt !== null && { publishedAt: entry.publishedAt }),
    ...(entry.media.length > 0 && { media: [...entry.media] }),
  });
}
