import { toTimestamp, utcDayMs } from '../../../kernel/dates.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|' +
  'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
const year = '(?<year>19[7-9]\\d|20\\d\\d)(?![\\d])';
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';

// The day of "v2.1 March 2026" is not a day: no digit or dot may stand before it.
const fullDates = [
  /(?<![\d/-])(?<year>19[7-9]\d|20\d\d)([/-])(?<month>\d{2})\2(?<day>\d{2})(?!\d)/g,
  new RegExp(`\\b${month}\\s+${day}(?:\\s*,\\s*|\\s+)${year}`, 'gi'),
  new RegExp(`(?<![\\d.])${day}\\s+(?:of\\s+)?${month}(?:\\s*,\\s*|\\s+)${year}`, 'gi'),
];
const monthAndYear = new RegExp(`\\b${month}(?:\\s*,\\s*|\\s+)${year}`, 'i');

type Groups = Readonly<Record<string, string>>;

const dayMsOf = ({ year = '', month = '', day = '1' }: Groups): number | null => {
  const named = months.indexOf(month.slice(0, 3).toLowerCase());
  return utcDayMs(Number(year), named === -1 ? Number(month) : named + 1, Number(day));
};

export interface TakenDates {
  /** The first day that the text names in full. */
  readonly dayMs: number | null;
  /** The text with a line break in the place of each full date. */
  readonly rest: string;
}

/** Full dates as people write them in titles and headings. */
export const takeDates = (text: string): TakenDates => {
  if (!/\d{4}/.test(text)) return { dayMs: null, rest: text };
  let dayMs: number | null = null;
  let rest = text;
  for (const pattern of fullDates) {
    rest = rest.replace(pattern, (...match) => {
      dayMs ??= dayMsOf(match.at(-1) as Groups);
      return '\n';
    });
  }
  return { dayMs, rest };
};

/** The first day of a month that the text names with its year. */
export const monthNamedIn = (text: string): number | null => {
  const groups = monthAndYear.exec(text)?.groups;
  return groups === undefined ? null : dayMsOf({ ...groups, day: '1' });
};

interface TitleDate {
  /** The first millisecond of the day that a title names, or of the month that it names without a day. */
  readonly at: string | null;
  /** The title names a month with its year, beside or without a full date. */
  readonly namesMonth: boolean;
}

export const titleDate = (title: string): TitleDate => {
  const { dayMs, rest } = takeDates(title);
  const monthMs = monthNamedIn(rest);
  const ms = dayMs ?? monthMs;
  return { at: ms === null ? null : toTimestamp(ms), namesMonth: monthMs !== null };
};
