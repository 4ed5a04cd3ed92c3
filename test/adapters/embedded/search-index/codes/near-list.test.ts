import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CodeParts, undivided } from '../../../../../src/adapters/embedded/search-index/codes/code-parts.ts';
import {
  createLoadedCodes,
  type LoadedCodes,
} from '../../../../../src/adapters/embedded/search-index/codes/loaded-codes.ts';
import { createNearSearch, type NearHit } from '../../../../../src/adapters/embedded/search-index/codes/near-list.ts';
import { generationFile } from '../../../../../src/adapters/embedded/search-index/file.ts';
import { createEmbeddedSearchIndexes } from '../../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createSourceOrdinals } from '../../../../../src/adapters/embedded/search-index/source-ordinals.ts';
import { type Database, openDatabase } from '../../../../../src/adapters/embedded/sqlite/open-database.ts';
import { systemClock } from '../../../../../src/adapters/system/clock.ts';
import type { SearchFilter, SearchKind } from '../../../../../src/ports/search-index.ts';
import {
  documentOf,
  everything,
  openIndex,
  putOf,
  vectorsOf,
  vectorSpace,
} from '../../../../spec/search-index/harness.ts';
import { createSeeded, type Seeded } from '../../../../spec/seeded.ts';
import { createTempFolder, type TempFolder } from '../../../../spec/temp-folder.ts';

const docs = 2_000;
const dayMs = 86_400_000;
const sourceOf = (number: number) => (number % 20 === 0 ? 'src_few' : 'src_many');
const vectorOf = (random: Seeded) => Float32Array.from({ length: 32 }, () => random.int(-1_000, 1_000) / 1_000);

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, axis) => sum + value * y[axis]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

describe('the nearest of what a filter leaves', () => {
  let folder: TempFolder;
  let db: Database;
  let near: ReturnType<typeof createNearSearch>;
  let nearChunks: typeof near;
  let compared = 0;
  const random = createSeeded(11);
  const vectors = Array.from({ length: docs }, () => [vectorOf(random), vectorOf(random), vectorOf(random)]);
  /** Some have more near entries than are weighed for a page, and many others are further away. */
  const middle = vectorOf(random);
  const nearMiddle = () => middle.map((value) => value + random.int(-20, 20) / 1_000);
  const longDocs = Array.from({ length: 412 }, (_, number) => ({
    id: `chunk ${number}`,
    own: number < 12 ? Array.from({ length: 200 }, nearMiddle) : [vectorOf(random)],
  }));

  /** Many sources say the same; a few that were written last are nearer to what is asked for. */
  const sameVector = vectorOf(random);
  const nearerSources = ['nearer 0', 'nearer 1', 'nearer 2'];
  /** Others differ from one that they are all like, one hardly more than the one before. */
  const likeVector = vectorOf(random);
  const likeSources = new Map(
    Array.from({ length: 300 }, (_, number) => {
      const apart = 0.7 + number / 1_000;
      return [`like ${number}`, likeVector.map((value) => value + (apart * random.int(-1_000, 1_000)) / 1_000)];
    }),
  );
  const sameSources = Array.from({ length: 600 }, (_, number) => `same ${number}`);

  beforeAll(async () => {
    folder = createTempFolder();
    const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    const { write } = await openIndex(indexes);
    for (let from = 0; from < docs; from += 200) {
      const numbers = Array.from({ length: 200 }, (_, number) => from + number);
      const puts = numbers.map((number) =>
        putOf(
          'release',
          from + 1,
          documentOf(`${number}`, { sourceId: sourceOf(number), publishedMs: number * dayMs }),
        ),
      );
      const made = numbers.map((number) => vectorsOf('release', from + 1, `${number}`, ...vectors[number]!));
      await write(from + 1, ...puts, ...made);
    }
    await write(docs + 1, ...longDocs.map(({ id }) => putOf('chunk', docs + 1, documentOf(id))));
    const lessNear = sameVector.map((value, axis) => (axis < 8 ? -value : value));
    const toSource = (id: string) =>
      vectorsOf('source', docs + 2, id, likeSources.get(id) ?? (nearerSources.includes(id) ? sameVector : lessNear));
    const sourceIds = [...sameSources, ...nearerSources, ...likeSources.keys()];
    await write(docs + 2, ...sourceIds.map((id) => putOf('source', docs + 2, documentOf(id))));
    await write(null, ...sourceIds.map(toSource));
    await write(null, ...longDocs.map(({ id, own }) => vectorsOf('chunk', docs + 1, id, ...own)));
    await indexes.close();
    db = openDatabase({ file: generationFile(folder.path, 1), kind: 'search', synchronous: 'NORMAL', readonly: true });
    const sources = createSourceOrdinals(db);
    sources.follow();
    near = countedSearch('release', createLoadedCodes(db, 'release', { sources, parts: undivided }));
    nearChunks = countedSearch('chunk', createLoadedCodes(db, 'chunk', { sources, parts: undivided }));
  });
  const countedSearch = (kind: SearchKind, loaded: LoadedCodes) =>
    createNearSearch(db, kind, {
      ...loaded,
      heldOf: (space) =>
        loaded.heldOf(space).map(({ part, set }) => {
          const nearest: typeof set.nearest = (...asked) => {
            compared += 1;
            return set.nearest(...asked);
          };
          return { part, set: { ...set, nearest } };
        }),
    });
  beforeEach(() => {
    compared = 0;
  });
  afterAll(() => {
    db.close();
    folder.remove();
  });

  const exactToAny = (wanted: readonly Float32Array[], isIn: (number: number) => boolean, limit: number): string[] => {
    const nearest = (own: readonly Float32Array[]) =>
      Math.max(...own.flatMap((vector) => wanted.map((one) => cosine(one, vector))));
    const scored = vectors.flatMap((own, number) => (isIn(number) ? [{ number, score: nearest(own) }] : []));
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ number }) => `${number}`);
  };
  const exact = (wanted: Float32Array, isIn: (number: number) => boolean, limit: number): string[] =>
    exactToAny([wanted], isIn, limit);
  const find = (wanted: Float32Array, filter: Partial<SearchFilter>, limit: number) =>
    near([{ near: [wanted], space: vectorSpace, filter: { ...everything, ...filter }, limit }])[0]!.map(({ id }) => id);

  it.each([
    ['few sources', { sources: { in: new Set(['src_few']) } }, (number: number) => number % 20 === 0],
    ['a window', { fromMs: 100 * dayMs, toMs: 199 * dayMs }, (number: number) => number >= 100 && number < 200],
    ['nothing', { fromMs: 90_000 * dayMs }, () => false],
    ['no source', { sources: { in: new Set<string>() } }, () => false],
  ] as const)('is told by vectors alone for %s', (_, filter, isIn) => {
    for (const limit of [1, 20, 500]) {
      const wanted = vectorOf(random);
      const [found, expected] = [find(wanted, filter, limit), exact(wanted, isIn, limit)];
      expect(found).toHaveLength(expected.length);
      // Stored numbers are rounded, so that some which are about as near may stand the other way round.
      expect(exact(wanted, isIn, limit + 5)).toEqual(expect.arrayContaining(found));
    }
    expect(compared).toBe(0);
  });

  it('asks the filter of lists of several depths once about each document', () => {
    let asked = 0;
    let filters = 0;
    const sources = createSourceOrdinals(db);
    sources.follow();
    const loaded = createLoadedCodes(db, 'release', { sources, parts: undivided });
    const counted = createNearSearch(db, 'release', {
      ...loaded,
      mayTake: (...of) => {
        const mayTake = loaded.mayTake(...of);
        filters += 1;
        return (ordinal) => {
          asked += 1;
          return mayTake(ordinal);
        };
      },
    });
    const wanted = [vectorOf(random)];
    // 300 documents, which are few for a limit of 120 and too many for one of 20.
    const filter = { ...everything, fromMs: 100 * dayMs, toMs: 399 * dayMs };
    const queriesOf = (...limits: readonly number[]) =>
      limits.map((limit) => ({ near: wanted, space: vectorSpace, filter, limit }));
    // Lists come from another thread, in one message.
    const found = counted(structuredClone(queriesOf(120, 240, 480)));
    expect([filters, asked]).toEqual([1, docs]);
    expect(found).toEqual([120, 240, 480].map((limit) => near(queriesOf(limit))[0]));
    expect(counted(queriesOf(20, 120))).toEqual([20, 120].map((limit) => near(queriesOf(limit))[0]));
    expect(counted(queriesOf(120, 20))).toEqual([120, 20].map((limit) => near(queriesOf(limit))[0]));
  });

  it('has as many documents as are wanted, though a few of them have all that is nearest', () => {
    const [found] = nearChunks([{ near: [middle], space: vectorSpace, filter: everything, limit: 20 }]);
    expect(new Set(found!.map(({ id }) => id)).size).toBe(20);
    expect(compared).toBe(2);
  });

  it('compares all codes twice at most, however deep a page is', () => {
    for (const limit of [20, 500, 1_000, 1_600]) {
      compared = 0;
      expect(new Set(find(vectorOf(random), {}, limit)).size).toBe(limit);
      expect(compared).toBeLessThanOrEqual(2);
    }
  });

  describe('of which vectors are read', () => {
    let read = 0;
    let watched: Database;
    let watchedNear: (kind: SearchKind) => typeof near;

    beforeAll(() => {
      const countRead = (sql: unknown) => {
        if (String(sql).includes('FROM vectors_')) read += 1;
      };
      watched = new Sqlite(generationFile(folder.path, 1), { readonly: true, verbose: countRead });
      const sources = createSourceOrdinals(watched);
      sources.follow();
      watchedNear = (kind) =>
        createNearSearch(watched, kind, createLoadedCodes(watched, kind, { sources, parts: undivided }));
    });
    afterAll(() => watched.close());

    const idsNear = (search: typeof near, wanted: readonly Float32Array[], limit: number) => {
      read = 0;
      const [hits] = search([{ near: wanted, space: vectorSpace, filter: everything, limit }]);
      return { ids: hits!.map(({ id }) => id), read };
    };

    it('is told for several vectors together, and not each of their documents is read', () => {
      const releases = watchedNear('release');
      const wanted = Array.from({ length: 5 }, () => vectorOf(random));
      const limit = 20;
      const readForOne = Math.max(...wanted.map((one) => idsNear(releases, [one], limit).read));
      const found = idsNear(releases, wanted, limit);
      expect(found.read).toBeLessThanOrEqual(readForOne + 9); // those that weigh as much as the last
      const expected = new Set(exactToAny(wanted, () => true, limit));
      expect(found.ids.filter((id) => expected.has(id)).length).toBeGreaterThanOrEqual(0.9 * limit);
    });

    it('finds what is near to one of several vectors alone, though all of it is', () => {
      const sources = watchedNear('source');
      const limit = 100;
      const others = Array.from({ length: 4 }, () => likeVector.map((value) => -value + random.int(-300, 300) / 1_000));
      const { ids } = idsNear(sources, [likeVector, ...others], limit);
      const exactly = [...likeSources]
        .map(([id, vector]) => ({ id, score: cosine(likeVector, vector) }))
        .sort((a, b) => b.score - a.score);
      const expected = new Set(exactly.slice(0, limit).map(({ id }) => id));
      expect(ids.filter((id) => expected.has(id)).length).toBeGreaterThanOrEqual(0.95 * limit);
    });

    it('reads no more where many say the same, and those first that are nearer', () => {
      const sources = watchedNear('source');
      const { ids, read: readOfSame } = idsNear(sources, [sameVector], 20);
      expect(new Set(ids.slice(0, nearerSources.length))).toEqual(new Set(nearerSources));
      expect(ids).toHaveLength(20);
      expect(readOfSame).toBe(180);
    });
  });

  describe('in two parts', () => {
    const loadedIn = (kind: SearchKind, parts: CodeParts): LoadedCodes => {
      const sources = createSourceOrdinals(db);
      sources.follow();
      return createLoadedCodes(db, kind, { sources, parts });
    };
    const nearIn = (kind: SearchKind, held: readonly number[]) =>
      createNearSearch(db, kind, loadedIn(kind, { count: 2, held }));
    const inOrder = (hits: readonly NearHit[]) => hits.toSorted((a, b) => b.score - a.score || a.ordinal - b.ordinal);

    it.each([
      [1, 20, everything],
      [5, 100, everything],
      [1, 500, everything],
      [2, 50, { ...everything, sources: { in: new Set(['src_few']) } }],
    ])('is the same for %i vectors and a limit of %i as of all together', (count, limit, filter) => {
      const wanted = Array.from({ length: count }, () => vectorOf(random));
      const query = { near: wanted, space: vectorSpace, filter, limit };
      const [first] = nearIn('release', [0])([query], 0);
      const [second] = nearIn('release', [1])([query], 1);
      const [ofHolder] = nearIn('release', [0, 1])([query], 1);
      const [whole] = nearIn('release', [0, 1])([query]);
      expect(ofHolder).toEqual(second);
      expect(new Set([...first!, ...second!].map(({ ordinal }) => ordinal)).size).toBe(first!.length + second!.length);
      const merged = inOrder([...first!, ...second!]).slice(0, limit);
      const [undividedHits] = near([query]);
      for (const hits of [whole!, undividedHits!]) {
        expect(merged).toHaveLength(hits.length);
        const known = new Set(hits.map(({ id }) => id));
        expect(merged.filter(({ id }) => known.has(id)).length).toBeGreaterThanOrEqual(0.97 * hits.length);
      }
    });

    it('has as many documents as are wanted, though one part has hardly any', () => {
      const ordinalOf = db.prepare<[string], number>('SELECT ordinal FROM docs_release WHERE id = ?').pluck();
      const ids = Array.from({ length: docs }, (_, number) => `${number}`);
      const ofFirst = ids.filter((id) => (ordinalOf.get(id) as number) % 2 === 0).slice(5);
      const filter = { ...everything, except: new Set(ofFirst) };
      const query = { near: [vectorOf(random)], space: vectorSpace, filter, limit: 600 };
      const found = [0, 1].flatMap((part) => nearIn('release', [part])([query], part)[0]!);
      expect(inOrder(found).slice(0, 600)).toHaveLength(600);
    });

    it('holds the codes of its own part alone', () => {
      const held = [[0], [1], [0, 1]].map((parts) => {
        const loaded = loadedIn('release', { count: 2, held: parts });
        while (loaded.follow(5_000));
        const known = loaded.heldOf({ ordinal: 1, name: vectorSpace, dimensions: 32 });
        const ordinals = Array.from({ length: docs + 1 }, (_, ordinal) => ordinal);
        return ordinals.filter((ordinal) => known.some(({ set }) => set.has(ordinal)));
      });
      expect(held[0]!.every((ordinal) => ordinal % 2 === 0) && held[1]!.every((ordinal) => ordinal % 2 === 1)).toBe(
        true,
      );
      expect([...held[0]!, ...held[1]!].sort((a, b) => a - b)).toEqual(held[2]);
      expect(held[2]).toHaveLength(docs);
    });
  });
});
