import type { SearchKind } from '../../../ports/search-index.ts';
import type { Database } from '../sqlite/open-database.ts';
import { createStatements } from '../sqlite/statements.ts';
import { limitSql } from '../sqlite/limit.ts';

export interface WordCounts {
  /** How many documents match, as of a moment ago; Infinity when it is a large share of all. */
  readonly of: (kind: SearchKind, match: string) => number;
}

/** Fewer are counted as quickly as they are looked up. */
const rememberedMin = 500;
/** So many words stand in so many documents that they are worth remembering. */
const rememberedMax = 2_000;
const rememberedMs = 60_000;
/** Of all documents. What more than these have says little about any of them. */
const commonShare = 1 / 4;

/**
 * Counting a common word takes as long as to find by it. Those that are typed often are common, so that they are counted once a
 * minute. A word is common from `commonMin` documents on, however few there are.
 */
export function createWordCounts(db: Database, commonMin: number, nowMs = () => performance.now()): WordCounts {
  const prepare = createStatements(db);
  const remembered = new Map<string, { readonly count: number; readonly untilMs: number }>();

  const count = (kind: SearchKind, match: string): number => {
    const documents = prepare(`SELECT max(ordinal) FROM docs_${kind}`).pluck().get() as number | null;
    const max = Math.max(commonMin, Math.ceil((documents ?? 0) * commonShare));
    const found = prepare(`SELECT count(*) FROM (SELECT 1 FROM words_${kind} WHERE words_${kind} MATCH ? ${limitSql})`)
      .pluck()
      .get(match, max) as number;
    return found === max ? Number.POSITIVE_INFINITY : found;
  };

  return {
    of: (kind, match) => {
      const key = `${kind} ${match}`;
      const known = remembered.get(key);
      if (known !== undefined && nowMs() < known.untilMs) return known.count;
      remembered.delete(key);
      const counted = count(kind, match);
      if (counted < rememberedMin) return counted;
      if (remembered.size >= rememberedMax) remembered.clear();
      remembered.set(key, { count: counted, untilMs: nowMs() + rememberedMs });
      return counted;
    },
  };
}
