import type { Lease } from '../../../src/ports/leases.ts';
import type {
  SearchChange,
  SearchDocument,
  SearchFilter,
  SearchIndex,
  SearchIndexes,
  SearchKind,
  SearchList,
  SearchWriteOutcome,
} from '../../../src/ports/search-index.ts';

export interface SearchIndexesHarness {
  /** Over an empty back end. */
  readonly make: () => Promise<SearchIndexes>;
  /** Two over one empty back end. */
  readonly makeTwoOnOneBackend: () => Promise<[SearchIndexes, SearchIndexes]>;
  /** Cuts what lies between the adapter and its store; answers the one to go on with. */
  readonly interrupt: (indexes: SearchIndexes) => Promise<SearchIndexes>;
  /** Lets time pass by the store's clock. */
  readonly passTime: (ms: number) => Promise<void>;
  /** Closes all that was made and forgets its data; the harness can be used again. */
  readonly close: () => Promise<void>;
}

export type DocumentFields = Partial<Omit<SearchDocument, 'id' | 'texts'>> & Partial<SearchDocument['texts']>;

/** A document that has nothing but what is told of it. */
export const documentOf = (id: string, fields: DocumentFields = {}): SearchDocument => {
  const { title = '', names = '', body = '', ...rest } = fields;
  return {
    sourceId: 'src_a',
    publishedMs: null,
    isCoverage: false,
    isBare: false,
    textHashes: [],
    ...rest,
    id,
    texts: { title, names, body },
  };
};

export const putOf = (index: SearchKind, position: number, doc: SearchDocument): SearchChange => ({
  kind: 'put',
  index,
  position,
  doc,
});

export const vectorSpace = 'suite-space';
const dimensions = 32;

/** Points along one axis, and `share` of the way over to the next one. Different axes have nothing in common. */
export const towards = (axis: number, share = 0): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[axis] = Math.cos((share * Math.PI) / 2);
  vector[axis + 1] = Math.sin((share * Math.PI) / 2);
  return vector;
};

export const vectorsOf = (
  index: SearchKind,
  position: number,
  id: string,
  ...vectors: readonly Float32Array[]
): Extract<SearchChange, { kind: 'vectors' }> => {
  const entries = vectors.map((vector, entry) => ({ textHash: `${id} ${entry}`, vector }));
  return { kind: 'vectors', index, position, id, space: vectorSpace, model: 'suite-model', entries };
};

export const everything: SearchFilter = { sources: { notIn: new Set() }, withCoverage: true };

interface ListOptions {
  readonly kind?: SearchKind;
  readonly filter?: Partial<SearchFilter>;
  readonly limit?: number;
  readonly isPrefix?: boolean;
}

const baseOf = ({ kind = 'release', filter = {}, limit = 50 }: ListOptions) => ({
  kind,
  limit,
  filter: { ...everything, ...filter },
});

/** What a person types. */
export const wordsList = (query: string, options: ListOptions = {}): SearchList => ({
  ...baseOf(options),
  words: { tokens: query.split(/\s+/).filter((token) => token !== ''), isPrefix: options.isPrefix ?? false },
});

export const nearList = (near: Float32Array | readonly Float32Array[], options: ListOptions = {}): SearchList => ({
  ...baseOf(options),
  near: near instanceof Float32Array ? [near] : near,
  space: vectorSpace,
});

/** One generation with a lease on it. */
export interface OpenedIndex {
  readonly index: SearchIndex;
  readonly lease: Lease;
  /** And waits until it can be found. */
  readonly write: (position: number | null, ...changes: readonly SearchChange[]) => Promise<SearchWriteOutcome>;
  /** Releases, each at the position. */
  readonly putAll: (position: number, docs: readonly SearchDocument[]) => Promise<SearchWriteOutcome>;
  /** The ids of each list. */
  readonly ids: (...lists: readonly SearchList[]) => Promise<string[][]>;
  readonly find: (query: string, options?: ListOptions) => Promise<string[]>;
  readonly findNear: (near: Float32Array, options?: ListOptions) => Promise<string[]>;
}

export async function openIndex(indexes: SearchIndexes, generation = 1): Promise<OpenedIndex> {
  const index = await indexes.open(generation);
  const lease = await index.leases.acquire('feed', 'suite', 600_000);
  if (lease === null) throw new Error('the lease of a suite is taken');
  const write: OpenedIndex['write'] = async (position, ...changes) => {
    const outcome = await index.write({ changes, position, lease });
    await index.settle();
    return outcome;
  };
  const ids: OpenedIndex['ids'] = async (...lists) =>
    (await index.search(lists)).map(({ hits }) => hits.map(({ id }) => id));
  return {
    index,
    lease,
    write,
    putAll: (position, docs) => write(position, ...docs.map((doc) => putOf('release', position, doc))),
    ids,
    find: async (query, options) => (await ids(wordsList(query, options)))[0]!,
    findNear: async (near, options) => (await ids(nearList(near, options)))[0]!,
  };
}
