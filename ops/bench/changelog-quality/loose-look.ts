/**
 * A look at a changelog that shares nothing with the parser it judges: line by line, without any idea of structure.
 * It may miss what only a reader understands, but it says nothing that is not there.
 */

export interface SeenLine {
  readonly text: string;
  /** The version that stands at the beginning of the line, listed or not. */
  readonly named: string | null;
  /** Of the listed versions, those that stand at the beginning of the line. */
  readonly version: string | null;
  readonly isCode: boolean;
}

const fence = /^ {0,3}(```|~~~)/;
const linkDefinition = /^ {0,3}\[[^\]]*\]:\s/;
const tags = /<[^<>]{0,200}>/g;
const marks = /^(?:[#*+=_~`>|[({!•-]|\s)*/;
const versionWord = /^v?\.? ?(\d+(?:\.\d+){1,3}(?:[-+][0-9a-z][0-9a-z.+-]*)?)(?!\w|\.\w)/i;
const dateCharsMax = 20;
/** Behind the year, or the day, that the line begins with. */
const behindDate = /(?<=^\D{0,12}\d{1,4}\D{1,3}\d{1,4}\D{1,3}\d{1,4})(?!\d)/;
/** Deeper indented lines belong to what stands above them. */
const indentMax = 3;

/** `1.2` and `v1.2.0` are one version; what is added behind a plus says nothing more. */
export const comparableVersion = (version: string): string => {
  const [core = '', ...rest] = version.toLowerCase().replace(/^v/, '').split('+', 1)[0]!.split('-');
  const numbers = core.split('.');
  while (numbers.length < 3) numbers.push('0');
  return [numbers.join('.'), ...rest].join('-');
};

const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&');

function createVersionFinder(packageName: string) {
  const bareName = packageName.replace(/^@[^/]*\//, '');
  const names = [
    packageName,
    packageName.replace(/[@/-]+/g, ' ').trim(),
    bareName,
    bareName.replace(/[.-]?js$|\d+$/i, ''),
    bareName.replaceAll('-', ' '),
  ];
  const lead = new RegExp(
    `^(?:(?:${names.map(escaped).join('|')}|version|release|ver\\.?|changes in)[@:/ -]*){0,2}`,
    'i',
  );
  return (line: string): string | null => {
    if (linkDefinition.test(line) || /^\s*/.exec(line)![0].replaceAll('\t', '    ').length > indentMax) return null;
    const start = line.slice(0, 400).replace(tags, '').replace(marks, '');
    const dateEnd = looseDateIn(start.slice(0, dateCharsMax)) === null ? 0 : start.search(behindDate);
    const undated = dateEnd > 0 ? start.slice(dateEnd).replace(/^[\s,;:)\]/|-]+/, '') : start;
    for (const text of [start, undated, undated.replace(lead, '').replace(marks, '')]) {
      const word = versionWord.exec(text)?.[1]?.replace(/[.+-]+$/, '');
      if (word !== undefined) return comparableVersion(word);
    }
    return null;
  };
}

export interface LooseLook {
  readonly lines: readonly SeenLine[];
  readonly versions: ReadonlySet<string>;
}

export function lookLoosely(text: string, packageName: string, listed: ReadonlySet<string>): LooseLook {
  const versionAt = createVersionFinder(packageName);
  const versions = new Set<string>();
  let fencedBy: string | null = null;
  const lines = text.split(/\r\n?|\n/).map((line): SeenLine => {
    const mark = fence.exec(line)?.[1] ?? null;
    const isCode = fencedBy !== null || mark !== null;
    if (mark !== null) fencedBy = fencedBy === null ? mark : fencedBy === mark ? null : fencedBy;
    const named = isCode ? null : versionAt(line);
    const version = named !== null && listed.has(named) ? named : null;
    if (version !== null) versions.add(version);
    return { text: line, named, version, isCode };
  });
  return { lines, versions };
}

const monthNames = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const year = '(?:19[89]\\d|20[0-3]\\d)';
const looseDates = [
  new RegExp(`(?<![\\w.])${year}(?:0[1-9]|1[0-2])[0-3]\\d(?![\\w.])`),
  new RegExp(`(?<![a-z\\d])${year}[-/.]\\d{1,2}[-/.]\\d{1,2}(?!\\d)`, 'i'),
  new RegExp(`(?<![a-z\\d])\\d{1,2}[-/.]\\d{1,2}[-/.]${year}(?!\\d)`, 'i'),
  new RegExp(`(?<![a-z\\d])(?:${monthNames})[a-z]*[., -]{1,3}\\d{1,2}(?:st|nd|rd|th)?[., -]{1,3}${year}(?!\\d)`, 'i'),
  new RegExp(
    `(?<![a-z\\d])\\d{1,2}(?:st|nd|rd|th)?[., -]{1,3}(?:of )?(?:${monthNames})[a-z]*[., -]{1,3}${year}(?!\\d)`,
    'i',
  ),
  new RegExp(`(?<![a-z\\d])${year}[ -](?:${monthNames})[a-z]*[ -]\\d{1,2}(?!\\d)`, 'i'),
];

/** What looks like a full date. */
export const looseDateIn = (line: string): string | null => {
  for (const pattern of looseDates) {
    const found = pattern.exec(line.slice(0, 400))?.[0];
    if (found !== undefined) return found;
  }
  return null;
};
