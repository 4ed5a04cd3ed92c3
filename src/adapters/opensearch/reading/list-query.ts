import type { SearchList, SearchTexts, WantedWords } from '../../../ports/search-index.ts';
import { rankedTermsMax, type WantedTerm, wantedTerms } from '../../../search/words/wanted-terms.ts';
import { unitOf } from '../../vector-form.ts';
import { filterQuery, type Query } from './filter-query.ts';
import type { HitCheck } from './passing-hits.ts';
import { toldFilters } from './told-filter.ts';
import { vectorsFieldOf } from '../names.ts';
import { sentVector } from '../stored-document.ts';

const weights = { title: 10, names: 5, body: 1 };
const allFields = Object.keys(weights) as (keyof SearchTexts)[];

/** In any of the fields, which add up. What only begins with a prefix counts as much as its weight. */
const termQuery = ({ token, isPrefix }: WantedTerm, fields: readonly (keyof SearchTexts)[]): Query => {
  const weighed = fields.map((field) => [field, weights[field]] as const);
  const should = weighed.flatMap(([field, boost]) => [
    { term: { [field]: { value: token, boost } } },
    ...(isPrefix ? [{ prefix: { [field]: { value: token, boost } } }] : []),
  ]);
  return { bool: { should, minimum_should_match: 1 } };
};

/** In any of the fields, however much that counts. */
const presenceQuery = ({ token: value, isPrefix }: WantedTerm, fields: readonly (keyof SearchTexts)[]): Query => {
  const should = fields.map((field) => ({ [isPrefix ? 'prefix' : 'term']: { [field]: { value } } }));
  return { bool: { should, minimum_should_match: 1 } };
};

/** Every term, in whichever of the fields it stands; null where nothing was typed that could stand in one. */
export const presentWords = ({ tokens, isPrefix, fields = allFields }: WantedWords): Query[] | null => {
  const terms = wantedTerms(tokens, isPrefix);
  return terms.length === 0 ? null : terms.map((term) => presenceQuery(term, fields));
};

const wordsQuery = ({ tokens, isPrefix, fields = allFields }: WantedWords, filter: Query): Query | null => {
  const terms = wantedTerms(tokens, isPrefix);
  if (terms.length === 0) return null;
  const must = terms.slice(0, rankedTermsMax).map((term) => termQuery(term, fields));
  const present = terms.slice(rankedTermsMax).map((term) => presenceQuery(term, fields));
  return { bool: { must, filter: [...present, filter] } };
};

const foundQuery = (words: WantedWords, filter: Query): Query | null => {
  const present = presentWords(words);
  return present && { bool: { filter: [...present, filter] } };
};

type WordList = Extract<SearchList, { readonly words: unknown }>;
type NearList = Extract<SearchList, { readonly near: unknown }>;

/**
 * So many are looked for at least: the graph is searched the better the more are wanted. What one vector of several misses,
 * another may find (measured in decision 0032).
 */
const nearestMin = { ofOne: 200, ofSeveral: 100 };
/** The server looks for no more. */
export const nearestMax = 10_000;

interface NearestWanted {
  /** Of the list, and at least as many of each of its vectors. */
  readonly size: number;
  /** Null where the server leaves out nothing. */
  readonly filter: Query | null;
}

const nearQuery = (vector: Float32Array, space: string, k: number, filter: Query | null): Query => {
  const path = vectorsFieldOf(space);
  const knn = { [`${path}.vector`]: { vector: sentVector(vector), k, ...(filter && { filter }) } };
  // A document is as near as the best of its entries, and counts once among the nearest.
  return { nested: { path, score_mode: 'max', ignore_unmapped: true, query: { knn } } };
};

/**
 * The vectors of a list are looked for in so many queries, which the server works on at the same time: those of one it takes one
 * after the other. What each finds has to be told, so that more of them cost more than they spare.
 */
const queriesMax = 2;

const nearAnyQuery = (queries: readonly Query[]): Query =>
  queries.length === 1 ? queries[0]! : { dis_max: { queries } };

/** What is near to any of the vectors, by the nearest, is what any of these finds. */
const nearQueries = ({ near, space }: NearList, { size, filter }: NearestWanted): Query[] => {
  const vectors = near.flatMap((one) => unitOf(one) ?? []);
  const least = vectors.length === 1 ? nearestMin.ofOne : nearestMin.ofSeveral;
  const k = Math.min(nearestMax, Math.max(least, size));
  const queries = vectors.map((vector) => nearQuery(vector, space, k, filter));
  const groups = Array.from({ length: Math.min(queriesMax, queries.length) }, (_, group) =>
    queries.filter((_query, at) => at % queriesMax === group),
  );
  return groups.map(nearAnyQuery);
};

const wordListQuery = (list: WordList, filter: Query): Query | null =>
  list.inAnyOrder ? foundQuery(list.words, filter) : wordsQuery(list.words, filter);

export interface ListQuery {
  /** A list is what any of them finds, each by its best. */
  readonly queries: readonly Query[];
  /** So many have to be answered by each that there are as many as the list may have. */
  readonly size: number;
  /** Null where nothing that is found fails to pass. */
  readonly check: HitCheck | null;
}

const passesNothing: Query = { match_none: {} };

const nearestQuery = (list: NearList, step: number): ListQuery | null => {
  const { filter: told, spares, check } = toldFilters(list.filter, list.limit)[step]!;
  const query = told && filterQuery(told);
  if (step === 0 && told !== null && query === null) return null;
  const filter = told && (query ?? passesNothing); // what sources are wanted can change between two steps
  const size = Math.min(nearestMax, list.limit + spares);
  const queries = nearQueries(list, { size, filter });
  return queries.length === 0 ? null : { queries, size, check };
};

/** Null where the list is empty without asking. The next step is for who found too few in the last one, until nothing is to be checked. */
export function listQuery(list: SearchList, step: number): ListQuery | null {
  if (list.limit === 0) return null;
  if ('near' in list) return nearestQuery(list, step);
  const filter = filterQuery(list.filter);
  const query = filter && wordListQuery(list, filter);
  return query && { queries: [query], size: Math.min(nearestMax, list.limit), check: null };
}
