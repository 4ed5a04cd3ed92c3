import { VectorsUnavailable, type SearchHit, type SearchKind, type SearchList } from '../../../ports/search-index.ts';
import { BackendUnavailable } from '../../../kernel/backend-unavailable.ts';
import type { OpenSearchConnection } from '../connection.ts';
import { momentId } from '../document-writer.ts';
import { explainedRefusal, RefusedByOpenSearch, refusalOf } from '../failures.ts';
import { byId, idOf } from './hit-by-id.ts';
import type { UnsureHit } from './passing-hits.ts';
import type { Query } from './filter-query.ts';
import { cosineOf } from '../../vector-form.ts';
import { type ListQuery, listQuery } from './list-query.ts';

interface Hit extends UnsureHit {
  readonly _score: number;
  readonly fields: UnsureHit['fields'] & { readonly moment?: readonly string[] };
}

interface Found {
  readonly status: number;
  readonly error?: unknown;
  readonly hits?: { readonly hits: readonly Hit[] };
}

interface AskedList extends ListQuery {
  readonly list: SearchList;
  /** How often it was found short before. */
  readonly step: number;
}

interface AnsweredList {
  readonly kind: SearchKind;
  /** Of each of its queries. */
  readonly moments: readonly (string | undefined)[];
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

const bodyOf = ({ list, size, check }: AskedList, query: Query): object => ({
  size: size + 1,
  ...byId,
  docvalue_fields: [...byId.docvalue_fields, 'moment', ...(check?.fields ?? [])],
  track_total_hits: false,
  ...('words' in list && !list.inAnyOrder && { sort: bestFirst }),
  query: {
    bool: { should: [query, { constant_score: { filter: { ids: { values: [momentId] } }, boost: momentBoost } }] },
  },
});

/** The server gives half of one more than the cosine, because scores must not be negative. */
const scoreOf = (list: SearchList, score: number): number => ('near' in list ? cosineOf(2 * score - 1) : score);

/** Without those that do not pass. */
const foundHits = ({ list, check }: AskedList, hits: readonly Hit[]): SearchHit[] =>
  hits
    .filter((hit) => check === null || check.passes(list.filter, hit))
    .map((hit) => ({ id: idOf(hit), score: scoreOf(list, hit._score) }));

/** A document is as near as to the nearest of the vectors that found it. */
const nearestOfAll = (found: readonly (readonly SearchHit[])[]): readonly SearchHit[] => {
  if (found.length === 1) return found[0]!;
  const best = new Map<string, SearchHit>();
  for (const hit of found.flat()) {
    if (hit.score > (best.get(hit.id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(hit.id, hit);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
};

const answered = (asked: AskedList, answers: readonly Found[]): AnsweredList => {
  const { list, size, check } = asked;
  const all = answers.map(({ status, error, hits }) => {
    if (error !== undefined || hits === undefined) throw listError(list, status, error);
    return hits.hits;
  });
  const found = all.map((hits) => hits.filter(({ fields }) => fields.moment === undefined));
  const hits = nearestOfAll(found.map((some) => foundHits(asked, some))).slice(0, list.limit);
  // What a query did not tell any more is no nearer than the last that it told.
  const furthest = hits.length < Math.min(list.limit, size) ? Number.NEGATIVE_INFINITY : hits.at(-1)!.score;
  const mayMissNearer = (some: readonly Hit[]): boolean =>
    some.length >= size && scoreOf(list, some.at(-1)!._score) > furthest;
  return {
    kind: list.kind,
    moments: all.map((some) => some.find(({ fields }) => fields.moment !== undefined)?.fields.moment?.[0]),
    isShort: check !== null && found.some(mayMissNearer),
    hits,
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
  const shown = new Map(lists.map(({ kind, moments }) => [kind, moments[0]]));
  return lists.every(({ kind, moments }) => moments.every((moment) => moment === shown.get(kind)));
};

/** All lists in one round trip. */
export function createSearcher(connection: OpenSearchConnection, indexOf: (kind: SearchKind) => string) {
  const searchAll = async (asked: readonly AskedList[], pits?: ReadonlyMap<SearchKind, string>) => {
    const parts = asked.flatMap((one) => one.queries.map((query) => ({ one, query })));
    const lines = parts.flatMap(({ one, query }) => {
      const pit = pits?.get(one.list.kind);
      // Copies of an index are refreshed one after the other: by asking one, all lists see the same.
      const header = pit === undefined ? { index: indexOf(one.list.kind), preference: '_primary' } : {};
      return [JSON.stringify(header), JSON.stringify({ ...bodyOf(one, query), ...(pit && { pit: { id: pit } }) })];
    });
    const { body } = await connection.ask<{ readonly responses: readonly Found[] }>({
      what: 'search',
      method: 'POST',
      path: '/_msearch',
      lines,
    });
    const answersTo = (one: AskedList): Found[] => body.responses.filter((_, at) => parts[at]!.one === one);
    // Where words fail too it is more than the vectors.
    const wordsFirst = asked.toSorted((a, b) => Number('near' in a.list) - Number('near' in b.list));
    const answers = new Map(wordsFirst.map((one) => [one, answered(one, answersTo(one))]));
    return asked.map((one) => answers.get(one)!);
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

  /**
   * Those that are short are asked for in their next way, and the others once more as before: all are of one moment, and a list that
   * was asked for in another way could rank otherwise than the page that was shown of it.
   */
  const search = async (asked: readonly AskedList[]): Promise<readonly (readonly SearchHit[])[]> => {
    const found = await searchAtOnce(asked);
    if (!found.some(({ isShort }) => isShort)) return found.map(({ hits }) => hits);
    // One that was long enough may be short by now; by its last way none is, so that this ends.
    return search(asked.map((one, at) => (found[at]!.isShort ? askedList(one.list, one.step + 1)! : one)));
  };
  return search;
}

const askedList = (list: SearchList, step: number): AskedList | null => {
  const query = listQuery(list, step);
  return query && { list, step, ...query };
};

/** Of those lists that cannot be answered without the server. */
export const askedLists = (lists: readonly SearchList[]): (AskedList | null)[] =>
  lists.map((list) => askedList(list, 0));
