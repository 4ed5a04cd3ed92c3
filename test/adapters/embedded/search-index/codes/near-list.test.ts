import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createLoadedCodes,
  type LoadedCodes,
} from '../../../../../src/adapters/embedded/search-index/codes/loaded-codes.ts';
import { createNearSearch } from '../../../../../src/adapters/embedded/search-index/codes/near-list.ts';
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
    await write(null, ...longDocs.map(({ id, own }) => vectorsOf('chunk', docs + 1, id, ...own)));
    await indexes.close();
    db = openDatabase({ file: generationFile(folder.path, 1), kind: 'search', synchronous: 'NORMAL', readonly: true });
    const sources = createSourceOrdinals(db);
    sources.follow();
    near = countedSearch('release', createLoadedCodes(db, 'release', sources));
    nearChunks = countedSearch('chunk', createLoadedCodes(db, 'chunk', sources));
  });
  const countedSearch = (kind: SearchKind, loaded: LoadedCodes) =>
    createNearSearch(db, kind, {
      ...loaded,
      setOf: (space) => {
        const set = loaded.setOf(space);
        if (set === undefined) return undefined;
        const nearest: typeof set.nearest = (...asked) => {
          compared += 1;
          return set.nearest(...asked);
        };
        return { ...set, nearest };
      },
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

  it('is told for several vectors together, and not each of their documents is read', () => {
    let read = 0;
    const countRead = (sql: unknown) => {
      if (String(sql).includes('FROM vectors_release')) read += 1;
    };
    const watched = new Sqlite(generationFile(folder.path, 1), { readonly: true, verbose: countRead });
    const sources = createSourceOrdinals(watched);
    sources.follow();
    const nearReleases = createNearSearch(watched, 'release', createLoadedCodes(watched, 'release', sources));
    const wanted = Array.from({ length: 5 }, () => vectorOf(random));
    const limit = 20;
    const idsNear = (...near: readonly Float32Array[]) => {
      read = 0;
      const [hits] = nearReleases([{ near, space: vectorSpace, filter: everything, limit }]);
      return { ids: hits!.map(({ id }) => id), read };
    };
    const readForOne = Math.max(...wanted.map((one) => idsNear(one).read));
    const found = idsNear(...wanted);
    watched.close();
    expect(found.read).toBeLessThanOrEqual(3 * readForOne + 9); // those that weigh as much as the last
    const expected = new Set(exactToAny(wanted, () => true, limit));
    expect(found.ids.filter((id) => expected.has(id)).length).toBeGreaterThanOrEqual(0.9 * limit);
  });
});
