import { createHash } from 'node:crypto';
import { cutText, firstChars } from '../../../kernel/text-rules.ts';
import { isPrereleaseVersion, parseVersion, type Version, versionStep } from '../../../kernel/version/versions.ts';
import { titleDate } from './dates-in-text.ts';
import { type Heading, itemLabel, plainText, scanMarkdown } from './outline.ts';

export type Breaking = 'unknown' | 'none' | 'minor' | 'major';

export interface Composition {
  readonly bugs: number;
  readonly features: number;
  readonly enhancements: number;
}

export interface GivenRelease {
  readonly title: string;
  readonly content: string;
  readonly version: string | null;
  /** A canonical timestamp. */
  readonly publishedAt: string | null;
}

/** Values of the item that other derived values depend on. */
export interface ExplicitValues {
  readonly prerelease?: boolean | undefined;
  readonly breaking?: Breaking | undefined;
}

export interface Derived {
  readonly publishedAt: string | null;
  readonly type: 'feature' | 'rollup';
  readonly prerelease: boolean;
  readonly breaking: Breaking;
  readonly migrationNotes: string | null;
  readonly importance: number | null;
  readonly composition: Composition | null;
  readonly summary: string;
  readonly contentChars: number | null;
  readonly contentHash: string | null;
}

const summaryCharsMax = 150;
const migrationNotesCharsMax = 4000;
const textCharsMin = 15; // shorter content says nothing

const placeholders = new Set(['', 'unknown', 'n/a', 'none', 'latest']);

/** Trimmed, or null for a word that stands for "no version". */
export const normalizeVersion = (version: string | null): string | null => {
  const trimmed = version?.trim() ?? '';
  return placeholders.has(trimmed.toLowerCase()) ? null : trimmed;
};

type Kind = keyof Composition;

const tellingWords = /fix|bug|feature|added|new|improv|change|enhanc|perf|breaking|deprecat|removed|migrat|upgrad/;

const kindOf = (heading: string): Kind | null => {
  if (/fix|bug/.test(heading)) return 'bugs';
  if (/feature|added|new/.test(heading)) return 'features';
  return /improv|change|enhanc|perf/.test(heading) ? 'enhancements' : null;
};

interface Section {
  readonly level: number;
  readonly start: number;
  end: number | null;
}

const sectionOf = ({ level, contentStart }: Heading): Section => ({ level, start: contentStart, end: null });

interface Outline {
  readonly verdict: 'major' | 'minor' | null;
  readonly composition: Composition | null;
  readonly migrationNotes: string | null;
}

/** One pass over the content for everything that its headings and list items tell. */
const outlineOf = (content: string): Outline => {
  const counts = { bugs: 0, features: 0, enhancements: 0 };
  // Kind of the heading that is open at each level; a heading without one of its own has that of the one above it.
  const kinds: (Kind | null)[] = [null, null, null, null, null, null, null];
  let kind: Kind | null = null;
  let verdict: Outline['verdict'] = null;
  let migration: Section | null = null;
  let breaking: Section | null = null;

  const judge = (text: string): void => {
    if (text.includes('breaking')) verdict = 'major';
    else if (verdict === null && /deprecat|removed/.test(text)) verdict = 'minor';
  };

  const closeAt = (section: Section | null, { level, start }: Heading): void => {
    if (section !== null && section.end === null && level <= section.level) section.end = start;
  };

  scanMarkdown(content, {
    heading: (heading) => {
      const text = heading.text.toLowerCase();
      closeAt(migration, heading);
      closeAt(breaking, heading);
      kind = kinds[heading.level - 1] ?? null;
      kinds.fill(kind, heading.level);
      if (!tellingWords.test(text)) return;
      judge(text);
      if (migration === null && /migrat|upgrad/.test(text)) migration = sectionOf(heading);
      if (breaking === null && text.includes('breaking')) breaking = sectionOf(heading);
      kind = kindOf(text) ?? kind;
      kinds.fill(kind, heading.level);
    },
    item: (start, end) => {
      if (kind !== null) counts[kind] += 1;
      if (verdict === 'major') return;
      const lead = content.slice(start, Math.min(end, start + 120)).toLowerCase();
      // Most items have none of the words; only those that do are worth finding the label of.
      if (/breaking|deprecat|removed/.test(lead)) judge(itemLabel(lead));
    },
  });

  const textOf = (section: Section | null): string | null => {
    if (section === null) return null;
    const text = cutText(content.slice(section.start, section.end ?? content.length).trim(), migrationNotesCharsMax);
    return text === '' ? null : text;
  };
  const isEmpty = counts.bugs + counts.features + counts.enhancements === 0;
  return { verdict, composition: isEmpty ? null : counts, migrationNotes: textOf(migration) ?? textOf(breaking) };
};

const summaryOf = (content: string): string => {
  // A character takes two units at most; one more character than the cut needs.
  const text = plainText(content, 2 * (summaryCharsMax + 1));
  const cut = firstChars(text, summaryCharsMax);
  return cut.length < text.length ? `${cut}…` : text;
};

const importanceOf = (version: Version | null, isPre: boolean, content: string, breaking: Breaking): number | null => {
  if (version === null) return null;
  if (isPre || content.length < textCharsMin) return 1;
  const step = versionStep(version);
  if (step === 'major') return breaking === 'major' ? 5 : 4;
  return step === 'minor' || breaking === 'major' ? 3 : 2;
};

/** Everything that a release tells about itself when its publisher does not say it. */
export const deriveRelease = (given: GivenRelease, explicit: ExplicitValues = {}): Derived => {
  const { title, content } = given;
  const versionText = normalizeVersion(given.version);
  const version = versionText === null ? null : parseVersion(versionText);
  const named = titleDate(title);
  const outline = outlineOf(content);
  // Any pre-release part lowers a version; only the known words make it a prerelease for readers.
  const isPre = explicit.prerelease ?? (version !== null && version.pre.length > 0);
  const isPatch = version !== null && version.core[2] !== '0' && !isPre;
  const breaking = explicit.breaking ?? outline.verdict ?? (isPatch ? 'none' : 'unknown');
  const isRollup = versionText === null && (named.namesMonth || /\bweek(?:ly)?\b|changelog/i.test(title));
  return {
    publishedAt: given.publishedAt ?? named.at,
    type: isRollup ? 'rollup' : 'feature',
    prerelease: explicit.prerelease ?? isPrereleaseVersion(version),
    breaking,
    migrationNotes: outline.migrationNotes,
    importance: importanceOf(version, isPre, content, breaking),
    composition: outline.composition,
    summary: summaryOf(content),
    contentChars: content === '' ? null : content.length,
    contentHash: content === '' ? null : createHash('sha256').update(content).digest('hex'),
  };
};
