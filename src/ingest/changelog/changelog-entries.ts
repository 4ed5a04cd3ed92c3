import type { ReleaseItem } from '../../domain/release/fields.ts';
import { toTimestamp } from '../../kernel/dates.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { titleCharsMax } from './changelog-heading.ts';
import { entryStarts, isOneLiner } from './entry-starts.ts';
import { endWithoutTail } from './entry-text.ts';
import { type PackageEntry, packageEntries } from './package-names.ts';
import { type Section, sectionsOf } from './section.ts';

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

const dayOf = (dayMs: number | null): string | null => (dayMs === null ? null : toTimestamp(dayMs));

function contentOf(text: string, section: Section, to: number): string {
  const { line, dateLine, dayMs } = section;
  const contentStart = isOneLiner(section) ? line.start : line.contentStart;
  const hasDateLine = dateLine !== null && dayMs !== null;
  const end = endWithoutTail(text, contentStart, to);
  const above = hasDateLine ? text.slice(contentStart, Math.min(end, dateLine.start)) : '';
  const from = hasDateLine ? Math.min(end, dateLine.end) : contentStart;
  return cutText(
    `${above.trim() === '' ? '' : above}${text.slice(from, end)}`.replace(/^(?:[ \t]*\n)+/, ''),
    contentCharsMax,
  );
}

/** "# v2" over "## v2.1.0" only groups what follows. */
const onlyGroups = ({ heading, dayMs, line }: Section, content: string, next: Section | undefined): boolean =>
  content === '' &&
  dayMs === null &&
  next !== undefined &&
  next.line.level > line.level &&
  next.heading.versions.some((version) => version.startsWith(`${heading.versions[0] ?? ''}.`));

/** In the file of several packages the versions are told apart by their names: contract 9.2. */
const versionsOf = ({ section: { heading }, packageNames }: PackageEntry): (string | null)[] =>
  heading.versions.length === 0
    ? [null]
    : heading.versions.map((version, at) => (packageNames[at] ? `${packageNames[at]}@${version}` : version));

function titleOf({ section, packageTitle }: PackageEntry, version: string | null, publishedAt: string | null): string {
  const title = isOneLiner(section) ? '' : section.heading.title;
  const named = title !== '' && packageTitle !== '' ? `${packageTitle} ${title}` : title;
  return cutText(named || version || publishedAt?.slice(0, 10) || '', titleCharsMax);
}

/**
 * The releases that a changelog tells about, in its order. Pure, and linear in the length of the text. What stands under two
 * headings with the same version is one entry, unless they are of two packages.
 */
export function changelogEntries(file: string): ChangelogEntry[] {
  const text = file
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd');
  const starts = packageEntries(text, entryStarts(sectionsOf(text)));
  const entries = new Map<string, { readonly entry: ChangelogEntry; readonly contents: string[] }>();
  starts.forEach((start, index) => {
    const { section } = start;
    if (section.heading.isUnreleased) return;
    const next = starts[index + 1];
    const content = contentOf(text, section, next?.start ?? text.length);
    if (onlyGroups(section, content, next?.section)) return;
    const publishedAt = dayOf(section.dayMs);
    for (const version of versionsOf(start)) {
      const title = titleOf(start, version, publishedAt);
      const key = version?.toLowerCase() ?? `${title.toLowerCase()}\n${publishedAt}`;
      const known = entries.get(key);
      if (known === undefined)
        entries.set(key, { entry: { title, version, publishedAt, content }, contents: [content] });
      else if (content !== '') known.contents.push(content);
    }
  });
  return [...entries.values()].map(({ entry, contents }) =>
    contents.length === 1
      ? entry
      : { ...entry, content: cutText(contents.filter(Boolean).join('\n\n'), contentCharsMax) },
  );
}
