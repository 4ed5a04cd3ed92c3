import { dayMs } from '../../kernel/dates.ts';

/** Below it two texts have nothing in common (contract 7.4). */
export const relatedCosineMin = 0.2;

const halfLifeDays = 180;
const least = 0.6;
const shortChars = 160;
const whenShort = 0.5;
const whenUndated = 0.7;

export interface RelatedFacts {
  readonly cosine: number;
  readonly publishedMs: number | null;
  /** Null without a text. */
  readonly contentChars: number | null;
}

/** Where a related release stands: what is near, new and says something comes first (contract 7.4). */
export const relatedRank = ({ cosine, publishedMs, contentChars }: RelatedFacts, nowMs: number): number => {
  const age =
    publishedMs === null ? whenUndated : least + (1 - least) * 0.5 ** ((nowMs - publishedMs) / dayMs / halfLifeDays);
  return cosine * age * ((contentChars ?? 0) < shortChars ? whenShort : 1);
};
