import { VectorsUnavailable, type SearchHit, type SearchKind, type SearchList } from '../../../ports/search-index.ts';
import { BackendUnavailable } from '../../../kernel/backend-unavailable.ts';
import type { OpenSearchConnection } from '../connection.ts';
import { momentId } from '../document-writer.ts';
import { explainedRefusal, RefusedByOpenSearch, refusalOf } from '../failures.ts';
import { byId, type HitById, idOf } from './hit-by-id.ts';
import { passesNow } from './lasting-filter.ts';
import { type ListQuery, listQuery } from './list-query.ts';

interface Hit extends HitById {
  readonly _score: number;
  readonly fields: HitById['fields'] & {
    readonly moment?: readonly string[];
    /** Of the nearest. */
    readonly publishedMs?: readonly number[];
  };
}

interface Found {
  readonly status: number;
  readonly error?: unknown;
  readonly hits?: { readonly hits: readonly Hit[] };
}

interface AskedList extends ListQuery {
  readonly list: SearchList;
}

interface AnsweredList {
  readonly kind: SearchKind;
  readonly moment: string | undefined;
  /** Too much of what was found does not pass, and there may be more. */
  readonly isShort: boolean;
  readonly hits: readonly SearchHit[];
}

/** Far beyond any score: the document that tells the moment comes first in every list. */
const momentBoost = 1e9;
/** As long as one search takes, and some more. */
const keptFor = '30s';

/** Without it the server gives those that rank alike in the order of its files, which a merge changes. */
const bestFirst = [{ _score: 'desc' }, { publishedMs: { order: 'desc', missing: '_last' } }, { id: 'asc' }];

const bodyOf = ({ list, query, size }: AskedList): object => ({
  size: size + 1,
  ...byId,
  docvalue_fields: [...byId.docvalue_fields, 'moment', ...('near' in list ? ['publishedMs'] : [])],
  track_total_hits: false,
  ...('words' in list && !list.inAnyOrder && { sort: bestFirst }),
  query: {
    bool: { should: [query, { constant_score: { filter: { ids: { values: [momentId] } }, boost: momentBoost } }] },
  },
});

/** The server gives half of one more than the cosine, because scores must not be negative. */
const scoreOf = (list: SearchList, score: number): number => ('near' in list ? 2 * score - 1 : score);

const passes = (list: SearchList, hit: Hit): boolean =>
  !('near' in list) || passesNow(list.filter, idOf(hit), hit.fields.publishedMs?.[0]);

const answered = ({ list, size }: AskedList, { status, error, hits }: Found): AnsweredList => {
  if (error !== undefined || hits === undefined) throw listError(list, status, error);
  const moment = hits.hits.find(({ fields }) => fields.moment !== undefined)?.fields.moment?.[0];
  const found = hits.hits.filter(({ fields }) => fields.moment === undefined);
  const passing = found.filter((hit) => passes(list, hit));
  return {
    kind: list.kind,
    moment,
    isShort: passing.length < Math.min(list.limit, size) && found.length >= size,
    hits: passing.slice(0, list.limit).map((hit) => ({ id: idOf(hit), score: scoreOf(list, hit._score) })),
  };
};

/** Whatever the server has against vectors alone, words are found without them. */
const listError = (list: SearchList, status: number, error: unknown): Error => {
  const explained = explainedRefusal('search', refusalOf(status, error));
  const isOfVectors = explained instanceof BackendUnavailable || explained instanceof RefusedByOpenSearch;
  if (!('near' in list) || !isOfVectors) return explained;
  return new VectorsUnavailable(`OpenSearch cannot search its vectors: ${explained.message}`, { cause: explained });
};

const areOfOneMoment = (lists: readonly AnsweredList[]): boolean => {
  const moments = new Map(lists.map(({ kind, moment }) => [kind, moment]));
  return lists.every(({ kind, moment }) => moments.get(kind) === moment);
};

/** All lists in one round trip. */
export function createSearcher(connection: OpenSearchConnection, indexOf: (kind: SearchKind) => string) {
  const searchAll = async (asked: readonly AskedList[], pits?: ReadonlyMap<SearchKind, string>) => {
    const lines = asked.flatMap((one) => {
      const pit = pits?.get(one.list.kind);
      // Copies of an index are refreshed one after the other: by asking one, all lists see the same.
      const header = pit === undefined ? { index: indexOf(one.list.kind), preference: '_primary' } : {};
      return [JSON.stringify(header), JSON.stringify({ ...bodyOf(one), ...(pit && { pit: { id: pit } }) })];
    });
    const { body } = await connection.ask<{ readonly responses: readonly Found[] }>({
      what: 'search',
      method: 'POST',
      path: '/_msearch',
      lines,
    });
    const failed = body.responses.findIndex((found, at) => found.error !== undefined && !('near' in asked[at]!.list));
    // Where words fail too it is more than the vectors.
    if (failed >= 0) answered(asked[failed]!, body.responses[failed]!);
    return asked.map((one, at) => answered(one, body.responses[at]!));
  };

  /** A write became visible between two lists: asked again, of one moment that the server keeps meanwhile. */
  const searchOneMoment = async (asked: readonly AskedList[]): Promise<AnsweredList[]> => {
    const pits = new Map<SearchKind, string>();
    try {
      for (const kind of new Set(asked.map(({ list }) => list.kind))) {
        const { body } = await connection.ask<{ readonly pit_id: string }>({
          what: 'keep one moment for a search',
          method: 'POST',
          path: `/${indexOf(kind)}/_search/point_in_time`,
          query: { keep_alive: keptFor, preference: '_primary' },
        });
        pits.set(kind, body.pit_id);
      }
      return await searchAll(asked, pits);
    } finally {
      if (pits.size > 0) {
        await connection.ask({
          what: 'let a moment go',
          method: 'DELETE',
          path: '/_search/point_in_time',
          body: { pit_id: [...pits.values()] },
          accepts: [404],
        });
      }
    }
  };

  const searchAtOnce = async (asked: readonly AskedList[]): Promise<readonly AnsweredList[]> => {
    const first = await searchAll(asked);
    return areOfOneMoment(first) ? first : await searchOneMoment(asked);
  };

  return async (asked: readonly AskedList[]): Promise<readonly (readonly SearchHit[])[]> => {
    const found = await searchAtOnce(asked);
    const exactly = () => asked.map(({ list }) => askedList(list, true)!);
    return (found.some(({ isShort }) => isShort) ? await searchAtOnce(exactly()) : found).map(({ hits }) => hits);
  };
}

const askedList = (list: SearchList, isExact: boolean): AskedList | null => {
  const query = listQuery(list, isExact);
  return query && { list, ...query };
};

/** Of those lists that cannot be answered without the server. */
export const askedLists = (lists: readonly SearchList[]): (AskedList | null)[] =>
  lists.map((list) => askedList(list, false));
