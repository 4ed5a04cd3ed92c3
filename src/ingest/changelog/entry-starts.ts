import { versionKey } from '../../kernel/version/version-key.ts';
import type { MarkedLine } from './marked-lines.ts';
import type { Section } from './section.ts';

const isVersioned = ({ heading }: Section): boolean => heading.versions.length > 0;
const isDatedAlone = ({ heading, dayMs }: Section): boolean =>
  dayMs !== null && heading.versions.length === 0 && heading.isBare;

/** A version that stands in front, with nothing behind it, or with its date. */
const isClear = (section: Section): boolean =>
  isVersioned(section) &&
  section.heading.lead === '' &&
  (section.heading.isBare || (section.dayMs !== null && !section.line.isRunning));

const isWhole = (version: string | undefined): boolean => /^\d+\.\d+\.\d/.test(version ?? '');
const setOff = /^(?:(?:version|release)\s)?(?:v\d|\S+(?::|\s*[-–—:]\s))/i;

/** "4.1.0: The great one", but not "1.5 million of them". */
const leadsText = ({ heading: { versions, lead, title }, line }: Section): boolean =>
  versions.length > 0 && lead === '' && !line.isRunning && (isWhole(versions[0]) || setOff.test(title));

const sentenceWords =
  /\b(?:from|to|since|before|after|until|beyond|earlier|older|with|upgrad\w*|migrat\w*|breaking|deprecat\w*|removed|support\w*|requires?)\b/;
/** A name that only one heading bears is no name. */
const namedHeadingsMin = 2;

/** What the headings of a file call its product: "Kit 2.1.0". */
function productNames(headings: readonly Section[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { heading } of headings) {
    const { lead, versions } = heading;
    if (lead !== '' && versions.length > 0 && !sentenceWords.test(lead)) counts.set(lead, (counts.get(lead) ?? 0) + 1);
  }
  const versioned = headings.filter(isVersioned).length;
  const min = Math.max(Math.min(namedHeadingsMin, versioned), versioned / 10);
  return new Set([...counts].filter(([, count]) => count >= min).map(([name]) => name));
}

/** "Kit 2.1.0", whatever the other headings call the product. */
const isNamed = ({ heading: { versions, lead, endsBare }, dayMs }: Section): boolean =>
  lead !== '' && !sentenceWords.test(lead) && isWhole(versions[0]) && (endsBare || dayMs !== null);

/** The heading level that most of them have; of two the higher one. */
function commonLevel(sections: readonly Section[]): number | null {
  const counts = new Map<number, number>();
  for (const { line } of sections) counts.set(line.level, (counts.get(line.level) ?? 0) + 1);
  let common: number | null = null;
  for (const [level, count] of counts) {
    const most = common === null ? 0 : counts.get(common)!;
    if (common === null || count > most || (count === most && level < common)) common = level;
  }
  return common;
}

const ofLevel = (sections: readonly Section[], level: number | null): Section[] =>
  sections.filter(({ line }) => line.level === level);

/** Where dates tell entries apart: no heading has a version, or those that do are the packages of a day. */
function datedHeadings(headings: readonly Section[], announcing: readonly Section[]): Section[] | null {
  const dated = headings.filter(isDatedAlone);
  const level = commonLevel(dated);
  if (announcing.length === 0) {
    const monthly = headings.filter(({ heading }) => heading.namesMonth && heading.isBare);
    const all = dated.length >= monthly.length ? dated : monthly;
    return ofLevel(all, commonLevel(all));
  }
  if (level === null) return null;
  const packages = new Set(announcing.map(({ heading }) => heading.packageName));
  const above = ofLevel(dated, level);
  const arePackages = packages.size > 1 && !packages.has('') && announcing.every(({ line }) => line.level > level);
  return arePackages || above.length > 2 * announcing.length ? above : null;
}

const sharesVersion = (section: Section, open: Section | undefined): boolean =>
  open !== undefined && section.heading.versions.some((version) => open.heading.versions.includes(version));

/** On a level where no version stands in front, each name may be that of another package, or of the release itself. */
function namedOnLevel(headings: readonly Section[], level: number): Section[] {
  const versioned = ofLevel(headings, level).filter(isVersioned);
  return versioned.some(({ heading }) => heading.lead === '') ? [] : versioned.filter(isNamed);
}

/**
 * The headings that begin an entry. Most stand on one level. Some tools put patches deeper than minors, so that a heading on
 * another level counts when it is nothing but a version; below an entry it may also name one of its packages.
 */
function entryHeadings(headings: readonly Section[], announcing: readonly Section[]): Section[] {
  const dated = datedHeadings(headings, announcing);
  const unnamed = announcing.filter(({ heading }) => heading.packageName === '');
  const level = dated?.[0]?.line.level ?? commonLevel(unnamed) ?? commonLevel(announcing);
  if (level === null) return [];
  const begins = new Set([...(dated ?? namedOnLevel(headings, level)), ...announcing]);
  const entries: Section[] = [];
  let open: Section | undefined;
  for (const section of headings) {
    const isOfLevel = begins.has(section) || isDatedAlone(section);
    const { line, heading } = section;
    const isBelow = line.level > level;
    const isEntry =
      line.level === level
        ? isOfLevel
        : dated === null && (isClear(section) || (!isBelow && begins.has(section) && isWhole(heading.versions[0])));
    const isPart =
      open !== undefined &&
      line.level > open.line.level &&
      (sharesVersion(section, open) || (heading.packageName !== '' && isBelow));
    // Below a release, "Upcoming changes" is a part of it.
    const isOutside = !isBelow || open === undefined || open.heading.isUnreleased;
    if (heading.isUnreleased ? isOutside : isEntry && !isPart) {
      entries.push(section);
      open = section;
    }
  }
  return entries;
}

const keyOf = (section: Section | undefined): string | null => versionKey(section?.heading.versions[0] ?? '');

/** Whether most versions are followed by lower ones. */
function isNewestFirst(entries: readonly Section[]): boolean {
  let falls = 0;
  entries.forEach((section, index) => {
    const [key, next] = [keyOf(section), keyOf(entries[index + 1])];
    if (key !== null && next !== null) falls += key > next ? 1 : -1;
  });
  return falls >= 0;
}

/** Other lines beside the headings, where their version lies between those above and below: some files change their style. */
function withLinesInOrder(entries: readonly Section[], lines: readonly Section[]): Section[] {
  if (lines.length === 0) return [...entries];
  const newestFirst = isNewestFirst(entries);
  const all: Section[] = [];
  let at = 0;
  for (const section of lines) {
    while (at < entries.length && entries[at]!.line.start < section.line.start) all.push(entries[at++]!);
    const [before, key, after] = [keyOf(entries[at - 1]), keyOf(section), keyOf(entries[at])];
    const [upper, lower] = newestFirst ? [before, after] : [after, before];
    if (key !== null && (upper === null || upper > key) && (lower === null || lower < key)) all.push(section);
  }
  return [...all, ...entries.slice(at)];
}

const startsBare = ({ line, heading, dayMs }: Section): boolean =>
  heading.versions.length > 0 && heading.lead === '' && heading.isBare && (!line.isRunning || dayMs !== null);

/** "- 1.0.1: Mended it": all of the entry, or its beginning, is one line. */
export const isOneLiner = ({ line, heading }: Section): boolean =>
  line.kind !== 'heading' && !heading.isBare && heading.lead === '' && !line.isRunning && isWhole(heading.versions[0]);

/** One line that begins with a version may be anything. */
const linesMin = 2;

function commonKind(lines: readonly Section[]): MarkedLine['kind'] | null {
  const kinds = ['bold', 'line', 'tag', 'item'] as const;
  const counts = kinds.map((kind) => lines.filter(({ line }) => line.kind === kind).length);
  const most = Math.max(...counts);
  return most >= linesMin || lines.some(({ dayMs }) => dayMs !== null) ? kinds[counts.indexOf(most)]! : null;
}

/** Without headings that name versions: the kind of line that most often is nothing but one, else that begins with one. */
function entryLines(bare: readonly Section[], oneLiners: readonly Section[]): Section[] {
  const kind = commonKind(bare);
  const main = kind ?? (oneLiners.length >= linesMin ? commonKind(oneLiners) : null);
  if (main === null) return [];
  const isMain = ({ line }: Section): boolean => line.kind === main;
  const base = (kind === null ? oneLiners : bare).filter(isMain);
  const others = kind === null ? bare : bare.filter((section) => !isMain(section));
  const withOthers = withLinesInOrder(base, others);
  return kind === null ? withOthers : withLinesInOrder(withOthers, oneLiners.filter(isMain));
}

function announcingHeadings(headings: readonly Section[]): Section[] {
  const products = productNames(headings);
  return headings.filter(
    (section) => isClear(section) || leadsText(section) || (isVersioned(section) && products.has(section.heading.lead)),
  );
}

/** Where nothing else tells entries apart: one heading of a name and a version may be anything. */
function namedHeadings(headings: readonly Section[]): Section[] {
  const named = headings.filter(isNamed);
  return ofLevel(named, commonLevel(named)).length < namedHeadingsMin ? [] : entryHeadings(headings, named);
}

/** The lines of a changelog that begin its entries, those of what is not released yet among them, in their order. */
export function entryStarts(sections: readonly Section[]): Section[] {
  const headings = sections.filter(({ line }) => line.kind === 'heading');
  const marked = entryHeadings(headings, announcingHeadings(headings));
  const lines = sections.filter(({ line }) => line.kind !== 'heading');
  const bare = lines.filter(startsBare);
  if (marked.some(isVersioned)) {
    return withLinesInOrder(
      marked,
      bare.filter(({ line, dayMs }) => line.kind !== 'item' || dayMs !== null),
    );
  }
  const plain = entryLines(bare, lines.filter(isOneLiner));
  const found = plain.length > marked.length ? plain : marked;
  return found.length > 0 ? found : namedHeadings(headings);
}
