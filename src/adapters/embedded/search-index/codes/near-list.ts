import {
  type SearchFilter,
  type SearchHit,
  type SearchKind,
  VectorsUnavailable,
} from '../../../../ports/search-index.ts';
import type { Database } from '../../sqlite/open-database.ts';
import type { CodeSet, NearDocuments, WantedNear } from './code-set.ts';
import type { LoadedCodes, Space } from './loaded-codes.ts';
import { codeQuery } from './sign-codes.ts';
import { createNearestCosine } from './nearest-cosine.ts';
import { unitOf } from '../../../vector-form.ts';

/** What is taken in in some 30 ms. Who has more before him is still loading. */
const behindMax = 5_000;

/** How many entries are compared by their vectors, for so many wanted documents: each is read from the file. */
const depthOf = (limit: number): number => Math.max(180, Math.min(3 * limit, limit + 2_000));

export interface NearQuery {
  readonly near: Float32Array;
  readonly space: string;
  readonly filter: SearchFilter;
  readonly limit: number;
}

interface PreparedQuery {
  readonly set: CodeSet;
  readonly vector: Float32Array;
  readonly wanted: WantedNear;
}

export function createNearSearch(db: Database, kind: SearchKind, loaded: LoadedCodes) {
  const vectorsOf = db.prepare<[number], Buffer>(`SELECT vectors FROM vectors_${kind} WHERE ordinal = ?`).pluck();
  const ordinalOf = db.prepare<[string], number>(`SELECT ordinal FROM docs_${kind} WHERE id = ?`).pluck();
  const idOf = db.prepare<[number], string>(`SELECT id FROM docs_${kind} WHERE ordinal = ?`).pluck();
  const findSpace = db.prepare<[string], Space>('SELECT ordinal, name, dimensions FROM spaces WHERE name = ?');

  const cosine = createNearestCosine();

  const spaceOf = (name: string, dimensions: number): Space | undefined => {
    const space = findSpace.get(name);
    if (space !== undefined && space.dimensions !== 0 && space.dimensions !== dimensions) {
      throw new Error(`a vector of the space ${name} has ${space.dimensions} dimensions, not ${dimensions}`);
    }
    return space;
  };

  /** Codes only say what may be near: the vectors of those documents decide. */
  const ranked = (ordinals: ReadonlySet<number>, vector: Float32Array, limit: number): SearchHit[] => {
    cosine.compareWith(vector);
    const scored = Array.from(ordinals, (ordinal) => ({ ordinal, score: cosine.of(vectorsOf.get(ordinal) as Buffer) }));
    scored.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
    return scored.slice(0, limit).map(({ ordinal, score }) => ({ id: idOf.get(ordinal) as string, score }));
  };

  /** What is to be compared by codes; or its answer, where that needs none. */
  const prepared = ({ near, space: name, filter, limit }: NearQuery): PreparedQuery | SearchHit[] => {
    const space = spaceOf(name, near.length);
    const set = space && loaded.setOf(space);
    const vector = unitOf(near);
    const isEmpty = 'in' in filter.sources && filter.sources.in.size === 0;
    if (set === undefined || vector === null || limit === 0 || isEmpty) return [];
    const except = new Set([...(filter.except ?? [])].flatMap((id) => ordinalOf.get(id) ?? []));
    const mayTake = loaded.mayTake(filter, except);
    const entries = depthOf(limit);
    // Where a filter leaves few, those are compared by their vectors: no code need be looked at.
    const few = loaded.fewOf(set, mayTake, entries);
    if (few !== null) return ranked(few, vector, limit);
    return { set, vector, wanted: { query: codeQuery(vector), entries, documents: limit, mayTake } };
  };

  /** Those that are asked of the same codes are compared together. */
  const nearestOf = (queries: readonly PreparedQuery[]): Map<PreparedQuery, NearDocuments> => {
    const found = new Map<PreparedQuery, NearDocuments>();
    for (const set of new Set(queries.map((query) => query.set))) {
      const own = queries.filter((query) => query.set === set);
      for (const [place, documents] of set.nearest(own.map(({ wanted }) => wanted)).entries()) {
        found.set(own[place]!, documents);
      }
    }
    return found;
  };

  const hitsOf = ({ set, vector, wanted }: PreparedQuery, first: NearDocuments): SearchHit[] => {
    const { documents: limit } = wanted;
    let [found, { entries }] = [first, wanted];
    // A document has 64 entries at most, so that this is done once, if ever.
    while (found.ordinals.size < limit && !found.areAll) {
      entries *= 4;
      [found] = set.nearest([{ ...wanted, entries }]) as [NearDocuments];
    }
    return ranked(found.ordinals, vector, limit);
  };

  /** The hits of each query. */
  return (queries: readonly NearQuery[]): SearchHit[][] => {
    if (loaded.behind(behindMax) === behindMax) throw new VectorsUnavailable('The vectors are still being loaded.');
    loaded.follow(behindMax);
    const all = queries.map(prepared);
    const nearest = nearestOf(all.flatMap((one) => (Array.isArray(one) ? [] : [one])));
    return all.map((one) => (Array.isArray(one) ? one : hitsOf(one, nearest.get(one)!)));
  };
}
