import { readChangelogHeading } from './changelog-heading.ts';
import { type MarkedLine, scanMarkedLines } from './marked-lines.ts';
import type { Section } from './section.ts';

/** An entry, with the packages that it is of where a file tells about several. */
export interface PackageEntry {
  readonly section: Section;
  /** One for each of its versions; empty where the file names none. */
  readonly packageNames: readonly string[];
  /** What the heading of its package says, where the entry stands below one; else empty. */
  readonly packageTitle: string;
  /** Where it begins, with the headings of its package that stand above it. */
  readonly start: number;
}

const plainEntry = (section: Section, packageNames: readonly string[]): PackageEntry => ({
  section,
  packageNames,
  packageTitle: '',
  start: section.line.start,
});

const versionKeys = ({ heading }: Section): string[] => heading.versions.map((version) => version.toLowerCase());

/** A release has one name: versions that stand with two are of packages. */
function versionsOfTwo(entries: readonly PackageEntry[]): ReadonlySet<string> {
  const names = new Map<string, string>();
  const shared = new Set<string>();
  for (const { section, packageNames } of entries) {
    for (const [at, key] of versionKeys(section).entries()) {
      const name = packageNames[at] ?? '';
      if (name === '') continue;
      const known = names.get(key) ?? name;
      names.set(key, known);
      if (known !== name) shared.add(key);
    }
  }
  return shared;
}

/** A version that one package has alone is known without its name, and stays the release that it was. */
const namedWhereShared = (entries: readonly PackageEntry[], shared: ReadonlySet<string>): PackageEntry[] =>
  entries.map((entry) => {
    const keys = versionKeys(entry.section);
    return { ...entry, packageNames: entry.packageNames.map((name, at) => (shared.has(keys[at] ?? '') ? name : '')) };
  });

/** What stands beside the name of a package. */
const label =
  /^(?:changelogs?|change|log|changes|releases?|notes|versions?|history|news|packages?|modules?|for|of|the|in)$/i;
/** Words that sort changes, or are about a release. */
const changeWord =
  /^(?:features?|fix(?:es|ed)?|bugs?|bugfix(?:es)?|add(?:ed|itions?)|changed|remov(?:ed|als?)|deprecat\w*|breaking|security|improve\w*|enhance\w*|performance|docs?|documentation|dependenc\w*|internal|misc\w*|others?|highlights?|new|old(?:er)?|archived?|previous|continued|upgrad\w*|migrat\w*)$/i;
const commitHash = /^[0-9a-f]{7,40}$/;
/** A person, not a scope: "@ada". */
const mention = /^@[^/]*$/;
const nameWordsMax = 3;
/** With a version behind it, it is still one that a release can have. */
const nameCharsMax = 90;

const withoutLabels = (words: string): string[] =>
  words.split(/\s+/).filter((word) => word !== '' && !label.test(word));

/** The name of a package, in lower case and without blanks; empty where the words are none. */
function packageNameIn(words: string): string {
  const named = withoutLabels(words.toLowerCase());
  const name = named.join('-');
  const isNone =
    named.length > nameWordsMax ||
    name.length > nameCharsMax ||
    !/^@?\p{L}/u.test(name) ||
    named.some((word) => changeWord.test(word)) ||
    commitHash.test(name) ||
    mention.test(name);
  return isNone ? '' : name;
}

const namedInFront = ({ heading }: Section): string => packageNameIn(heading.lead);
/** "1.2.3 (ios)"; more than a word is what the release is about. */
const namedBehind = ({ heading: { tail } }: Section): string => (tail.includes(' ') ? '' : packageNameIn(tail));

const forEachVersion = (starts: readonly Section[], nameOf: (section: Section) => string): PackageEntry[] =>
  starts.map((section) =>
    plainEntry(
      section,
      section.heading.versions.map(() => nameOf(section)),
    ),
  );

interface OpenHeading {
  readonly level: number;
  readonly start: number;
  readonly title: string;
  readonly packageName: string;
}

/**
 * Entries that stand below the headings of their packages: "# @scope/a", "## 1.2.3". Of entries that are no headings themselves
 * none can be told from a heading in the text of the one above.
 */
function belowPackages(text: string, starts: readonly Section[]): PackageEntry[] {
  if (starts.some(({ line }) => line.kind !== 'heading')) return [];
  const entries: PackageEntry[] = [];
  const open: OpenHeading[] = [];
  const close = (level: number): void => {
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
  };
  const begin = (section: Section): void => {
    close(section.line.level);
    const above = starts[entries.length - 1]?.line.start ?? -1;
    const owner = open.findLast(({ packageName }) => packageName !== '');
    entries.push({
      section,
      packageNames: section.heading.versions.map(() => owner?.packageName ?? ''),
      packageTitle: owner?.title ?? '',
      start: open.find(({ start }) => start > above)?.start ?? section.line.start,
    });
  };
  const beginUntil = (end: number): void => {
    while (entries.length < starts.length && starts[entries.length]!.line.start < end) begin(starts[entries.length]!);
  };
  const visit = ({ kind, level, start, text: written }: MarkedLine): void => {
    beginUntil(start);
    if (kind !== 'heading' || starts[entries.length]?.line.start === start) return;
    close(level);
    const { title, versions, dayMs } = readChangelogHeading(written);
    const packageName = versions.length > 0 || dayMs !== null ? '' : packageNameIn(title);
    open.push({ level, start, title: withoutLabels(title).join(' '), packageName });
  };
  scanMarkedLines(text, visit, { withAllHeadings: true });
  beginUntil(text.length);
  return entries;
}

const namesVersionTwice = (starts: readonly Section[]): boolean => {
  const keys = starts.flatMap(versionKeys);
  return new Set(keys).size < keys.length;
};

/**
 * Two packages with the same version are two releases. Names count only where the file shows that they are those of packages,
 * so that a product with a new name, or a release with one of its own, keeps the versions that are known.
 */
export function packageEntries(text: string, starts: readonly Section[]): PackageEntry[] {
  const inFront = new Set(starts.flatMap(({ heading }) => heading.packageNames).filter((name) => name !== ''));
  if (inFront.size > 1) return starts.map((section) => plainEntry(section, section.heading.packageNames));
  const unnamed = forEachVersion(starts, () => '');
  if (!namesVersionTwice(starts)) return unnamed;
  const ways = [
    () => forEachVersion(starts, namedInFront),
    () => forEachVersion(starts, namedBehind),
    () => belowPackages(text, starts),
  ];
  for (const way of ways) {
    const entries = way();
    const shared = versionsOfTwo(entries);
    if (shared.size > 0) return namedWhereShared(entries, shared);
  }
  return unnamed;
}
