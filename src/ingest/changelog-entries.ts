import { toTimestamp } from '../kernel/dates.ts';
import { cutText } from '../kernel/text-rules.ts';
import { type ChangelogHeading, readChangelogHeading, readDateLine } from './changelog-heading.ts';
import type { ReleaseItem } from '../domain/release/fields.ts';
import { type Heading, scanMarkdown } from '../domain/release/derived/outline.ts';

export interface ChangelogEntry {
  readonly title: string;
  readonly version: string | null;
  readonly publishedAt: string | null;
  readonly content: string;
}

/** A file that names no version or date says nothing about them; null would take a value back. */
export const itemOfEntry = ({ title, content, version, publishedAt }: ChangelogEntry): ReleaseItem => ({
  title,
  content,
  ...(version !== null && { version }),
  ...(publishedAt !== null && { publishedAt }),
});

const contentCharsMax = 1_000_000;

interface Section extends ChangelogHeading, Heading {}

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  scanMarkdown(markdown, {
    heading: (heading) => {
      const read = readChangelogHeading(heading.text);
      if (read.version !== null || read.dayMs !== null || read.isUnreleased) sections.push({ ...heading, ...read });
    },
    item: () => {},
  });
  return sections;
}

/** The heading level that most of them have; of two the higher one. */
function commonLevel(sections: readonly Section[]): number | null {
  const counts = new Map<number, number>();
  for (const { level } of sections) counts.set(level, (counts.get(level) ?? 0) + 1);
  let common: number | null = null;
  for (const [level, count] of counts) {
    const most = common === null ? 0 : counts.get(common)!;
    if (common === null || count > most || (count === most && level < common)) common = level;
  }
  return common;
}

/**
 * The headings that begin an entry. Most stand on one level. Some tools put patches one level deeper than minors, so a
 * heading beside that level counts when it is nothing but a version. Where no heading has a version, dates do.
 */
function entryHeadings(sections: readonly Section[]): Section[] {
  const clear = sections.filter(({ version, isBare, dayMs }) => version !== null && (isBare || dayMs !== null));
  const versioned = sections.filter(({ version }) => version !== null);
  const level = commonLevel(clear) ?? commonLevel(versioned);
  if (level === null) {
    const dated = commonLevel(sections.filter(({ dayMs }) => dayMs !== null));
    return sections.filter((section) => section.level === dated || section.isUnreleased);
  }
  return sections.filter((section) => {
    if (section.isUnreleased) return section.level <= level + 1;
    if (section.version === null) return false;
    return section.level === level || (section.isBare && Math.abs(section.level - level) === 1);
  });
}

const isLinkOfVersion = (line: string): boolean => {
  const label = /^\[([^\]]{1,100})\]:\s+\S/.exec(line)?.[1];
  if (label === undefined) return false;
  const { version, isUnreleased } = readChangelogHeading(label);
  return version !== null || isUnreleased;
};

/** Rules, anchors of the next heading, and the addresses that headings link to. */
const isTail = (line: string): boolean =>
  line === '' ||
  /^(?:-{3,}|\*{3,}|_{3,})$/.test(line) ||
  /^<a (?:name|id)="[^"]{0,200}">\s*(?:<\/a>)?$/i.test(line) ||
  isLinkOfVersion(line);

function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 1_000)).trim();
    if (!isTail(line)) break;
    end = Math.max(0, start - 1);
  }
  return text.slice(0, end);
}

const dayOf = (dayMs: number | null): string | null => (dayMs === null ? null : toTimestamp(dayMs));

function entryOf({ title, version, dayMs }: Section, below: string): ChangelogEntry {
  const dated = dayMs === null ? readDateLine(below) : null;
  const text = dated === null ? below : below.slice(dated.end);
  return {
    title: title || version || dayOf(dayMs)?.slice(0, 10) || '',
    version,
    publishedAt: dayOf(dayMs ?? dated?.dayMs ?? null),
    content: cutText(withoutTail(text).replace(/^(?:[ \t]*\n)+/, ''), contentCharsMax),
  };
}

const keyOf = ({ version, title, publishedAt }: ChangelogEntry): string =>
  version?.toLowerCase() ?? `${title.toLowerCase()}\n${publishedAt}`;

/**
 * The releases that a Markdown changelog tells about, in its order. Pure, and linear in the length of the text. Where
 * two headings name the same version, the first one counts.
 */
export function changelogEntries(text: string): ChangelogEntry[] {
  const markdown = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd');
  const headings = entryHeadings(sectionsOf(markdown));
  const entries = new Map<string, ChangelogEntry>();
  headings.forEach((section, index) => {
    if (section.isUnreleased) return;
    const next = headings[index + 1];
    const entry = entryOf(section, markdown.slice(section.contentStart, next?.start ?? markdown.length));
    // "# v2" over "## v2.0.0" only groups what follows.
    if (entry.content === '' && next !== undefined && next.level > section.level && !next.isUnreleased) return;
    const key = keyOf(entry);
    if (!entries.has(key)) entries.set(key, entry);
  });
  return [...entries.values()];
}
