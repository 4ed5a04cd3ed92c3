import type { SearchFilter, SearchHit, SearchKind, WantedWords } from '../../../ports/search-index.ts';
import { rankedTermsMax, type WantedTerm, wantedTerms } from '../../../search/words/wanted-terms.ts';
import type { Database } from '../sqlite/open-database.ts';
import { createStatements } from '../sqlite/statements.ts';
import type { SourceOrdinals } from './source-ordinals.ts';
import {
  bestFirst,
  type Condition,
  createRankedMatches,
  type MatchBounds,
  type RankedMatch,
  type WantedMatches,
} from './ranked-matches.ts';
import { createWordCounts, type WordCounts } from './word-counts.ts';
import { rowRangesOf, type RowRange, sourceWord } from './words-row.ts';

/**
 * Ranking costs a microsecond for each match: of more than these the newest are ranked. To turn one down costs less, but where
 * a filter leaves little of a common word, it would have to be done for all of them.
 */
const usualBounds: MatchBounds = { ranked: 5_000, looked: 50_000 };
/** A filter by few sources leaves out most, and is quickest as a word; each of them costs the ranking some time. */
const sourceWordsMax = 24;
/** Where most matches are of other sources, the wanted ones are words all the same, so many at a time and so often. */
const sourcesAtOnce = 200;
const sourceGroupsMax = 50;
/** Where all that is typed is common, none of it says much, and each that ranks is counted whole. */
const commonRankedMax = 16;
/** Documents that are asked about with one look, and so the most sources of one. */
const matchedAtOnce = 200;

/** Terms hold neither quotes nor blanks, and stand in quotes: nothing that was typed is read as syntax. */
const matchOf = (terms: readonly WantedTerm[], fields: WantedWords['fields']): string => {
  const all = terms.map(({ token, isPrefix }) => `"${token}"${isPrefix ? '*' : ''}`).join(' AND ');
  return fields === undefined ? `(${all})` : `{${fields.join(' ')}} : (${all})`;
};

const ofSources = (ordinals: readonly number[]): string => {
  const sources = Array.from(new Set(ordinals), (ordinal) => `"${sourceWord(ordinal)}"`);
  return ` AND source : (${sources.join(' OR ')})`;
};

export interface WordsQuery {
  readonly kind: SearchKind;
  readonly words: WantedWords;
  readonly filter: SearchFilter;
  readonly limit: number;
  readonly inAnyOrder?: boolean;
}

const dateCondition = ({ fromMs, toMs, keepsUndated = false }: SearchFilter): Condition[] => {
  if (fromMs === undefined && toMs === undefined) return [];
  const undated = keepsUndated ? ' OR doc.published_ms IS NULL' : '';
  const values = [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER];
  return [{ sql: `(doc.published_ms BETWEEN ? AND ?${undated})`, values }];
};

const listCondition = (column: string, isIn: boolean, values: readonly (string | number)[]): Condition[] => {
  if (!isIn && values.length === 0) return [];
  const sql = `${column} ${isIn ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`;
  return [{ sql, values: [JSON.stringify(values)] }];
};

const conditionsOf = (filter: SearchFilter): Condition[] => [
  ...dateCondition(filter),
  ...(filter.withCoverage ? [] : [{ sql: 'doc.is_coverage = 0', values: [] }]),
  ...(filter.withBare ? [] : [{ sql: 'doc.is_bare = 0', values: [] }]),
  ...listCondition('doc.id', false, [...(filter.except ?? [])]),
];

export interface WordSearchOptions {
  readonly bounds?: MatchBounds;
  readonly counts?: WordCounts;
}

export function createWordSearch(
  db: Database,
  sources: SourceOrdinals,
  { bounds = usualBounds, counts = createWordCounts(db, usualBounds.ranked) }: WordSearchOptions = {},
) {
  const prepare = createStatements(db);
  const rank = createRankedMatches(db);

  /** All of some ranges, as far as what may be spent on them together goes. */
  const rankAll = (wanted: WantedMatches, ranges: readonly RowRange[], may: MatchBounds) => {
    let left = may;
    const best: RankedMatch[] = [];
    const rest: RowRange[] = [];
    for (const range of ranges) {
      const found = rank(wanted, range, left);
      left = { ranked: left.ranked - found.ranked, looked: left.looked - found.looked };
      best.push(...found.best);
      if (found.rest !== null) rest.push(found.rest);
    }
    return { best, rest, left };
  };

  /** Each of the groups may spend what the ones before it have left to it. */
  const rankBySources = (wanted: WantedMatches, ranges: readonly RowRange[], may: MatchBounds, ordinals: number[]) => {
    const groups = Array.from({ length: Math.ceil(ordinals.length / sourcesAtOnce) }, (_, group) =>
      ordinals.slice(group * sourcesAtOnce, (group + 1) * sourcesAtOnce),
    );
    let left = may;
    return groups.flatMap((group, nth) => {
      const share = (spent: number): number => Math.ceil(spent / (groups.length - nth));
      // Where there is no best one, those of the first group are as good as those of all.
      const ranked = wanted.isRanked ? share(left.ranked) : left.ranked;
      const own = { ranked, looked: share(left.looked) };
      const found = rankAll({ ...wanted, match: `${wanted.match}${ofSources(group)}` }, ranges, own);
      left = {
        ranked: left.ranked - (own.ranked - found.left.ranked),
        looked: left.looked - (own.looked - found.left.looked),
      };
      return found.best;
    });
  };

  const wantedSources = ({ isIn, ordinals }: ReturnType<SourceOrdinals['of']>): number[] => {
    if (isIn) return [...ordinals];
    const unwanted = new Set(ordinals);
    return Array.from({ length: sources.end() }, (_, ordinal) => ordinal).filter((ordinal) => !unwanted.has(ordinal));
  };

  /**
   * To rank by a word FTS5 counts all documents that have it. One that a large share of them has hardly moves a rank, so that
   * beside rarer ones it only has to be there; so have those behind the first few where all are common, or of very many.
   */
  const matchedBy = (kind: SearchKind, terms: readonly WantedTerm[], fields: WantedWords['fields']) => {
    const ranking = terms.slice(0, rankedTermsMax);
    const counted = ranking.map((term) => ({ term, count: counts.of(kind, matchOf([term], fields)) }));
    const match = matchOf(terms, fields);
    const matchesMax = Math.min(...counted.map(({ count }) => count));
    const rare = counted.filter(({ count }) => Number.isFinite(count)).map(({ term }) => term);
    const isAnyRare = rare.length > 0 && matchesMax < bounds.looked;
    const rankedBy = isAnyRare ? rare : ranking.slice(0, commonRankedMax);
    return { match, matchesMax, ...(rankedBy.length < terms.length && { rankedBy: matchOf(rankedBy, fields) }) };
  };

  /** Not even counted: it takes as long to count what begins so as to find by it. */
  const unrankedBy = (terms: readonly WantedTerm[], fields: WantedWords['fields']) => ({
    match: matchOf(terms, fields),
    matchesMax: Number.POSITIVE_INFINITY,
  });

  const matches = ({ kind, words, filter, limit, inAnyOrder = false }: WordsQuery): RankedMatch[] => {
    const terms = wantedTerms(words.tokens, words.isPrefix);
    const { isIn, ordinals } = sources.of(filter);
    if (terms.length === 0 || (isIn && ordinals.length === 0)) return [];
    const by = inAnyOrder ? unrankedBy(terms, words.fields) : matchedBy(kind, terms, words.fields);
    const matched = { kind, ...by, isRanked: !inAnyOrder, limit };
    const may = inAnyOrder ? { ...bounds, ranked: Math.min(limit, bounds.ranked) } : bounds;
    const own = conditionsOf(filter);
    const ranges = rowRangesOf(filter);
    if (isIn && ordinals.length <= sourceWordsMax) {
      const match = `${matched.match}${ofSources(ordinals)}`;
      const wanted = { ...matched, match, conditions: own, goesOn: false };
      return rankAll(wanted, ranges, may).best;
    }
    const conditions = [...listCondition('doc.source', isIn, ordinals), ...own];
    const goesOn = isIn || ordinals.length > 0;
    const { best, rest, left } = rankAll({ ...matched, conditions, goesOn }, ranges, may);
    const isOver = rest.length === 0 || left.ranked === 0 || !goesOn;
    const others = isOver ? [] : wantedSources({ isIn, ordinals });
    if (others.length === 0 || others.length > sourcesAtOnce * sourceGroupsMax) return best;
    const mayStill = { ranked: left.ranked, looked: may.looked };
    return [...best, ...rankBySources({ ...matched, conditions: own, goesOn }, rest, mayStill, others)];
  };

  const search = (query: WordsQuery): SearchHit[] => {
    const best = matches(query).sort(bestFirst).slice(0, query.limit);
    return best.map(({ id, score }) => ({ id, score }));
  };

  /** One look through the matches of their sources between the first and the last of them: feeds ask for neighbours. */
  const matchingOf = (kind: SearchKind, ids: readonly string[], match: string): string[] => {
    const table = `words_${kind}`;
    const docs = prepare(
      `SELECT doc.id, doc.words_row AS row, doc.source FROM json_each(?) wanted
       CROSS JOIN docs_${kind} doc ON doc.id = wanted.value`,
    ).all(JSON.stringify(ids)) as { id: string; row: number; source: number }[];
    if (docs.length === 0) return [];
    const places = docs.map(({ row }) => row);
    const found = prepare(
      `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`,
    )
      .pluck()
      .all(`${match}${ofSources(docs.map(({ source }) => source))}`, Math.min(...places), Math.max(...places));
    const rows = new Set(found as number[]);
    return docs.filter(({ row }) => rows.has(row)).map(({ id }) => id);
  };

  const matching = (kind: SearchKind, ids: readonly string[], words: WantedWords): Set<string> => {
    const terms = wantedTerms(words.tokens, words.isPrefix);
    const found = new Set<string>();
    if (terms.length === 0) return found;
    for (let at = 0; at < ids.length; at += matchedAtOnce) {
      const some = matchingOf(kind, ids.slice(at, at + matchedAtOnce), matchOf(terms, words.fields));
      for (const id of some) found.add(id);
    }
    return found;
  };

  return { search, matching };
}
