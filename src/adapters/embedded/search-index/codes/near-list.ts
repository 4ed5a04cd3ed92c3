import {
  type SearchFilter,
  type SearchHit,
  type SearchKind,
  VectorsUnavailable,
} from '../../../../ports/search-index.ts';
import type { Database } from '../../sqlite/open-database.ts';
import { shareOf } from './code-parts.ts';
import type { NearDocuments, WantedNear } from './code-set.ts';
import type { HeldCodes, LoadedCodes, Space } from './loaded-codes.ts';
import { codeBytesOf, codeQuery } from './sign-codes.ts';
import { createNearestCosine } from './nearest-cosine.ts';
import { unitOf } from '../../../vector-form.ts';

/** What is taken in in some 30 ms. Who has more before him is still loading. */
const behindMax = 5_000;

/**
 * How many entries of a query are looked for by codes, for so many wanted documents. Several vectors share the wanted ones, so that
 * each of them needs fewer: enough together that as many documents as are read are found, though they have some in common (0031).
 */
const entriesOf = (limit: number, vectors: number): number => {
  const [least, share] = vectors > 1 ? [120, Math.max(1.2, 4.4 / vectors)] : [180, 3];
  return Math.max(least, Math.min(Math.ceil(share * limit), limit + 2_000));
};

/**
 * How many documents are compared by their vectors: each is read from the file, whichever of the vectors it was found for. The fewer
 * bits a code has, the less it says: of vectors with 32 numbers that lie anywhere and codes of 128 bits 98 of 100 true neighbours
 * are read, of such as models make with 256 bits all that the codes have found.
 */
const documentsOf = (limit: number, codeBits: number): number =>
  Math.ceil(Math.max(180, Math.min(Math.max(3, 640 / codeBits) * limit, limit + 2_000)));

export interface NearQuery {
  /** A document is as near as it is to the nearest of these. */
  readonly near: readonly Float32Array[];
  readonly space: string;
  readonly filter: SearchFilter;
  readonly limit: number;
}

export interface NearHit extends SearchHit {
  /** Of those that are as near the lower goes first. */
  readonly ordinal: number;
}

interface PreparedQuery {
  readonly held: readonly HeldCodes[];
  readonly vectors: readonly Float32Array[];
  /** For each of the vectors, of each part. */
  readonly wanted: readonly WantedNear[];
  /** Documents whose vectors are read. */
  readonly depth: number;
  readonly limit: number;
}

/** What queries of one filter have in common, which is found out once for all of them. */
interface FilteredCodes {
  readonly held: readonly HeldCodes[];
  readonly mayTake: (ordinal: number) => boolean;
  readonly fewOf: (max: number) => readonly number[] | null;
}

/** What was found for each of the vectors of a query, by its place; for each part of the codes. */
type FoundByPart = readonly (readonly NearDocuments[])[];

/** A document that was found by codes. */
interface NearDocument {
  /** What the heaviest of its entries weighs, for whichever vector. */
  weight: number;
  /** Places of the vectors that it was found for: it is further from the others. */
  readonly places: number[];
}

const together = (found: FoundByPart): ReadonlyMap<number, NearDocument> => {
  const documents = new Map<number, NearDocument>();
  for (const [place, { weights }] of found.flatMap((ofPart) => [...ofPart.entries()])) {
    for (const [ordinal, weight] of weights) {
      const known = documents.get(ordinal);
      if (known === undefined) documents.set(ordinal, { weight, places: [place] });
      else {
        known.weight = Math.max(weight, known.weight);
        known.places.push(place);
      }
    }
  }
  return documents;
};

/** Numbers alone are sorted sooner than documents. Of those that weigh the same, which may be thousands, those that come first. */
function heaviest(documents: ReadonlyMap<number, NearDocument>, count: number): Iterable<[number, NearDocument]> {
  if (documents.size <= count) return documents;
  const weights = Float64Array.from(documents.values(), ({ weight }) => weight).sort();
  const least = weights.at(-count)!;
  let missing = count - weights.filter((weight) => weight > least).length;
  return [...documents].filter(([, { weight }]) => {
    if (weight === least) missing -= 1;
    return weight > least || (weight === least && missing >= 0);
  });
}

export function createNearSearch(db: Database, kind: SearchKind, loaded: LoadedCodes) {
  const vectorsOf = db.prepare<[number], Buffer>(`SELECT vectors FROM vectors_${kind} WHERE ordinal = ?`).pluck();
  const ordinalOf = db.prepare<[string], number>(`SELECT ordinal FROM docs_${kind} WHERE id = ?`).pluck();
  const idOf = db.prepare<[number], string>(`SELECT id FROM docs_${kind} WHERE ordinal = ?`).pluck();
  const findSpace = db.prepare<[string], Space>('SELECT ordinal, name, dimensions FROM spaces WHERE name = ?');

  const cosine = createNearestCosine();

  const spaceOf = (name: string, near: readonly Float32Array[]): Space | undefined => {
    const space = findSpace.get(name);
    const other = near.find(({ length }) => space !== undefined && ![0, length].includes(space.dimensions));
    if (space === undefined || other === undefined) return space;
    throw new Error(`a vector of the space ${name} has ${space.dimensions} dimensions, not ${other.length}`);
  };

  /** Codes only say what may be near: the vectors of those documents decide. */
  const ranked = (
    documents: Iterable<readonly [number, Pick<NearDocument, 'places'>]>,
    vectors: readonly Float32Array[],
    limit: number,
  ): NearHit[] => {
    cosine.compareWith(vectors);
    // In the order in which they lie in the file: of some pages two are read, one after the other.
    const inOrder = [...documents].sort(([a], [b]) => a - b);
    const scored = inOrder.map(([ordinal, { places }]) => {
      return { ordinal, score: cosine.of(vectorsOf.get(ordinal) as Buffer, places) };
    });
    scored.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
    return scored.slice(0, limit).map(({ ordinal, score }) => ({ id: idOf.get(ordinal) as string, score, ordinal }));
  };

  const filtered = (filter: SearchFilter, space: Space, part: number | 'all'): FilteredCodes => {
    const held = loaded.heldOf(space).filter((one) => part === 'all' || one.part === part);
    const except = new Set([...(filter.except ?? [])].flatMap((id) => ordinalOf.get(id) ?? []));
    const mayTake = loaded.mayTake(filter, except);
    return { held, mayTake, fewOf: loaded.fewOf(held, mayTake) };
  };

  /** Lists of several depths have one and the same filter, also when they were sent to this thread together. */
  const createFilters = (part: number | 'all') => {
    const known: (FilteredCodes & { readonly filter: SearchFilter; readonly space: string })[] = [];
    return (filter: SearchFilter, space: Space): FilteredCodes => {
      const found = known.find((one) => one.filter === filter && one.space === space.name);
      if (found !== undefined) return found;
      const made = { filter, space: space.name, ...filtered(filter, space, part) };
      known.push(made);
      return made;
    };
  };

  /** What is to be compared by codes; or its answer, where that needs none. */
  const prepared = (
    { near, space: name, filter, limit }: NearQuery,
    part: number | 'all',
    filteredBy: ReturnType<typeof createFilters>,
  ): PreparedQuery | NearHit[] => {
    const space = spaceOf(name, near);
    const vectors = near.flatMap((one) => unitOf(one) ?? []);
    const isEmpty = 'in' in filter.sources && filter.sources.in.size === 0;
    if (space === undefined || vectors.length === 0 || limit === 0 || isEmpty) return [];
    const { held, mayTake, fewOf } = filteredBy(filter, space);
    if (held.length === 0) return [];
    const entries = entriesOf(limit, vectors.length);
    const read = documentsOf(limit, 8 * codeBytesOf(vectors[0]!.length));
    const entriesOfPart = shareOf(entries, loaded.parts);
    // What is nearest may be of one part alone, which has to have it all then; and near to one of the vectors alone.
    const depth = part === 'all' ? read : Math.max(limit, shareOf(read, loaded.parts));
    // Where a filter leaves few, those are compared by their vectors: no code need be looked at.
    const few = fewOf(depth);
    const places = [...vectors.keys()];
    const all = few && few.map((ordinal) => [ordinal, { places }] as const);
    if (all !== null) return ranked(all, vectors, limit);
    const wanted = vectors.map((vector) => {
      return { query: codeQuery(vector), entries: entriesOfPart, told: depth, documents: limit, mayTake };
    });
    return { held, vectors, wanted, depth, limit };
  };

  /** Those that are asked of the same codes are compared together. */
  const nearestOf = (queries: readonly PreparedQuery[]): Map<PreparedQuery, FoundByPart> => {
    const found = new Map(queries.map((query) => [query, [] as (readonly NearDocuments[])[]] as const));
    for (const set of new Set(queries.flatMap(({ held }) => held.map((one) => one.set)))) {
      const own = queries.filter(({ held }) => held.some((one) => one.set === set));
      const nearest = set.nearest(own.flatMap(({ wanted }) => wanted)).values();
      for (const query of own) found.get(query)!.push(query.wanted.map(() => nearest.next().value!));
    }
    return found;
  };

  const hitsOf = ({ held, vectors, wanted, depth, limit }: PreparedQuery, first: FoundByPart) => {
    let [found, deeper] = [first, wanted];
    let documents = together(found);
    // A document has 64 entries at most, so that this is done once, if ever.
    while (documents.size < limit && !found.flat().every(({ areAll }) => areAll)) {
      deeper = deeper.map((one) => ({ ...one, entries: one.entries * 4 }));
      found = held.map(({ set }) => set.nearest(deeper));
      documents = together(found);
    }
    return ranked(heaviest(documents, depth), vectors, limit);
  };

  /** The hits of each query, of the documents of one part or of all. */
  return (queries: readonly NearQuery[], part: number | 'all' = 'all'): NearHit[][] => {
    if (loaded.behind(behindMax) === behindMax) throw new VectorsUnavailable('The vectors are still being loaded.');
    loaded.follow(behindMax);
    const filteredBy = createFilters(part);
    const all = queries.map((query) => prepared(query, part, filteredBy));
    const nearest = nearestOf(all.flatMap((one) => (Array.isArray(one) ? [] : [one])));
    return all.map((one) => (Array.isArray(one) ? one : hitsOf(one, nearest.get(one)!)));
  };
}
