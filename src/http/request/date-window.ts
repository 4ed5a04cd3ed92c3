import { checkBounds, parseDateBound } from '../../kernel/dates.ts';

interface SentWindow {
  readonly since: string | null;
  readonly until: string | null;
}

/** `since` and `until` as moments; refused when one is no date or they are the wrong way round. */
export function parseWindow({ since, until }: SentWindow, nowMs: number) {
  const bound = (text: string | null, as: keyof SentWindow): number | null =>
    text === null ? null : parseDateBound(text, { as, nowMs, parameter: as });
  const [sinceMs, untilMs] = [bound(since, 'since'), bound(until, 'until')];
  checkBounds(sinceMs, untilMs);
  return { sinceMs, untilMs };
}
