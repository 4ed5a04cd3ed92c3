import { type ChangelogHeading, readChangelogHeading } from './changelog-heading.ts';
import { type DateLine, readDateLine } from './entry-text.ts';
import { type MarkedLine, scanMarkedLines } from './marked-lines.ts';
import { numericDayBetween, numericDayMs, type NumericDay, numericOrderOf } from './written-dates.ts';

/** A line that may begin an entry, with what it says. */
export interface Section {
  readonly line: MarkedLine;
  readonly heading: ChangelogHeading;
  /** Where the date stands below the heading. */
  readonly dateLine: DateLine | null;
  readonly dayMs: number | null;
}

/** Below a bare date some tools list the packages of the release, the main one first: `* kit 1.2.3 (minor)`. */
const releaseList = /\s*[*-] `?[@\w./-]{1,200}`? v?(\d+\.\d+\.\d+[\w.+-]{0,80}) \((?:major|minor|patch)\)/y;

function withListedVersion(text: string, line: MarkedLine, heading: ChangelogHeading): ChangelogHeading {
  if (line.kind !== 'heading' || heading.versions.length > 0 || !heading.isBare) return heading;
  releaseList.lastIndex = line.contentStart;
  const version = releaseList.exec(text)?.[1];
  return version === undefined
    ? heading
    : { ...heading, title: `${heading.title} ${version}`.trim(), versions: [version], packageNames: [''] };
}

/** In front of a version further back than one that a heading announces, as a rule: "What is new in 1.2.0". */
const opening = /^\s*what(?:['’]?s| is| was| has)?(?: been)? (?:new|changed|different) in (?:the )?/i;

function headingOf({ kind, text }: MarkedLine): ChangelogHeading {
  const read = readChangelogHeading(text);
  const [words = ''] = (kind === 'heading' && read.versions.length === 0 && opening.exec(text)) || [];
  if (words === '') return read;
  const named = readChangelogHeading(text.slice(words.length));
  const lead = `${words.trim().toLowerCase()} ${named.lead}`.trim();
  return named.versions.length === 0 ? read : { ...named, title: read.title, lead, isBare: false };
}

function readSection(text: string, line: MarkedLine): Section | null {
  const read = headingOf(line);
  const isDated = read.dayMs !== null || read.numericDay !== null;
  const heading = isDated ? withListedVersion(text, line, read) : read;
  const { versions, dayMs, isUnreleased, namesMonth } = heading;
  if (versions.length === 0 && !isDated && !isUnreleased && !namesMonth) return null;
  const dateLine = isDated || versions.length === 0 ? null : readDateLine(text, line.contentStart);
  return { line, heading, dateLine, dayMs: dayMs ?? dateLine?.dayMs ?? null };
}

const numericDayOf = ({ heading, dateLine }: Section): NumericDay | null =>
  heading.numericDay ?? dateLine?.numericDay ?? null;

/** Dates of numbers alone are read in the order that the file's other dates tell, else by those above and below them. */
function withNumericDays(sections: readonly Section[]): Section[] {
  const days = sections.map(numericDayOf).filter((day) => day !== null);
  if (days.length === 0) return [...sections];
  const order = numericOrderOf(days);
  const read = sections.map((section) => {
    const day = numericDayOf(section);
    return section.dayMs !== null || day === null ? section : { ...section, dayMs: numericDayMs(day, order) };
  });
  const below: (number | null)[] = [];
  read.reduceRight<number | null>((next, { dayMs }, at) => {
    below[at] = next;
    return dayMs ?? next;
  }, null);
  let above: number | null = null;
  return read.map((section, at) => {
    const day = numericDayOf(section);
    const isDoubtful = section.dayMs === null && day !== null;
    const dayMs = isDoubtful ? numericDayBetween(day, above, below[at] ?? null) : section.dayMs;
    above = dayMs ?? above;
    return isDoubtful ? { ...section, dayMs } : section;
  });
}

/** The lines of a file that may begin an entry, each with its date, wherever it stands. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  scanMarkedLines(text, (line) => {
    const section = readSection(text, line);
    if (section !== null) sections.push(section);
  });
  return withNumericDays(sections);
}
