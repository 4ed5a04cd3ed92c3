import { BackendBusy } from '../../../kernel/backend-unavailable.ts';
import type { OpenSearchConnection } from '../connection.ts';

interface Found<Doc> {
  readonly found: boolean;
  readonly _source?: Doc;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
}

/** Small documents that are read by id, which sees every write at once, and changed only as they were read. */
export interface StoredState {
  readonly read: <Doc extends object>(id: string) => Promise<Doc | null>;
  /** Answers what is there then. Null leaves it as it is; `decide` is asked again when another was faster. */
  readonly change: <Doc extends object>(id: string, decide: (doc: Doc | null) => Doc | null) => Promise<Doc | null>;
  readonly remove: (id: string) => Promise<void>;
}

/** Each time one of those who write at once gets through. */
const triesMax = 200;

export function createStoredState({ ask }: OpenSearchConnection, index: string): StoredState {
  const pathOf = (endpoint: string, id: string) => `/${index}/${endpoint}/${encodeURIComponent(id)}`;
  const find = async <Doc extends object>(id: string): Promise<Found<Doc>> => {
    const { body } = await ask<Found<Doc>>({
      what: 'read the state of the search index',
      method: 'GET',
      path: pathOf('_doc', id),
      accepts: [404],
    });
    return body;
  };
  /** False when another was faster. */
  const put = async <Doc extends object>(id: string, before: Found<Doc>, doc: Doc): Promise<boolean> => {
    const asRead = { if_seq_no: before._seq_no ?? 0, if_primary_term: before._primary_term ?? 0 };
    const { status } = await ask({
      what: 'change the state of the search index',
      method: 'PUT',
      path: pathOf(before.found ? '_doc' : '_create', id),
      ...(before.found && { query: asRead }),
      body: doc,
      accepts: [409],
    });
    return status !== 409;
  };

  return {
    read: async <Doc extends object>(id: string) => (await find<Doc>(id))._source ?? null,
    change: async <Doc extends object>(id: string, decide: (doc: Doc | null) => Doc | null) => {
      for (let attempt = 1; attempt <= triesMax; attempt += 1) {
        const before = await find<Doc>(id);
        const doc = before._source ?? null;
        const next = decide(doc);
        if (next === null) return doc;
        if (await put(id, before, next)) return next;
      }
      throw new BackendBusy('OpenSearch');
    },
    remove: async (id) => {
      await ask({
        what: 'remove a state of the search index',
        method: 'DELETE',
        path: pathOf('_doc', id),
        accepts: [404],
      });
    },
  };
}
