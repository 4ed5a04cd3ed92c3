import { dayMs } from '../../kernel/dates.ts';

const halfLifeDays = 120;
const least = 0.8;
const undated = 0.9;

/** What is new counts for more, but never for so much that what fits better is behind it (contract 7.2). */
export const recencyFactor = (publishedMs: number | null, nowMs: number): number =>
  publishedMs === null ? undated : least + (1 - least) * 0.5 ** ((nowMs - publishedMs) / dayMs / halfLifeDays);
