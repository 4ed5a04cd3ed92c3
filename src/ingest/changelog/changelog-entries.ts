import type { ReleaseItem } from '../../domain/release/fields.ts';
import { toTimestamp } from '../../kernel/dates.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { entryStarts, isOneLiner } from './entry-starts.ts';
import { endWithoutTail } from './entry-text.ts';
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

/** Entries that name several packages are told apart by those names too. */
const versionOf = ({ heading: { packageName } }: Section, version: string, hasPackages: boolean): string =>
  hasPackages && packageName !== '' ? `${packageName}@${version}` : version;

/**
 * The releases that a changelog tells about, in its order. Pure, and linear in the length of the text. What stands under two
 * headings with the same version is one entry.
 */
export function changelogEntries(file: string): ChangelogEntry[] {
  const text = file
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd');
  const starts = entryStarts(sectionsOf(text));
  const hasPackages = new Set(starts.map(({ heading }) => heading.packageName).filter((name) => name !== '')).size > 1;
  const entries = new Map<string, { readonly entry: ChangelogEntry; readonly contents: string[] }>();
  starts.forEach((section, index) => {
    const { heading, dayMs } = section;
    if (heading.isUnreleased) return;
    const next = starts[index + 1];
    const content = contentOf(text, section, next?.line.start ?? text.length);
    if (onlyGroups(section, content, next)) return;
    const publishedAt = dayOf(dayMs);
    const versions = heading.versions.length === 0 ? [null] : heading.versions;
    for (const each of versions) {
      const version = each === null ? null : versionOf(section, each, hasPackages);
      const title = (isOneLiner(section) ? version : heading.title) || version || publishedAt?.slice(0, 10) || '';
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
