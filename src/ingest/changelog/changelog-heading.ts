import { plainText } from '../../domain/release/derived/outline.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { parseVersion } from '../../kernel/version/versions.ts';
import { type NumericDay, takeWrittenDates, withoutMonths } from './written-dates.ts';

export interface ChangelogHeading {
  readonly title: string;
  /** Without a package name and a leading v; several where the heading announces several. */
  readonly versions: readonly string[];
  /** `@scope/kit` of `@scope/kit@1.2.3`, else empty; of the first version. */
  readonly packageName: string;
  /** The same of each version. */
  readonly packageNames: readonly string[];
  /** What stands before the version and is no filler, in lower case: the name of the product, or a sentence. */
  readonly lead: string;
  /** What stands behind the version and is no filler, date or word about it, in lower case. */
  readonly tail: string;
  readonly dayMs: number | null;
  readonly numericDay: NumericDay | null;
  /** Also "March 2024", which is no full date. */
  readonly namesMonth: boolean;
  /** Nothing beside its versions and dates. */
  readonly isBare: boolean;
  /** Nothing behind its versions but dates. */
  readonly endsBare: boolean;
  /** It stands for work that is not out yet. */
  readonly isUnreleased: boolean;
}

const headingCharsMax = 400;
export const titleCharsMax = 300;
const versionCharsMax = 100;
/** A version further back is mentioned, not announced: "How to get from here to 2.0.0". */
const wordsBeforeVersionMax = 3;
/** Each of them gets the text of the heading. */
const versionsMax = 4;

const unreleased =
  /\b(?:unreleased|not (?:yet )?released(?: yet)?|to be released|upcoming|tbd|tba|work in progress|wip|yyyy-mm-dd|20[x?]{2}-[x?]{2}-[x?]{2}|x{4}-xx-xx)(?!\w)/gi;
const unreleasedAlone = /^(?:next|main|master|head|trunk|in progress|development|vnext|future|soon)$/i;

/** `1.2`, `v1.2.3-rc.1`, `name@1.2.3`, `name-1.2.3`, `name/v1.2.3`; a single number only with a v. */
const versionWord =
  /^(?:(?<name>[^\s@]*|@[^\s@]+)@|(?<prefix>[a-z][\w./-]*)[-_/])?(?:v\.?(?=\d)(?<major>\d+(?:[-+][0-9a-z.+-]*)?$)|v?\.?(?<full>\d+(?:\.\d+){1,3}(?:[-+.~]?[0-9a-z][0-9a-z.+~-]*)?)$)/i;

/** Words that say no more than that this is a version and its date. */
const filler =
  /^(?:version|ver|v|release|released|releases|date|published|on|at|of|changes|in|notes|for|the|tag|new)$/i;
/** Words about a version, which are no text of its entry: "1.2.3 (yanked)". */
const standing =
  /^(?:yanked|broken|retracted|reverted|unpublished|deprecated|hotfix|backport|latest|stable|lts|final|beta|alpha|pre-?release)$/i;
const joint = /^(?:and|to|through|until|&|\+|or)$/i;

const titleEdges = /^[\s\-–—|/,;:•·*=]+|[\s\-–—|/,;:•·*=.]+$/g;
const wordEdges = /^[^\p{L}\p{N}@&+<]+|[^\p{L}\p{N}&+]+$/gu;

/** What is left of "released on" when its date is taken out. */
const dateWords = /\s(?:release date|released|date|on|of)(?: on)?$/i;

interface FoundVersion {
  readonly version: string;
  readonly name: string;
}

function versionIn(word: string): FoundVersion | null {
  if (word.length > versionCharsMax || !/\d/.test(word) || /\.x$/i.test(word)) return null;
  const { major, full, name, prefix } = versionWord.exec(word)?.groups ?? {};
  const version = full ?? major;
  if (version === undefined || parseVersion(version) === null) return null;
  return { version, name: name ?? (/^(?:v|version|release|rel|ver|r)$/i.test(prefix ?? '') ? '' : (prefix ?? '')) };
}

/** Brackets only set versions and dates off. */
const unbracketed = (text: string): string => text.replace(/[[\](){}<>]/g, ' ');

/** What a reader sees of a heading. Most hold no mark at all, and the way through the marks is long. */
const visibleText = (markdown: string): string =>
  /[[\]`*_<>&\\~|]/.test(markdown)
    ? plainText(markdown, headingCharsMax)
    : cutText(markdown, headingCharsMax).replace(/\s+/g, ' ').trim();

function announcedVersions(words: readonly string[]) {
  const read = words.slice(0, wordsBeforeVersionMax + 1).map(versionIn);
  const at = read.findIndex((found) => found !== null);
  const found = at === -1 ? [] : [read[at]!];
  let end = at + 1;
  while (at !== -1 && end < words.length && found.length < versionsMax) {
    const next = joint.test(words[end]!) ? end + 1 : end;
    const version = versionIn(words[next] ?? '');
    if (version === null) break;
    found.push(version);
    end = next + 1;
  }
  return { found, before: words.slice(0, Math.max(0, at)), after: words.slice(at === -1 ? 0 : end) };
}

const tellingWords = (words: readonly string[]): string[] =>
  words.filter((word) => !filler.test(word) && !standing.test(word));

/** `1.2.3/1.2.4` and `1.2.3/4` are two versions, `name/v1.2.3` is one. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/[,;|]/g, ' ')
    .replace(
      /(\d+\.\d+\.)(\d+(?:\/\d+)+)(?![\w./-])/g,
      (_, lead: string, last: string) => lead + last.replaceAll('/', ` ${lead}`),
    )
    .replace(/(?<=\d)\/(?=v?\d)/gi, ' ')
    .split(/\s+/)
    .map((word) => word.replace(wordEdges, ''))
    .filter((word) => word !== '');

/** What the heading of a changelog entry tells, as people write them. */
export function readChangelogHeading(markdown: string): ChangelogHeading {
  const text = unbracketed(visibleText(markdown));
  const { dayMs, numericDay, rest } = takeWrittenDates(text);
  const named = rest.replace(/\s+/g, ' ').replace(titleEdges, '');
  const waiting = named.replace(unreleased, ' ');
  const { found, before, after } = announcedVersions(wordsOf(waiting));
  const behind = after.join(' ');
  const more = withoutMonths(behind);
  const tail = tellingWords(wordsOf(more));
  const endsBare = tail.length === 0;
  const isBare = endsBare && tellingWords(before).length === 0;
  return {
    title: cutText(named.replace(dateWords, '').replace(titleEdges, ''), titleCharsMax),
    versions: found.map(({ version }) => version),
    packageName: found[0]?.name.toLowerCase() ?? '',
    packageNames: found.map(({ name }) => name.toLowerCase()),
    lead: before
      .filter((word) => !filler.test(word))
      .join(' ')
      .toLowerCase(),
    tail: tail.join(' ').toLowerCase(),
    dayMs,
    numericDay,
    namesMonth: more !== behind,
    isBare,
    endsBare,
    isUnreleased: (isBare && waiting !== named) || unreleasedAlone.test(named),
  };
}
