import { utcDayMs } from '../../kernel/dates.ts';

/** `04/02/2022`: which of the two is the month often only the other dates of the file can tell. */
export interface NumericDay {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  /** Between dots the day usually comes first. */
  readonly isDotted: boolean;
}

export interface WrittenDates {
  /** The first full date. */
  readonly dayMs: number | null;
  readonly numericDay: NumericDay | null;
  /** The text without its dates, weekdays and times of day, a line break in their place. */
  readonly rest: string;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Whatever follows the three letters is its end, or a slip. */
const month = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,8}\\b\\.?';
const year = '(?<year>19[7-9]\\d|20\\d\\d)(?!\\d)';
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const gap = '[\\s,./-]{1,4}';
const time = '\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?';

/** No digit or dot may stand before a day: the one of "v2.1 March 2026" is none. */
const before = '(?<![\\d.])';

const namedMonths = [
  new RegExp(`\\b${month}${gap}${day}${gap}(?:${time}${gap})?${year}`, 'gi'),
  new RegExp(`${before}${day}${gap}(?:of\\s+)?${month}${gap}${year}`, 'gi'),
  new RegExp(`${before}${year}${gap}${month}${gap}${day}(?!\\d)`, 'gi'),
];
const yearFirst = new RegExp(
  `(?<![\\d/.-])(?<year>19[7-9]\\d|20\\d\\d)[/-](?<month>\\d{1,2})[/-](?<day>\\d{1,2})(?!\\d)`,
  'g',
);
const compact = /(?<![\w.])(?<year>19[7-9]\d|20\d\d)(?<month>0[1-9]|1[0-2])(?<day>[0-2]\d|3[01])(?![\w.])/g;
/** `2022.01.26` alone is a version that is called after a day, beside another version it is a date. */
const dotted = /(?<![\w.])(?<year>19[7-9]\d|20\d\d)\.(?<month>\d{1,2})\.(?<day>\d{1,2})(?![\w.-])/g;
const yearLast = new RegExp(`(?<![\\w.])(?<first>\\d{1,2})([./-])(?<second>\\d{1,2})\\2${year}`, 'g');

const monthAndYear = new RegExp(`\\b${month}${gap}${year}`, 'gi');
/** What is written beside a date: its weekday, the time of day, the time zone. */
const besideDates = new RegExp(
  [
    '\\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\b[.,]?',
    `(?:\\bT)?(?<![\\d.])${time}(?:\\s?[ap]m\\b|z\\b)?`,
    '\\b(?:utc|gmt|[ecmp][sd]t|cest|cet)\\b',
    '(?<![\\d.])[+-]\\d{2}:?\\d{2}\\b',
  ].join('|'),
  'gi',
);

type Groups = Readonly<Record<string, string>>;

const dayMsOf = ({ year: y = '', month: m = '', day: d = '' }: Groups): number | null => {
  const named = months.indexOf(m.slice(0, 3).toLowerCase());
  return utcDayMs(Number(y), named === -1 ? Number(m) : named + 1, Number(d));
};

const hasVersion = /\d\.\d/;

/** The full dates of a heading or of the line below it. */
export function takeWrittenDates(text: string): WrittenDates {
  if (!/\d{4}/.test(text)) return { dayMs: null, numericDay: null, rest: text };
  let dayMs: number | null = null;
  let numericDay: NumericDay | null = null;
  let rest = text;
  const take = (pattern: RegExp): void => {
    rest = rest.replace(pattern, (...match) => {
      dayMs ??= dayMsOf(match.at(-1) as Groups);
      return '\n';
    });
  };
  take(yearFirst);
  if (/[a-z]{3}/i.test(rest)) for (const pattern of namedMonths) take(pattern);
  rest = rest.replace(yearLast, (whole: string, ...match) => {
    const { first, second, year: y } = match.at(-1) as Groups;
    numericDay ??= { first: Number(first), second: Number(second), year: Number(y), isDotted: whole.includes('.') };
    return '\n';
  });
  if (dayMs === null && numericDay === null) {
    if (hasVersion.test(rest.replace(dotted, ' '))) take(dotted);
    take(compact);
  }
  if (rest !== text) rest = rest.replace(besideDates, '\n');
  return { dayMs, numericDay, rest };
}

/** What is left beside a month with its year: "(Jul 2015)". */
export const withoutMonths = (text: string): string => text.replace(monthAndYear, ' ');

export type NumericOrder = 'day-first' | 'month-first' | null;

/** There is no 13th month. */
const orderOf = ({ first, second }: NumericDay): NumericOrder => {
  if (first > 12) return 'day-first';
  return second > 12 ? 'month-first' : null;
};

/** What the dates of a file say about their own order, if they agree. */
export function numericOrderOf(days: readonly NumericDay[]): NumericOrder {
  const orders = new Set(days.map(orderOf));
  if (orders.has('day-first') === orders.has('month-first')) return null;
  return orders.has('day-first') ? 'day-first' : 'month-first';
}

const readAs = ({ first, second, year: y }: NumericDay, order: NumericOrder): number | null => {
  if (order === null) return null;
  return order === 'day-first' ? utcDayMs(y, second, first) : utcDayMs(y, first, second);
};

export const numericDayMs = (day: NumericDay, orderOfFile: NumericOrder): number | null =>
  readAs(day, orderOf(day) ?? orderOfFile ?? (day.isDotted ? 'day-first' : null));

/** A day that can be read both ways, read in the one that lies between the days above and below it. */
export function numericDayBetween(day: NumericDay, aboveMs: number | null, belowMs: number | null): number | null {
  if (aboveMs === null || belowMs === null) return null;
  const [from, to] = [Math.min(aboveMs, belowMs), Math.max(aboveMs, belowMs)];
  const readings = new Set([readAs(day, 'day-first'), readAs(day, 'month-first')]);
  const between = [...readings].filter((ms) => ms !== null && ms >= from && ms <= to);
  return between.length === 1 ? between[0]! : null;
}
