import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generationFile } from '../../../../src/adapters/embedded/search-index/file.ts';
import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createSourceOrdinals } from '../../../../src/adapters/embedded/search-index/source-ordinals.ts';
import { createWordSearch } from '../../../../src/adapters/embedded/search-index/word-list.ts';
import { type Database, openDatabase } from '../../../../src/adapters/embedded/sqlite/open-database.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { SearchFilter } from '../../../../src/ports/search-index.ts';
import { documentOf, everything, openIndex, putOf } from '../../../spec/search-index/harness.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

const dayMs = 86_400_000;
const docs = 2_000;
const undated = 200;
const bounds = { ranked: 20, looked: 100 };
/** Each day a document of the one source that has nearly all; the others have the oldest, one each. */
const rareSources = Array.from({ length: 60 }, (_, nth) => `src_rare_${nth}`);
const docOf = (number: number) =>
  documentOf(`doc ${number}`, {
    sourceId: rareSources[number] ?? 'src_common',
    title: 'a release',
    body: number % 2 === 0 ? 'quokka and more' : 'quokka',
    publishedMs: number < docs ? (number + 1) * dayMs : null,
    isCoverage: number === docs - 1,
  });

describe('words that stand in every document', () => {
  let folder: TempFolder;
  let db: Database;
  const looked = new Set<number>();

  beforeAll(async () => {
    folder = createTempFolder();
    const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    const { write } = await openIndex(indexes);
    for (let from = 0; from < docs + undated; from += 200) {
      const numbers = Array.from({ length: 200 }, (_, number) => from + number);
      await write(from + 1, ...numbers.map((number) => putOf('release', from + 1, docOf(number))));
    }
    await indexes.close();
    db = openDatabase({ file: generationFile(folder.path, 1), kind: 'search', synchronous: 'NORMAL', readonly: true });
    // What is asked of a document is read through a view that notes it.
    const note = (ordinal: number, value: number) => {
      looked.add(ordinal);
      return value;
    };
    db.function('noted', { deterministic: false }, note as (...values: unknown[]) => unknown);
    const asked = ['source', 'published_ms', 'is_coverage', 'is_bare'];
    const columns = ['ordinal', 'id', ...asked.map((name) => `noted(ordinal, ${name}) AS ${name}`)].join();
    db.exec(`CREATE TEMP VIEW docs_release AS SELECT ${columns} FROM main.docs_release`);
  });
  afterAll(() => {
    db.close();
    folder.remove();
  });

  const find = (filter: Partial<SearchFilter>, limit = 3) => {
    const sources = createSourceOrdinals(db);
    sources.follow();
    looked.clear();
    const words = { tokens: ['quokka'], isPrefix: false };
    const hits = createWordSearch(db, sources, { bounds }).search({
      kind: 'release',
      words,
      filter: { ...everything, ...filter },
      limit,
    });
    return hits.map(({ id }) => id);
  };

  it('are ranked within their newest matches, and no further one is looked at', () => {
    expect(find({ withCoverage: false })).toEqual(['doc 1997', 'doc 1995', 'doc 1993']);
    expect(looked.size).toBe(bounds.ranked + 1);
  });

  it.each([
    ['of a window of days', { fromMs: 11 * dayMs, toMs: 14 * dayMs }, ['doc 13', 'doc 11', 'doc 12', 'doc 10'], 4],
    ['of a window or of no date', { fromMs: 11 * dayMs, toMs: 11 * dayMs, keepsUndated: true }, ['doc 2181'], 20],
    ['up to a day long ago', { toMs: 3 * dayMs, keepsUndated: false }, ['doc 1', 'doc 2', 'doc 0'], 100],
    ['of a window that holds nothing', { fromMs: 9_000 * dayMs }, [], 0],
    ['of a window that ends before it begins', { fromMs: 9 * dayMs, toMs: 8 * dayMs }, [], 0],
  ] as const)('%s are found without a look at the others', (_, filter, expected, lookedMax) => {
    expect(find(filter, 4).slice(0, expected.length)).toEqual(expected);
    expect(looked.size).toBeLessThanOrEqual(lookedMax);
  });

  it('of more sources than are words of a query are found though all newer matches are of another', () => {
    const found = find({ sources: { in: new Set(rareSources) } }, 100);
    expect(new Set(found)).toEqual(new Set(Array.from({ length: bounds.ranked }, (_, nth) => `doc ${59 - nth}`)));
    expect(looked.size).toBeLessThanOrEqual(2 * bounds.looked);
  });

  it('of all but a source that has nearly all of them are found, too', () => {
    const found = find({ sources: { notIn: new Set(['src_common']) } }, 100);
    expect(found).toHaveLength(bounds.ranked);
    expect(looked.size).toBeLessThanOrEqual(2 * bounds.looked);
  });

  it('of no source are not looked for', () => {
    expect(find({ sources: { in: new Set() } })).toEqual([]);
    expect(find({ sources: { in: new Set(['src_unknown']) } })).toEqual([]);
    expect(looked.size).toBe(0);
  });

  it('are looked at up to the bound where a filter leaves none of them', () => {
    expect(find({ except: new Set(Array.from({ length: docs + undated }, (_, number) => `doc ${number}`)) })).toEqual(
      [],
    );
    expect(looked.size).toBeLessThanOrEqual(2 * bounds.looked);
  });
});

describe('words of more sources than are looked for at once', () => {
  it('are found in any order however unevenly they are divided among the sources', async () => {
    const folder = createTempFolder();
    const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    const { write } = await openIndex(indexes);
    const wanted = Array.from({ length: 250 }, (_, nth) => `src_${nth}`);
    const doc = (id: string, sourceId: string, body: string, publishedMs: number) =>
      putOf('release', 1, documentOf(id, { sourceId, title: 'a release', body, publishedMs }));
    const own = Array.from({ length: 15 }, (_, nth) => `own ${nth}`);
    const newer = Array.from({ length: 300 }, (_, nth) => `newer ${nth}`);
    await write(
      1,
      ...wanted.map((sourceId) => doc(`of ${sourceId}`, sourceId, 'something else', dayMs)),
      ...own.map((id) => doc(id, 'src_0', 'quokka', 2 * dayMs)),
      ...newer.map((id) => doc(id, 'src_common', 'quokka', 3 * dayMs)),
    );
    await indexes.close();
    const db = openDatabase({
      file: generationFile(folder.path, 1),
      kind: 'search',
      synchronous: 'NORMAL',
      readonly: true,
    });
    const sources = createSourceOrdinals(db);
    sources.follow();
    const filter = { ...everything, sources: { in: new Set(wanted) } };
    const words = { tokens: ['quokka'], isPrefix: false };
    const query = { kind: 'release', words, filter, limit: 20, inAnyOrder: true } as const;
    const hits = createWordSearch(db, sources, { bounds }).search(query);
    expect(hits.map(({ id }) => id).sort()).toEqual(own.sort());
    db.close();
    folder.remove();
  });
});
