import { takeDates } from '../domain/release/derived/dates-in-text.ts';
import { plainText } from '../domain/release/derived/outline.ts';
import { cutText } from '../kernel/text-rules.ts';
import { parseVersion } from '../kernel/versions.ts';

export interface ChangelogHeading {
  readonly title: string;
  /** Without a package name and a leading v. */
  readonly version: string | null;
  readonly dayMs: number | null;
  /** Nothing but a version, perhaps with its date. */
  readonly isBare: boolean;
  /** It stands for work that is not out yet. */
  readonly isUnreleased: boolean;
}

const headingCharsMax = 400;
const titleCharsMax = 300;
const versionCharsMax = 100;
/** A version further back is mentioned, not announced: "How to get from here to 2.0.0". */
const wordsBeforeVersionMax = 3;

const unreleased = /\b(?:unreleased|not released|to be released|upcoming|tbd|tba|work in progress|wip)\b/i;
const unreleasedAlone = /^(?:next|main|master|head|trunk|in progress|development|vnext)$/i;

/** `1.2`, `v1.2.3-rc.1`, `name@1.2.3`, `name-1.2.3`, `name/v1.2.3`; a single number only with a v. */
const versionWord =
  /^(?:\S*@|[a-z][\w./-]*[-_/])?(?:v\.?(?=\d)(?<major>\d+(?:[-+][0-9a-z.+-]*)?$)|v?\.?(?<full>\d+(?:\.\d+){1,3}(?:[-+.~]?[0-9a-z][0-9a-z.+~-]*)?)$)/i;

/** Words that say no more than that this is a version and its date. */
const filler = /\b(?:version|ver|release|released|releases|date|published|on|at|of|changes|in|notes|for)\b/gi;

const edges = /^[\s\-–—|/,;:•·*]+|[\s\-–—|/,;:•·*]+$/g;

const versionOf = (word: string): string | null => {
  if (word.length > versionCharsMax || !/\d/.test(word) || /\.x$/i.test(word)) return null;
  const { major, full } = versionWord.exec(word)?.groups ?? {};
  const version = full ?? major;
  return version !== undefined && parseVersion(version) !== null ? version : null;
};

const trimEdges = (text: string): string => text.replace(edges, '');

const saysNoMore = (text: string): boolean => trimEdges(text.replace(filler, ' ').replace(/[\s/,;:–—-]+/g, ' ')) === '';

/** Brackets only set versions and dates off; a date with slashes is one as well. */
const unbracketed = (text: string): string =>
  text.replace(/[[\](){}<>]/g, ' ').replace(/\b(\d{4})\/(\d{2})\/(\d{2})\b/g, '$1-$2-$3');

/** What the heading of a changelog entry tells, as people write them. */
export const readChangelogHeading = (markdown: string): ChangelogHeading => {
  const text = unbracketed(plainText(markdown, headingCharsMax));
  const { dayMs, rest } = takeDates(text);
  const words = rest
    .split(/\s+/)
    .map(trimEdges)
    .filter((word) => word !== '');
  const versions = words.slice(0, wordsBeforeVersionMax + 1).map(versionOf);
  const at = versions.findIndex((version) => version !== null);
  const version = versions[at] ?? null;
  const others = words.filter((_, index) => index !== at).join(' ');
  const named = trimEdges(rest.replace(/\s+/g, ' '));
  return {
    title: cutText(trimEdges(named.replace(/\s(?:release date|released|date|on|of)(?: on)?$/i, '')), titleCharsMax),
    version,
    dayMs,
    isBare: version !== null && saysNoMore(others),
    isUnreleased: unreleased.test(text) || unreleasedAlone.test(named),
  };
};

const dateLineCharsMax = 120;

export interface DateLine {
  readonly dayMs: number;
  /** Where the text after that line begins. */
  readonly end: number;
}

/** The date of an entry where it stands on a line of its own at the top of the text: `*2024-01-02*`. */
export const readDateLine = (content: string): DateLine | null => {
  const start = content.search(/\S/);
  if (start === -1) return null;
  const newline = content.indexOf('\n', start);
  const end = newline === -1 ? content.length : newline;
  if (end - start > dateLineCharsMax) return null;
  const { dayMs, rest } = takeDates(unbracketed(plainText(content.slice(start, end), dateLineCharsMax)));
  return dayMs !== null && saysNoMore(rest) ? { dayMs, end } : null;
};
