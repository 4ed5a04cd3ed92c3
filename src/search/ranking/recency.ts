import { dayMs } from '../../kernel/dates.ts';

const minuteMs = 60_000;
const halfLifeDays = 120;
const least = 0.8;
const undated = 0.9;

/**
 * As of the beginning of the minute: so long an answer stays the same, to the last digit of its scores, where nothing is written.
 * What was published since then is as new as can be.
 */
const ageDays = (publishedMs: number, nowMs: number): number =>
  Math.max(0, Math.floor(nowMs / minuteMs) * minuteMs - publishedMs) / dayMs;

/** What is new counts for more, but never for so much that what fits better is behind it (contract 7.2). */
export const recencyFactor = (publishedMs: number | null, nowMs: number): number =>
  publishedMs === null ? undated : least + (1 - least) * 0.5 ** (ageDays(publishedMs, nowMs) / halfLifeDays);
