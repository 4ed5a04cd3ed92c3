import type { ChangelogEntry } from '../../../src/ingest/changelog/changelog-entries.ts';
import { comparableVersion, looseDateIn, type LooseLook, lookLoosely, type SeenLine } from './loose-look.ts';

/** How many of how many. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

export interface Quality {
  readonly recall: Share;
  readonly precision: Share;
  /** Precision without the entries that are only in their place. */
  readonly listed: Share;
  readonly dates: Share;
  readonly kept: Share;
  /** What was missed, for whoever mends the parser. */
  readonly missed: {
    readonly versions: readonly string[];
    readonly entries: readonly string[];
    readonly dates: readonly string[];
    readonly lines: readonly string[];
  };
}

export interface MeasuredFile {
  readonly packageName: string;
  readonly text: string;
  /** As the registry lists them. */
  readonly listed: readonly string[];
}

const shareOf = (missed: number, all: number): Share => ({ part: all - missed, of: all });

const missedVersions = ({ versions }: LooseLook, entries: readonly ChangelogEntry[]): string[] => {
  const found = new Set(entries.map(({ version }) => comparableVersion(version ?? '')));
  return [...versions].filter((version) => !found.has(version));
};

const isListed = ({ version }: ChangelogEntry, listed: ReadonlySet<string>): boolean =>
  version !== null && listed.has(comparableVersion(version));

const namesNothing = (entries: readonly ChangelogEntry[], listed: ReadonlySet<string>): ChangelogEntry[] =>
  entries.filter((entry) => entry.publishedAt === null && !isListed(entry, listed));

/** -1, 0, 1; of two with equal numbers the one with more behind a dash is older. */
function compareLoosely(a: string, b: string): number {
  const [coreA = '', preA] = comparableVersion(a).split(/-(.*)/s);
  const [coreB = '', preB] = comparableVersion(b).split(/-(.*)/s);
  const byCore = coreA.localeCompare(coreB, 'en', { numeric: true });
  if (byCore !== 0 || preA === preB) return byCore;
  return preA === undefined ? 1 : preB === undefined ? -1 : preA.localeCompare(preB, 'en', { numeric: true });
}

/**
 * A registry does not list what was taken back or what it never mirrored. An entry that is neither listed nor dated still
 * counts as one where its version lies between the listed versions above and below it; a version that is only mentioned
 * rarely does.
 */
function outOfPlace(entries: readonly ChangelogEntry[], listed: ReadonlySet<string>): ChangelogEntry[] {
  const strangers = new Set(namesNothing(entries, listed));
  const places = entries.flatMap((entry, at) => (isListed(entry, listed) ? [{ at, version: entry.version! }] : []));
  const falls = places.filter(({ version }, i) => i > 0 && compareLoosely(places[i - 1]!.version, version) > 0).length;
  const sign = 2 * falls >= places.length - 1 ? 1 : -1;
  return entries.filter((entry, at) => {
    if (!strangers.has(entry)) return false;
    if (entry.version === null) return true;
    const above = places.findLast((place) => place.at < at)?.version;
    const below = places.find((place) => place.at > at)?.version;
    const fits = (upper: string | undefined, lower: string | undefined): boolean =>
      (upper === undefined || sign * compareLoosely(upper, entry.version!) > 0) &&
      (lower === undefined || sign * compareLoosely(entry.version!, lower) > 0);
    return places.length === 0 || !fits(above, below);
  });
}

/** Below a heading, a date only dates the entry where it stands nearly alone: not "Since 2020-01-01 this is …". */
const lettersBesideDateMax = 24;
const linesBelowMax = 3;

function dateAt(lines: readonly SeenLine[], at: number): string | null {
  const heading = looseDateIn(lines[at]!.text);
  if (heading !== null) return heading;
  let seen = 0;
  for (const { text, version } of lines.slice(at + 1)) {
    if (version !== null || /^\s*#/.test(text)) return null;
    if (!/\w/.test(text)) continue;
    const date = looseDateIn(text);
    const beside = text.replace(/<!--|-->/g, '').replace(date ?? '', '');
    if (date !== null && beside.replace(/[^\p{L}]/gu, '').length <= lettersBesideDateMax) return date;
    seen += 1;
    if (seen === linesBelowMax || /^\s*[*+-]\s/.test(text)) return null;
  }
  return null;
}

/** The parts of a date that can be told without knowing its form: its year, and the day or month as numbers. */
const agrees = (loose: string, publishedAt: string | null): boolean => {
  if (publishedAt === null) return false;
  const [year, month, day] = publishedAt.slice(0, 10).split('-').map(Number);
  const numbers = (loose.match(/\d+/g) ?? []).map(Number);
  return numbers.includes(year!) && numbers.includes(day!) && (numbers.length < 3 || numbers.includes(month!));
};

function misreadDates({ lines }: LooseLook, entries: readonly ChangelogEntry[]) {
  const entryOf = new Map(entries.map((entry) => [comparableVersion(entry.version ?? ''), entry]));
  const missed: string[] = [];
  let of = 0;
  lines.forEach(({ version, text }, at) => {
    const entry = version === null ? undefined : entryOf.get(version);
    if (entry === undefined) return;
    entryOf.delete(version!); // the first line that names it
    const date = dateAt(lines, at);
    if (date === null) return;
    of += 1;
    if (!agrees(date, entry.publishedAt)) missed.push(`${text} | ${date} | ${entry.publishedAt}`);
  });
  return { of, missed };
}

const saysNothing = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text) || /^ {0,3}\[[^\]]*\]:\s/.test(text) || /^\s*<a [^<>]*>\s*(?:<\/a>)?\s*$/.test(text);

const isUnreleased = (text: string): boolean =>
  /^[#*\s[_-]*(?:(?:version|v?\d[\w.]*)?[\s(:-]*)?(?:unreleased|next|upcoming|tbd|not released|master|in progress)\b/i.test(
    text,
  );

/**
 * The lines from the first entry on that stand in no entry. Those that begin an entry, name its date, or stand below a
 * heading of what is not released yet need not.
 */
function lostLines({ lines }: LooseLook, entries: readonly ChangelogEntry[]) {
  const held = new Map<string, number>();
  for (const { content } of entries) {
    for (const line of content.split('\n')) held.set(line.trim(), (held.get(line.trim()) ?? 0) + 1);
  }
  const begun = new Set(entries.map(({ version }) => comparableVersion(version ?? '')));
  const missed: string[] = [];
  let of = 0;
  let chars = 0;
  let isCounting = false;
  for (const { text, named } of lines) {
    const line = text.trim();
    const begins = named !== null && begun.has(named);
    if (begins) isCounting = true;
    else if (isCounting && /^#/.test(line) && isUnreleased(line)) isCounting = false;
    if (!isCounting || saysNothing(text)) continue;
    const count = held.get(line) ?? 0;
    if (count > 0) {
      held.set(line, count - 1);
      of += line.length;
      continue;
    }
    const date = looseDateIn(line);
    if (begins || (date !== null && line.replace(date, '').replace(/[^\p{L}]/gu, '').length <= lettersBesideDateMax))
      continue;
    of += line.length;
    chars += line.length;
    missed.push(text);
  }
  return { of, chars, missed };
}

/** How well the entries tell what the file does. */
export function measureEntries(file: MeasuredFile, entries: readonly ChangelogEntry[]): Quality {
  const listed = new Set(file.listed.map(comparableVersion));
  const look = lookLoosely(file.text, file.packageName, listed);
  const versions = missedVersions(look, entries);
  const unlisted = namesNothing(entries, listed);
  const strangers = outOfPlace(entries, listed);
  const dates = misreadDates(look, entries);
  const lost = lostLines(look, entries);
  return {
    recall: shareOf(versions.length, look.versions.size),
    precision: shareOf(strangers.length, entries.length),
    listed: shareOf(unlisted.length, entries.length),
    dates: shareOf(dates.missed.length, dates.of),
    kept: shareOf(lost.chars, lost.of),
    missed: {
      versions,
      entries: strangers.map(({ title }) => title),
      dates: dates.missed,
      lines: lost.missed,
    },
  };
}
