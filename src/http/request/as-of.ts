import { parseAsOf, toTimestamp } from '../../kernel/dates.ts';

/** The moment that a reader asks about, and how the answer names it; null when it is now. */
export function asOfMoment(sent: string | null, nowMs: number) {
  if (sent === null) return null;
  const atMs = parseAsOf(sent, { nowMs, parameter: 'asOf' });
  return { atMs, headers: { 'X-Service-As-Of': toTimestamp(atMs) } };
}
