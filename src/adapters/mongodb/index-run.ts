import { MaxKey, MinKey, type Sort } from 'mongodb';
import type { IndexQuery } from '../../ports/read-models.ts';
import { type DeclaredIndexes, indexName, indexPaths, type StoredKey, storedKey } from './declared-indexes.ts';
import { fieldsOfIndex, fixedFields } from '../checked-indexes.ts';

type RunQuery = Omit<IndexQuery, 'limit'>;

type Bound = StoredKey | MinKey | MaxKey;

/** A query as one range of one index, in its order: from the first key on, up to but without the last one. */
export interface IndexRun {
  readonly hint: string;
  readonly min: Readonly<Record<string, Bound>>;
  readonly max: Readonly<Record<string, Bound>>;
  readonly sort: Sort;
  /** Then there is nothing to ask: the server refuses such a range. */
  readonly isEmpty: boolean;
  /** The parts of the index that the query does not fix: a keyset holds one value for each. */
  readonly rest: readonly string[];
}

const lowest = new MinKey();
const highest = new MaxKey();

const rankOf = (bound: Bound): number => {
  if (bound === lowest) return 0;
  if (bound === highest) return 3;
  return typeof bound === 'number' ? 1 : 2;
};

/** Strings by their UTF-8 bytes, as the server compares them. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const compareBounds = (a: readonly Bound[], b: readonly Bound[]): number => {
  for (const [part, left] of a.entries()) {
    const right = b[part]!;
    const ranks = rankOf(left) - rankOf(right);
    if (ranks !== 0) return ranks;
    const order = typeof left === 'string' && typeof right === 'string' ? compareTexts(left, right) : 0;
    if (order !== 0) return order;
    if (typeof left === 'number' && left !== right) return left < Number(right) ? -1 : 1;
  }
  return 0;
};

/** The first text after this one: no text lies between. */
export const nextText = (text: string): string => `${text}\u0000`;

const afterId = (id: StoredKey): StoredKey => (typeof id === 'string' ? nextText(id) : id);

const partsOf = (declared: DeclaredIndexes, query: RunQuery) => {
  const fields = fieldsOfIndex(declared, query.index);
  const fixed = fixedFields(declared, query);
  const what = `query of index ${query.index} of ${declared.owner}`;
  const key = (value: unknown) => storedKey(value, () => what);
  return {
    fields,
    rest: [...fields.slice(fixed.length), 'id'],
    what,
    key,
    values: fixed.map((field) => key(query.equals[field])),
    from: query.from === undefined ? undefined : key(query.from),
    to: query.to === undefined ? undefined : key(query.to),
  };
};

export const indexRun = (declared: DeclaredIndexes, query: RunQuery): IndexRun => {
  const { fields, rest, what, key, values, from, to } = partsOf(declared, query);
  const paths = indexPaths(fields);
  const ascending = query.direction !== 'descending';
  const filled = (start: readonly Bound[], filling: Bound) => paths.map((_, part) => start[part] ?? filling);

  const lows = [filled(from === undefined ? values : [...values, from], lowest)];
  const isIdBound = rest.length === 1;
  const highs = [filled(to === undefined ? values : [...values, isIdBound ? afterId(to) : to], highest)];
  if (query.after !== undefined) {
    if (query.after.length !== rest.length) {
      throw new Error(`${what}: a keyset holds ${rest.length} values (${rest.join(', ')}), not ${query.after.length}`);
    }
    const last = [...values, ...query.after.map(key)];
    if (ascending) lows.push([...last.slice(0, -1), afterId(last.at(-1)!)]);
    else highs.push(last);
  }
  // The nearer one of a bound and a keyset on its side: the other would read all earlier pages again.
  const low = lows.sort(compareBounds).at(-1)!;
  const high = highs.sort(compareBounds)[0]!;
  const named = (bounds: readonly Bound[]) => Object.fromEntries(paths.map((path, part) => [path, bounds[part]!]));
  return {
    hint: indexName(fields),
    min: named(low),
    max: named(high),
    sort: Object.fromEntries(paths.map((path) => [path, ascending ? 1 : -1])),
    isEmpty: compareBounds(low, high) >= 0,
    rest,
  };
};
