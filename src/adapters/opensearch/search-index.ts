import type { Clock } from '../../ports/clock.ts';
import type { SearchIndex, SearchKind, WantedVectors } from '../../ports/search-index.ts';
import { checkedLimit } from '../checked-indexes.ts';
import { longAnswerMs, type OpenSearchConnection } from './connection.ts';
import { explainedRefusal, refusalOf } from './failures.ts';
import type { GenerationStateStore } from './state/generation-state.ts';
import { createOpenSearchLeases } from './state/leases.ts';
import { nearestMax, presentWords } from './reading/list-query.ts';
import { byId, type HitById, idOf } from './reading/hit-by-id.ts';
import { readNow } from './reading/read-now.ts';
import { scrubIndexes } from './scrub.ts';
import { askedLists, createSearcher } from './reading/searcher.ts';
import { type StoredDocument, vectorsOf } from './stored-document.ts';
import { createUnsettledWrites } from './unsettled-writes.ts';
import type { createWriter } from './writer.ts';

export interface SearchIndexOptions {
  readonly connection: OpenSearchConnection;
  readonly state: GenerationStateStore;
  readonly clock: Clock;
  readonly indexOf: (kind: SearchKind) => string;
  readonly allIndexes: readonly string[];
  readonly write: ReturnType<typeof createWriter>;
}

type Hits<Hit> = { readonly hits: { readonly hits: readonly Hit[] } };

/** Every document has one, what else is kept in an index has none. */
const isDocument = { exists: { field: 'position' } };

const lacks = ({ space, model }: WantedVectors) => {
  const has = [{ term: { space } }, ...(model === undefined ? [] : [{ term: { model } }])];
  return { bool: { must_not: { bool: { filter: has } } } };
};

/** One generation: an index for each kind, found by its own name. */
export function createSearchIndex(options: SearchIndexOptions): SearchIndex {
  const { connection, state, clock, indexOf, allIndexes, write } = options;
  const search = createSearcher(connection, indexOf);

  const find = async <Hit>(what: string, kind: SearchKind, body: object): Promise<readonly Hit[]> => {
    const path = `/${indexOf(kind)}/_search`;
    const query = { preference: '_primary' };
    return (await connection.ask<Hits<Hit>>({ what, method: 'POST', path, query, body })).body.hits.hits;
  };
  const findIds = async (what: string, kind: SearchKind, body: object): Promise<string[]> =>
    (await find<HitById>(what, kind, { ...body, ...byId })).map(idOf);

  const unsettled = createUnsettledWrites();
  const settle = async (): Promise<void> => {
    const takeBack = unsettled.clear();
    try {
      await connection.ask({
        what: 'make what was written be found',
        method: 'POST',
        path: `/${allIndexes.join(',')}/_refresh`,
        timeoutMs: longAnswerMs,
      });
    } catch (error) {
      takeBack();
      throw error;
    }
  };

  return {
    search: async (lists) => {
      for (const { limit } of lists) checkedLimit(limit);
      const asked = askedLists(lists);
      const known = asked.filter((one) => one !== null);
      if (known.length === 0) await state.read(); // throws when the generation was dropped
      const found = known.length === 0 ? [] : await search(known);
      return asked.map((one) => ({ hits: one === null ? [] : found[known.indexOf(one)]! }));
    },
    matching: async (kind, ids, words) => {
      const present = presentWords(words);
      const found = new Set<string>();
      if (present === null) return found;
      for (let at = 0; at < ids.length; at += nearestMax) {
        const values = ids.slice(at, at + nearestMax);
        const filter = [...present, { ids: { values } }];
        const size = values.length;
        const some = await findIds('tell which documents have words', kind, { size, query: { bool: { filter } } });
        for (const id of some) found.add(id);
      }
      return found;
    },
    vectorsOf: async (kind, id, space) => {
      type Found = { readonly _source?: Pick<StoredDocument, 'space' | 'vectors'>; readonly error?: unknown };
      const what = 'read the vectors of a document';
      const { body } = await connection.ask<Found>({
        what,
        method: 'GET',
        path: `/${indexOf(kind)}/_doc/${encodeURIComponent(id)}`,
        query: { _source_includes: 'space,vectors' },
        accepts: [404],
      });
      if (body.error !== undefined) throw explainedRefusal(what, refusalOf(404, body.error)); // it is the index that is missing
      return body._source?.space === space ? vectorsOf(body._source) : [];
    },
    textHashesOf: async (kind, ids) => {
      const docs = await readNow<Pick<StoredDocument, 'textHashes'>>(connection, {
        what: 'tell what vectors were made of',
        fields: { _source_includes: 'textHashes' },
        wanted: ids.map((id) => ({ index: indexOf(kind), id })),
      });
      const known = ids.map((id, at) => [id, docs[at]?.textHashes ?? []] as const);
      return new Map(known.filter(([, hashes]) => hashes.length > 0));
    },
    idsOfSource: async (kind, sourceId, afterId, limit) => {
      if (checkedLimit(limit) === 0) return [];
      if (unsettled.changeDocuments()) await settle();
      return findIds('list the documents of a source', kind, {
        size: Math.min(nearestMax, limit),
        track_total_hits: false,
        query: { bool: { filter: [{ term: { sourceId } }] } },
        sort: [{ id: 'asc' }],
        search_after: [afterId],
      });
    },
    write: async (changes) => {
      try {
        return await write(changes);
      } finally {
        unsettled.note(changes.changes); // whatever became of it: part of a failed one may be written
      }
    },
    withoutVectors: async (kind, wanted, after, limit) => {
      if (checkedLimit(limit) === 0) return [];
      if (unsettled.changeBehind(kind, after)) await settle();
      type Waiting = HitById & { readonly fields: { readonly position: readonly [number] } };
      const hits = await find<Waiting>('tell which documents wait for vectors', kind, {
        size: Math.min(nearestMax, limit),
        ...byId,
        docvalue_fields: [...byId.docvalue_fields, 'position'],
        track_total_hits: false,
        query: { bool: { filter: [isDocument, lacks(wanted)] } },
        sort: [{ position: 'asc' }, { id: 'asc' }],
        search_after: [after.position, after.id],
      });
      return hits.map((hit) => ({ id: idOf(hit), position: hit.fields.position[0] }));
    },
    checkpoint: async () => (await state.read()).checkpoint,
    count: async (kind) => {
      const { body } = await connection.ask<{ readonly count: number }>({
        what: 'count documents',
        method: 'POST',
        path: `/${indexOf(kind)}/_count`,
        body: { query: isDocument },
      });
      return body.count;
    },
    settle,
    scrub: () => scrubIndexes(connection, allIndexes),
    leases: createOpenSearchLeases({ state, clock, settle }),
    isLeased: async (name) => {
      const lease = (await state.read()).leases[name];
      return lease !== undefined && lease.holder !== null && lease.expiresAtMs > clock.nowMs();
    },
  };
}
