import { toTimestamp, utcDayMs } from '../../kernel/dates.ts';
import { numericDayMs } from '../changelog/written-dates.ts';

const dateCharsMax = 100;
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** In hours. Those that mean several things (IST, BST) or were defined wrongly (single letters) are not here. */
const zones: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, west: 1, cet: 1, cest: 2, met: 1, mest: 2, eet: 2, eest: 3, msk: 3 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, akdt: -8, hst: -10 },
  ...{ jst: 9, kst: 9, awst: 8, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

const monthName =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const weekday = '(?:\\p{L}{2,12}\\.?,?\\s*)?';
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const year = '(?<year>\\d{4}|\\d{2})';
const time =
  '(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?(?:\\s*(?<half>[ap])\\.?m\\.?)?';
const zone =
  '(?<zone>[a-z]{2,20}/[a-z_]{2,30}|[a-z]{1,5})?\\s*(?<offset>[+-]\\s?\\d{1,2}(?::?\\d{2})?)?(?:\\s*\\([^()]{0,40}\\))?';
const timeAfterDay = `(?:(?:,?\\s+(?:at\\s+)?|\\s+[-–—]\\s+)${time}\\s*${zone})?`;
const timeAfterDigits = `(?:(?:\\s*t\\s*|\\s+(?:[-–—]\\s+)?)(?:${time}|(?<hour2>\\d{2})(?<minute2>\\d{2})(?<second2>\\d{2})?)\\s*${zone})?`;
const separator = '(?:\\s*[-,/]\\s*|\\s+)';

const patterns = [
  // 2026-03-01T10:00:00Z, 2026-03-01 10:00:00 +0100, 2026/3/1
  `(?<year>\\d{4})([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})${timeAfterDigits}`,
  // 20260301T100000Z
  `(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})${timeAfterDigits}`,
  // 13.03.2026, 03/13/2026 10:00
  `${weekday}(?<part1>\\d{1,2})([-/.])(?<part2>\\d{1,2})\\2(?<year>\\d{4})${timeAfterDay}`,
  // 2026年3月1日 10:00
  `(?<year>\\d{4})\\s*[年년]\\s*(?<month>\\d{1,2})\\s*[月월]\\s*(?<day>\\d{1,2})\\s*[日일](?:\\s*${time}\\s*${zone})?`,
  // Sun, 01 Mar 26 10:00 EST; 1-March-2026; Sunday 1st March 2026, 10:00:00 GMT
  `${weekday}${day}${separator}${monthName}${separator}${year}${timeAfterDay}`,
  // March 1, 2026 10:00 PM PST; Sun Mar 1 2026 10:00:00 GMT+0100 (CET); Sunday, March 1, 2026 - 10:00am
  `${weekday}${monthName}\\s+${day}(?:\\s*,\\s*|\\s+)(?<year>\\d{4})${timeAfterDay}`,
  // Sun Mar  1 10:00:00 PST 2026
  `${weekday}${monthName}\\s+${day}\\s+${time}\\s*${zone}\\s+(?<year>\\d{4})`,
].map((pattern) => new RegExp(`^${pattern}$`, 'iu'));

type Groups = Readonly<Record<string, string | undefined>>;

const fullYear = (text: string): number => {
  const number = Number(text);
  return text.length === 4 ? number : number + (number < 50 ? 2000 : 1900); // RFC 2822
};

const monthNumber = (text: string): number =>
  /\d/.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1;

/** Milliseconds after midnight; null when no clock shows it. */
function timeMs({ hour, hour2, minute, minute2, second, second2, fraction = '', half }: Groups): number | null {
  const spelled = Number(hour ?? hour2 ?? 0);
  if (half !== undefined && (spelled < 1 || spelled > 12)) return null;
  const hours = half === undefined ? spelled : (spelled % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const minutes = Number(minute ?? minute2 ?? 0);
  const seconds = Math.min(59, Number(second ?? second2 ?? 0)); // a leap second
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0;
  if ((hours > 23 && !isMidnight) || minutes > 59 || Number(second ?? second2 ?? 0) > 60) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Without a zone, that of Greenwich; `unknown` when nobody can say which one is meant, null when there is none such. */
function zoneMs({ zone: named, offset }: Groups): number | 'unknown' | null {
  const hours = named === undefined ? 0 : zones[named.toLowerCase()];
  if (offset === undefined) return hours === undefined ? 'unknown' : hours * 3_600_000;
  if (hours !== 0) return 'unknown';
  const digits = offset.replace(/\D/g, '');
  const [offsetHours, minutes] =
    digits.length > 2 ? [Number(digits.slice(0, -2)), Number(digits.slice(-2))] : [Number(digits), 0];
  if (offsetHours > 14 || minutes > 59) return null;
  return (offsetHours * 60 + minutes) * 60_000 * (offset.startsWith('-') ? -1 : 1);
}

/** Of 13.03.2026 one number can only be the day; of 03.04.2026 nobody can say which. */
function dayMsOf({ year: spelledYear = '', month, day: ofMonth, part1, part2 }: Groups): number | null {
  if (part1 === undefined) return utcDayMs(fullYear(spelledYear), monthNumber(month ?? ''), Number(ofMonth));
  const numeric = { first: Number(part1), second: Number(part2), year: Number(spelledYear), isDotted: false };
  return numericDayMs(numeric, null);
}

function instantOf(groups: Groups): number | null {
  const dayMs = dayMsOf(groups);
  const [ofDay, ofZone] = [timeMs(groups), zoneMs(groups)];
  if (dayMs === null || ofDay === null || ofZone === null) return null;
  // Its hour may be any, its day is most likely that one.
  const ms = ofZone === 'unknown' ? dayMs : dayMs + ofDay - ofZone;
  return ms > 0 && ms <= lastMs ? ms : null; // 0 is what a machine says that has no date
}

/**
 * A date as feeds write them: RFC 822 and ISO 8601 with all that is done to them, never a guess. What names its month in
 * another language, is ambiguous (03/04/2026) or impossible is no date; of a time in an unknown zone the day is kept.
 */
export function readFeedDate(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > dateCharsMax) return null;
  for (const pattern of patterns) {
    const groups = pattern.exec(trimmed)?.groups;
    if (groups === undefined) continue;
    const ms = instantOf(groups);
    return ms === null ? null : toTimestamp(ms);
  }
  return null;
}
