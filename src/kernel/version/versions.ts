/** A version in its parts. Numbers are digits without leading zeros, as text: they have no size limit. */
export interface Version {
  readonly core: readonly [string, string, string, string];
  /** Number of a `post` release of this core, or null. */
  readonly post: string | null;
  readonly pre: readonly string[];
}

const droppedWords = new Set(['final', 'ga', 'release', 'stable', 'lts']);

const prereleaseWords = new Set(
  (
    'alpha beta a b c rc pre preview nightly dev canary next snapshot milestone m edge insider insiders ' +
    'experimental test ea'
  ).split(' '),
);

const shortWords: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', c: 'rc' };

const number = (digits: string | undefined): string => (digits ?? '').replace(/^0+/, '') || '0';

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier);

/**
 * Whether a leading part names the thing (`log4j` of `log4j-2.17.1`) or is the version itself (`v2` of `v2-rc.1`).
 * `hasDigitAfter` tells whether a number is left when the part is dropped.
 */
const isNamePart = (part: string, separator: string, rest: string, hasDigitAfter: boolean): boolean => {
  if (!/\d/.test(part)) return true;
  if (!hasDigitAfter || /^v\d/.test(part) || /^\p{L}+\d+\.\d/u.test(part)) return false;
  if (/^\p{L}+\d+$/u.test(part) && separator === '_') return false; // r1_2_3
  if (/^\p{L}+\d{4}$/u.test(part) && /^\d{2}(?!\d)/.test(rest)) return false; // r2024-05-01
  const word = /^\p{L}+/u.exec(rest)?.[0];
  return word === undefined || word === 'v' || !prereleaseWords.has(word); // go1-rc1 is a version, lib2-core-1.0 is not
};

/** Where the version begins, letters directly before its first digit included. */
const versionStart = (text: string): number => {
  const leading = /(\p{L}[^-_\s]*)([-_\s])[-_\s]*/uy;
  let start = 0;
  let lastDigit = text.length - 1;
  while (lastDigit >= 0 && !/\d/.test(text.charAt(lastDigit))) lastDigit -= 1;
  for (;;) {
    leading.lastIndex = start;
    const match = leading.exec(text);
    if (match === null) break;
    const end = leading.lastIndex;
    if (!isNamePart(match[1] ?? '', match[2] ?? '', text.slice(end, end + 40), lastDigit >= end)) break;
    start = end;
  }
  return start;
};

interface Core {
  readonly numbers: readonly string[];
  readonly rest: string;
}

const calendar = /^(\d{4})-(0[1-9]|1[0-2])(?!\d)(?:-(0[1-9]|[12]\d|3[01])(?!\d))?(?:[._](\d+)|-(\d+)(?![\p{L}\d]))?/u;

const splitCore = (text: string): Core | null => {
  const date = calendar.exec(text);
  if (date !== null) {
    const rest = text.slice(date[0].length);
    if (/^[._]\d/.test(rest)) return null;
    return { numbers: [date[1] ?? '', date[2] ?? '', date[3] ?? '', date[4] ?? date[5] ?? ''], rest };
  }
  const core = /^\d+(?:[._]\d+)*/.exec(text)?.[0];
  if (core === undefined) return null;
  const numbers = core.split(/[._]/);
  return numbers.length > 4 ? null : { numbers, rest: text.slice(core.length) };
};

/** `rc10` is `rc`, `10`. */
const splitTrailingDigits = (word: string): string[] => {
  let end = word.length;
  while (end > 0 && /\d/.test(word.charAt(end - 1))) end -= 1;
  if (end === word.length) return [word];
  const digits = number(word.slice(end));
  if (end === 0) return [digits];
  return /\p{L}/u.test(word.charAt(end - 1)) ? [word.slice(0, end), digits] : [word];
};

const identifiersOf = (rest: string): string[] => {
  const identifiers: string[] = [];
  for (const word of rest.split(/[.\-_]/)) {
    if (word === '') continue;
    const [first = '', digits] = splitTrailingDigits(word);
    if (!droppedWords.has(first)) identifiers.push(first);
    if (digits !== undefined) identifiers.push(digits);
  }
  const [head] = identifiers;
  const long = head === undefined ? undefined : shortWords[head];
  if (long !== undefined && !rest.startsWith('-')) identifiers[0] = long;
  return identifiers;
};

/** In lower case: what is before the version, and the version with what follows it. */
const splitName = (text: string): { readonly before: string; readonly version: string } => {
  const lower = text.trim().toLowerCase();
  const afterAt = lower.slice(lower.lastIndexOf('@') + 1);
  const named = afterAt.slice(afterAt.lastIndexOf('/') + 1).trimStart();
  const version = named.slice(versionStart(named));
  return { before: lower.slice(0, lower.length - version.length), version };
};

/** Null when the text holds no version. */
export const parseVersion = (text: string): Version | null => {
  const { version } = splitName(text);
  const [bare = ''] = version.replace(/^\p{L}+\.?(?=\d)/u, '').split(/[\s(+]/, 1);
  const split = splitCore(bare);
  if (split === null) return null;
  const [major, minor, patch, fourth] = split.numbers;
  const core = [number(major), number(minor), number(patch), number(fourth)] as const;
  const pre = identifiersOf(split.rest);
  if (pre[0] !== 'post') return { core, post: null, pre };
  // `1.0.post1.dev2` is the pre-release of a post release: both parts are kept.
  const numbered = pre[1] !== undefined && isNumber(pre[1]);
  return { core, post: numbered ? (pre[1] ?? '0') : '0', pre: pre.slice(numbered ? 2 : 1) };
};

/** Whether the version says that it is not meant for everybody; `1.0.0-hotfix.1` does not. */
export const isPrereleaseVersion = (version: Version | null): boolean =>
  version?.pre.some((identifier) => prereleaseWords.has(identifier)) ?? false;

/** Which part the version raised: `x.0.0`, `x.y.0`, or anything smaller. */
export const versionStep = ({ core, post }: Version): 'major' | 'minor' | 'patch' => {
  const [, minor, patch, fourth] = core;
  if (patch !== '0' || fourth !== '0' || post !== null) return 'patch';
  return minor === '0' ? 'major' : 'minor';
};

/** The name before a version, in lower case: `@scope/pkg` of `@scope/pkg@2.0.0`; empty where there is none. */
export const versionName = (text: string): string => {
  const lower = text.trim().toLowerCase();
  // Of a text that holds no version only what an `@` parts from the rest is a name: `June update` has none.
  const before =
    parseVersion(text) === null ? lower.slice(0, Math.max(0, lower.lastIndexOf('@'))) : splitName(text).before;
  return before.replace(/[@/\-_\s]+$/, '');
};
