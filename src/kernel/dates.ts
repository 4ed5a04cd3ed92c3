import { DomainError, invalidParameter } from './errors.ts';

export const dayMs = 86_400_000;
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;
const relativePattern = /^(\d{1,4})([dwmy])$/i;

export const toTimestamp = (ms: number): string => new Date(ms).toISOString();

/** First millisecond of a day that exists between 1970 and 9999, else null. */
export const utcDayMs = (year: number, month: number, day: number): number | null => {
  if (year < 1970 || year > 9999) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
};

const dayOf = (text: string): number | null => {
  const match = dayPattern.exec(text);
  return match === null ? null : utcDayMs(Number(match[1]), Number(match[2]), Number(match[3]));
};

const instantOf = (text: string): number | null => {
  const match = instantPattern.exec(text);
  const day = match === null ? null : dayOf(match[1] ?? '');
  if (match === null || day === null) return null;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
  const [zoneHours, zoneMinutes] = [Number(match[7] ?? 0), Number(match[8] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59 || zoneHours > 23 || zoneMinutes > 59) return null;
  const fractionMs = Number((match[5] ?? '').slice(0, 3).padEnd(3, '0'));
  const offsetMs = (zoneHours * 60 + zoneMinutes) * 60_000 * (match[6] === '-' ? -1 : 1);
  const ms = day + ((hours * 60 + minutes) * 60 + seconds) * 1000 + fractionMs - offsetMs;
  return ms < 0 || ms > lastMs ? null : ms; // a zone can move the last hours of the range out of it
};

/** Calendar months back; a day that the month lacks becomes its last day. */
const monthsBefore = (nowMs: number, months: number): number => {
  const now = new Date(nowMs);
  const index = now.getUTCFullYear() * 12 + now.getUTCMonth() - months;
  const [year, month] = [Math.floor(index / 12), index % 12];
  if (year < 1970) return 0;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(now.getUTCDate(), lastDay)) + (((nowMs % dayMs) + dayMs) % dayMs);
};

const relativeOf = (text: string, nowMs: number): number | null => {
  const match = relativePattern.exec(text);
  if (match === null) return null;
  const amount = Number(match[1]);
  const unit = match[2]?.toLowerCase();
  // Nothing is dated before 1970, so a longer way back means "from the beginning".
  if (unit === 'd' || unit === 'w') return Math.max(0, nowMs - amount * dayMs * (unit === 'w' ? 7 : 1));
  return monthsBefore(nowMs, amount * (unit === 'y' ? 12 : 1));
};

export interface DateBoundContext {
  readonly as: 'since' | 'until';
  readonly nowMs: number;
  readonly parameter: string;
}

/** A day, an instant with its zone, or a way back from now, as a bound that is inclusive on both sides. */
export const parseDateBound = (text: string, { as, nowMs, parameter }: DateBoundContext): number => {
  const day = dayOf(text);
  if (day !== null) return as === 'since' ? day : day + dayMs - 1;
  const ms = instantOf(text) ?? relativeOf(text, nowMs);
  if (ms !== null) return ms;
  const reason = 'must be a day, a date-time with a zone, or a number followed by d, w, m or y';
  throw invalidParameter({ parameter, reason, value: text });
};

/** The moment after which something is recent; a day stands for the moment before it begins. */
export const parseCutoff = (text: string, parameter: string): number => {
  const day = dayOf(text);
  const ms = day === null ? instantOf(text) : day - 1;
  if (ms !== null) return ms;
  throw invalidParameter({ parameter, reason: 'must be a day or a date-time with a zone', value: text });
};

/** A moment that lies behind: a day stands for its end, and today for now (contract 2.7). */
export const parseAsOf = (text: string, { nowMs, parameter }: Omit<DateBoundContext, 'as'>): number => {
  const day = dayOf(text);
  const isToday = day !== null && day <= nowMs && nowMs < day + dayMs;
  const ms = isToday ? nowMs : day === null ? instantOf(text) : day + dayMs - 1;
  if (ms === null)
    throw invalidParameter({ parameter, reason: 'must be a day or a date-time with a zone', value: text });
  if (ms > nowMs) throw invalidParameter({ parameter, reason: 'must not lie in the future', value: text });
  return ms;
};

/** First millisecond of a day; nothing but a day is taken. */
export const parseDay = (text: string, parameter: string): number => {
  const ms = dayOf(text);
  if (ms !== null) return ms;
  throw invalidParameter({ parameter, reason: 'must be a day that exists, as YYYY-MM-DD', value: text });
};

/** Canonical timestamp of an ingested date, or null when it names no instant. */
export const parsePublishedAt = (text: string): string | null => {
  const trimmed = text.trim();
  const ms = dayOf(trimmed) ?? instantOf(trimmed);
  return ms === null ? null : toTimestamp(ms);
};

export const checkBounds = (
  since: number | null | undefined,
  until: number | null | undefined,
  parameters: readonly [string, string] = ['since', 'until'],
): void => {
  if (since == null || until == null || since <= until) return;
  const [from, to] = parameters;
  throw new DomainError('conflicting_parameters', { parameters }, `\`${from}\` must not be later than \`${to}\`.`);
};
