import { limitSql } from '../sqlite/limit.ts';
import type { SearchKind } from '../../../ports/search-index.ts';
import type { Database } from '../sqlite/open-database.ts';
import { createStatements } from '../sqlite/statements.ts';
import { ordinalSql, type RowRange } from './words-row.ts';

/** Of title, names, body and source: the last one only filters. */
const weights = '10, 5, 1, 0';

/** What a document has to meet besides its words. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

export interface WantedMatches {
  readonly kind: SearchKind;
  /** In the syntax of FTS5. */
  readonly match: string;
  /** The part of it that ranks what matches; all of it when absent. */
  readonly rankedBy?: string;
  /** False where any of them are as good: then `rankedBy` is absent. */
  readonly isRanked: boolean;
  /** There are no more matches than these. */
  readonly matchesMax: number;
  readonly conditions: readonly Condition[];
  /** Whether anybody goes on where it has stopped: to find out where takes as long again. */
  readonly goesOn: boolean;
  /** So many of the best are answered. */
  readonly limit: number;
}

/** What a search may cost. */
export interface MatchBounds {
  /** Matches that meet all conditions, and are ranked. */
  readonly ranked: number;
  /** Matches that are held against the conditions. */
  readonly looked: number;
}

export interface RankedMatch {
  readonly id: string;
  readonly publishedMs: number | null;
  readonly score: number;
}

const dateOf = ({ publishedMs }: RankedMatch): number => publishedMs ?? Number.MIN_SAFE_INTEGER;

/** As the rows of one range are ordered, too. */
export const bestFirst = (a: RankedMatch, b: RankedMatch): number =>
  b.score - a.score || dateOf(b) - dateOf(a) || (a.id < b.id ? -1 : 1);

export interface RankedMatches {
  readonly best: readonly RankedMatch[];
  readonly ranked: number;
  readonly looked: number;
  /** What was not looked at; null when nothing is left, nobody goes on, or as many were ranked as may be. */
  readonly rest: RowRange | null;
}

/** Numbers of this size are bound as fractions, by which FTS5 would look through all rows. */
const inRange = (table: string): string =>
  `${table} MATCH ? AND ${table}.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;

/** The best of the newest matches within a range, at a bounded cost however few of them meet the conditions. */
export function createRankedMatches(db: Database) {
  const prepare = createStatements(db);

  const howFar = ({ kind, match }: WantedMatches, { first, last }: RowRange, looked: number) => {
    const table = `words_${kind}`;
    const sql = `SELECT count(*) AS looked, min(row) AS until FROM
      (SELECT rowid AS row FROM ${table} WHERE ${inRange(table)} ORDER BY rowid DESC ${limitSql})`;
    return prepare(sql).get(match, first, last, looked) as { looked: number; until: number | null };
  };

  return (wanted: WantedMatches, range: RowRange, bounds: MatchBounds): RankedMatches => {
    if (bounds.looked <= 0 || bounds.ranked <= 0) return { best: [], ranked: 0, looked: 0, rest: range };
    const { kind, match, rankedBy, isRanked, matchesMax, goesOn, conditions, limit } = wanted;
    const cost = isRanked ? `bm25(words_${kind}, ${weights})` : '0';
    const table = `words_${kind}`;
    const isWanted = ['1', ...conditions.map(({ sql }) => sql)].join(' AND ');
    // Only what is wanted is ranked, and the innermost rows are read one by one, until there are enough of them.
    // The plus keeps FTS5 from looking for each of these rows by itself.
    const matches =
      rankedBy === undefined ? '' : `AND +${table}.rowid IN (SELECT rowid FROM ${table} WHERE ${inRange(table)})`;
    const newest = `SELECT doc.id AS id, doc.published_ms AS published_ms,
        CASE WHEN ${isWanted} THEN ${cost} END AS cost
      FROM ${table} CROSS JOIN docs_${kind} doc ON doc.ordinal = ${ordinalSql(`${table}.rowid`)}
      WHERE ${inRange(table)} ${matches} ORDER BY ${table}.rowid DESC ${limitSql}`;
    const sql = `SELECT id, published_ms AS publishedMs, -cost AS score, count(*) OVER () AS ranked
      FROM (SELECT * FROM (${newest}) WHERE cost IS NOT NULL ${limitSql})
      ORDER BY cost, published_ms DESC, id ${limitSql}`;
    const best = prepare(sql).all(
      ...conditions.flatMap(({ values }) => values),
      ...(rankedBy === undefined ? [] : [rankedBy, range.first, range.last]),
      match,
      range.first,
      range.last,
      bounds.looked,
      bounds.ranked,
      limit,
    ) as (RankedMatch & { readonly ranked: number })[];
    const ranked = best[0]?.ranked ?? 0;
    if (ranked === bounds.ranked) return { best, ranked, looked: bounds.looked, rest: null };
    if (matchesMax < bounds.looked || !goesOn) return { best, ranked, looked: ranked, rest: null };
    const { looked, until } = howFar(wanted, range, bounds.looked);
    const isLeft = looked === bounds.looked && until! > range.first;
    return { best, ranked, looked, rest: isLeft ? { first: range.first, last: until! - 1 } : null };
  };
}
