import { setImmediate } from 'node:timers/promises';
import {
  type SearchAnswer,
  type SearchKind,
  searchKinds,
  type SearchList,
  type WantedVectors,
  type WantedWords,
} from '../../../ports/search-index.ts';
import type { Database } from '../sqlite/open-database.ts';
import { createState } from './file.ts';
import { type CodeParts, holdsAll } from './codes/code-parts.ts';
import { createLoadedCodes } from './codes/loaded-codes.ts';
import { createNearSearch, type NearHit } from './codes/near-list.ts';
import { hitOf, isNear, type NearList, type PartMoment, type SearchedMoment } from './search-lists.ts';
import { createSourceOrdinals } from './source-ordinals.ts';
import { unpackVectors } from '../../vector-form.ts';
import { createWordSearch } from './word-list.ts';
import { limitSql } from '../sqlite/limit.ts';

/** Documents that are taken in before whoever waits on this thread gets a turn: a few milliseconds. */
const stepDocuments = 1_000;

export interface WithoutVectorsQuery {
  readonly kind: SearchKind;
  readonly wanted: WantedVectors;
  readonly after: { readonly position: number; readonly id: string };
  readonly limit: number;
}

export interface OfSourceQuery {
  readonly kind: SearchKind;
  readonly sourceId: string;
  readonly afterId: string;
  readonly limit: number;
}

type Waiting = { readonly id: string; readonly position: number };

/** Reads one generation, on the thread that calls it. */
export function createSearcher(db: Database, parts: CodeParts) {
  const state = createState(db);
  const sources = createSourceOrdinals(db);
  const loaded = new Map(searchKinds.map((kind) => [kind, createLoadedCodes(db, kind, { sources, parts })] as const));
  const near = new Map(searchKinds.map((kind) => [kind, createNearSearch(db, kind, loaded.get(kind)!)] as const));
  const words = createWordSearch(db, sources);
  const models = db.prepare<[], { ordinal: number; name: string; space: string }>(
    'SELECT models.ordinal, models.name, spaces.name AS space FROM models JOIN spaces ON spaces.ordinal = models.space',
  );
  const preparedVectorsOf = (kind: SearchKind) =>
    db.prepare<[string, string], { vectors: Buffer; dimensions: number }>(
      `SELECT vectors, dimensions FROM docs_${kind} doc JOIN vectors_${kind} USING (ordinal)
       JOIN models ON models.ordinal = doc.model JOIN spaces ON spaces.ordinal = models.space WHERE id = ? AND spaces.name = ?`,
    );
  const findVectors = new Map(searchKinds.map((kind) => [kind, preparedVectorsOf(kind)] as const));
  let isClosed = false;

  /** One snapshot of the file for all that is read in it. */
  const asOfNow = <Result>(read: () => Result): Result =>
    db.transaction(() => {
      state();
      sources.follow();
      return read();
    })();

  /** All lists of one kind are looked for together. */
  const nearest = (lists: readonly NearList[], part: number | 'all'): Map<SearchList, readonly NearHit[]> => {
    const hits = new Map<SearchList, readonly NearHit[]>();
    for (const kind of searchKinds) {
      const asked = lists.filter((list) => list.kind === kind);
      const found = asked.length === 0 ? [] : near.get(kind)!(asked, part);
      for (const [place, list] of asked.entries()) hits.set(list, found[place]!);
    }
    return hits;
  };

  const search = (lists: readonly SearchList[]): SearchAnswer => {
    const asked = lists.filter(isNear);
    if (asked.length > 0 && !holdsAll(parts)) throw new Error('what is near is asked of who holds a part of the codes');
    const found = nearest(asked, 'all');
    return lists.map((list) => ({ hits: isNear(list) ? found.get(list)!.map(hitOf) : words.search(list) }));
  };

  const moment = (): string => {
    const { checkpoint, change } = state();
    return `${checkpoint} ${change}`;
  };

  const withoutVectors = ({ kind, wanted, after, limit }: WithoutVectorsQuery): Waiting[] => {
    const { space, model } = wanted;
    const others = models.all().filter((one) => one.space !== space || (model !== undefined && one.name !== model));
    const find = db.prepare<[number, number, string, number], Waiting>(
      `SELECT id, position FROM docs_${kind} INDEXED BY "docs_${kind}(model)"
       WHERE model = ? AND (position, id) > (?, ?) ORDER BY position, id ${limitSql}`,
    );
    const found = [0, ...others.map(({ ordinal }) => ordinal)].flatMap((ordinal) =>
      find.all(ordinal, after.position, after.id, limit),
    );
    found.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
    return found.slice(0, limit);
  };

  const vectorsOf = (kind: SearchKind, id: string, space: string): Float32Array[] => {
    const found = findVectors.get(kind)!.get(id, space);
    return found === undefined ? [] : unpackVectors(found.vectors, found.dimensions);
  };

  const textHashesOf = (kind: SearchKind, ids: readonly string[]): Map<string, string[]> => {
    const rows = db
      .prepare<[string], { id: string; hashes: string }>(
        `SELECT doc.id, hashes FROM json_each(?) wanted CROSS JOIN docs_${kind} doc ON doc.id = wanted.value
         JOIN hashes_${kind} USING (ordinal)`,
      )
      .all(JSON.stringify(ids));
    return new Map(rows.map(({ id, hashes }) => [id, hashes.split('\n')]));
  };

  const idsOfSource = ({ kind, sourceId, afterId, limit }: OfSourceQuery): string[] =>
    db
      .prepare<[string, string, number], string>(
        `SELECT id FROM docs_${kind} INDEXED BY "docs_${kind}(source)"
         WHERE source = (SELECT ordinal FROM sources WHERE id = ?) AND id > ? ORDER BY id ${limitSql}`,
      )
      .pluck()
      .all(sourceId, afterId, limit);

  return {
    search: (lists: readonly SearchList[]): SearchedMoment =>
      asOfNow(() => ({ moment: moment(), answer: search(lists) })),
    /** What is near among the documents of one part. */
    searchPart: (lists: readonly NearList[], part: number): PartMoment =>
      asOfNow(() => {
        const found = nearest(lists, part);
        return { moment: moment(), hits: lists.map((list) => found.get(list)!) };
      }),
    matching: (kind: SearchKind, ids: readonly string[], wanted: WantedWords) =>
      asOfNow(() => words.matching(kind, ids, wanted)),
    vectorsOf: (kind: SearchKind, id: string, space: string) => asOfNow(() => vectorsOf(kind, id, space)),
    textHashesOf: (kind: SearchKind, ids: readonly string[]) => asOfNow(() => textHashesOf(kind, ids)),
    idsOfSource: (query: OfSourceQuery) => asOfNow(() => idsOfSource(query)),
    withoutVectors: (query: WithoutVectorsQuery) => asOfNow(() => withoutVectors(query)),
    checkpoint: () => asOfNow(() => state().checkpoint),
    count: (kind: SearchKind) => asOfNow(() => db.prepare(`SELECT count(*) FROM docs_${kind}`).pluck().get() as number),
    /** Takes in what was written of codes, by whomever, in turns with what else this thread is asked for. */
    followCodes: async (): Promise<void> => {
      for (const codes of loaded.values()) {
        while (!isClosed && asOfNow(() => codes.follow(stepDocuments))) await setImmediate();
      }
    },
    codeBytes: () => [...loaded.values()].reduce((sum, codes) => sum + codes.bytes(), 0),
    close: () => {
      isClosed = true;
      db.close();
    },
  };
}

export type Searcher = ReturnType<typeof createSearcher>;
