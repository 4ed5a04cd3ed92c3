import { utcDayMs } from './dates.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// The three forms that RFC 9110 has every recipient read; all of them are UTC.
const timePattern = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const dateForms = [
  new RegExp(`^\\w{3}, (?<day>\\d{2}) (?<month>\\w{3}) (?<year>\\d{4}) ${timePattern} GMT$`),
  new RegExp(`^\\w{6,9}, (?<day>\\d{2})-(?<month>\\w{3})-(?<year>\\d{2}) ${timePattern} GMT$`),
  new RegExp(`^\\w{3} (?<month>\\w{3}) (?<day>[ \\d]\\d) ${timePattern} (?<year>\\d{4})$`),
];

/** Two digits are a year of 1970 to 2069. */
const fullYear = (year: string): number => Number(year) + (year.length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900);

const httpDateMs = (text: string): number | null => {
  for (const form of dateForms) {
    const { day = '', month = '', year = '', hour, minute, second } = form.exec(text)?.groups ?? {};
    const dayMs = utcDayMs(fullYear(year), months.indexOf(month) + 1, Number(day));
    if (day !== '' && dayMs !== null && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60) {
      return dayMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
    }
  }
  return null;
};

/** How long a Retry-After header asks to wait, 0 or less for a date that has passed; null when it says neither. */
export const retryAfterMs = (header: string, nowMs: number): number | null => {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = httpDateMs(text);
  return dateMs === null ? null : dateMs - nowMs;
};
