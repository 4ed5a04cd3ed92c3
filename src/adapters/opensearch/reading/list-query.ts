import type { SearchList, SearchTexts, WantedWords } from '../../../ports/search-index.ts';
import { type WantedTerm, wantedTerms } from '../../../search/words/wanted-terms.ts';
import { unitOf } from '../../vector-form.ts';
import { filterQuery, type Query } from './filter-query.ts';
import { vectorsFieldOf } from '../names.ts';

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

/** Every term, in whichever of the fields it stands; null where nothing was typed that could stand in one. */
export const wordsQuery = ({ tokens, isPrefix, fields = allFields }: WantedWords): Query[] | null => {
  const terms = wantedTerms(tokens, isPrefix);
  return terms.length === 0 ? null : terms.map((term) => termQuery(term, fields));
};

/** So many are looked for at least: the graph is searched the better the more are wanted. */
const nearestMin = 100;
/** The server looks for no more. */
export const nearestMax = 10_000;

const nearQuery = (near: Float32Array, space: string, limit: number, filter: Query): Query | null => {
  const vector = unitOf(near);
  if (vector === null) return null;
  const path = vectorsFieldOf(space);
  const k = Math.min(nearestMax, Math.max(nearestMin, limit));
  const knn = { [`${path}.vector`]: { vector: Array.from(vector), k, filter } };
  // A document is as near as the best of its entries, and counts once among the nearest.
  return { nested: { path, score_mode: 'max', ignore_unmapped: true, query: { knn } } };
};

/** Null where the list is empty without asking. */
export function listQuery(list: SearchList): Query | null {
  const filter = filterQuery(list.filter);
  if (filter === null || list.limit === 0) return null;
  if ('near' in list) return nearQuery(list.near, list.space, list.limit, filter);
  const must = wordsQuery(list.words);
  return must && { bool: { must, filter } };
}
