import type { IndexQuery } from '../../../ports/read-models.ts';
import { columnOf, type DeclaredIndexes, type StoredKey, sqliteIndexOf, storedKey } from './declared-index.ts';
import { fieldsOfIndex, fixedFields } from '../../checked-indexes.ts';

/** A query as the parts of a SELECT that reads one range of one index, in its order. */
export interface IndexRun {
  readonly source: string;
  readonly terms: readonly string[];
  readonly parameters: readonly StoredKey[];
  readonly order: string;
  /** The parts of the index that the query does not fix: a keyset holds one value for each. */
  readonly rest: readonly string[];
}

type RunQuery = Omit<IndexQuery, 'limit'>;

export const indexRun = (declared: DeclaredIndexes, query: RunQuery): IndexRun => {
  const fields = fieldsOfIndex(declared, query.index);
  const fixed = fixedFields(declared, query);
  const rest = [...fields.slice(fixed.length), 'id'];
  const columns = rest.map(columnOf);
  const ascending = query.direction !== 'descending';
  const what = `query of index ${query.index} of ${declared.owner}`;

  const terms = fixed.map((field) => `${columnOf(field)} = ?`);
  const parameters = fixed.map((field) => storedKey(query.equals[field], what));
  const add = (term: string, ...values: readonly unknown[]) => {
    terms.push(term);
    for (const value of values) parameters.push(storedKey(value, what));
  };

  if (query.after !== undefined) {
    if (query.after.length !== rest.length) {
      throw new Error(`${what}: a keyset holds ${rest.length} values (${rest.join(', ')}), not ${query.after.length}`);
    }
    add(`(${columns.join(', ')}) ${ascending ? '>' : '<'} (${rest.map(() => '?').join(', ')})`, ...query.after);
  }
  // A keyset and a bound on its own side both could open the range. The plus keeps the bound out of the choice: the
  // keyset is always the nearer one, and taking the bound would read all earlier pages again.
  if (query.from !== undefined) add(`${ascending && query.after ? '+' : ''}${columns[0]} >= ?`, query.from);
  if (query.to !== undefined) add(`${!ascending && query.after ? '+' : ''}${columns[0]} <= ?`, query.to);

  return {
    source: `"${declared.table}" INDEXED BY ${sqliteIndexOf(declared.table, fields)}`,
    terms,
    parameters,
    order: columns.map((column) => (ascending ? column : `${column} DESC`)).join(', '),
    rest,
  };
};

export const whereSql = (terms: readonly string[]): string =>
  terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;

/** SQLite reads a negative limit as none. */
