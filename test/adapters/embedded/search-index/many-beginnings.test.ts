import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generationFile } from '../../../../src/adapters/embedded/search-index/file.ts';
import { hasManyBeginnings } from '../../../../src/adapters/embedded/search-index/many-beginnings.ts';
import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createSourceOrdinals } from '../../../../src/adapters/embedded/search-index/source-ordinals.ts';
import { createWordSearch } from '../../../../src/adapters/embedded/search-index/word-list.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { SearchIndexes, SearchList } from '../../../../src/ports/search-index.ts';
import { documentOf, openIndex, type OpenedIndex, putOf, wordsList } from '../../../spec/search-index/harness.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const beginnings = letters.flatMap((first) => ['a', 'o'].map((second) => `${first}${second}`));
/** Each begins so many words that to look for all beginnings takes a while. */
const body = beginnings.flatMap((begun) => letters.map((letter) => `${begun}${letter}`)).join(' ');

describe('a query of many beginnings of words', () => {
  let folder: TempFolder;
  let indexes: SearchIndexes;
  let opened: OpenedIndex;

  beforeAll(async () => {
    folder = createTempFolder();
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    opened = await openIndex(indexes);
    const ids = Array.from({ length: 200 }, (_, number) => `doc ${number}`);
    await opened.write(1, ...ids.map((id) => putOf('release', 1, documentOf(id, { title: 'quokka', body }))));
    await opened.find('quokka'); // its thread is there
  });
  afterAll(async () => {
    await indexes.close();
    folder.remove();
  });

  const all = wordsList(beginnings.join(' '), { isPrefix: true });
  const matchingAll = () => opened.index.matching('release', ['doc 7'], { tokens: beginnings, isPrefix: true });

  it.each([
    ['looked for', async () => (await opened.index.search([all]))[0]!.hits.length, 50],
    ['looked for in some documents', async () => (await matchingAll()).size, 1],
  ])('that is %s holds up nobody who looks for a word', async (_, lookForAll, found) => {
    const answered: string[] = [];
    const long = lookForAll().then((count) => {
      answered.push('beginnings');
      return count;
    });
    expect(await opened.find('quokka', { limit: 1 })).toHaveLength(1);
    answered.push('word');
    expect(await long).toBe(found);
    expect(answered).toEqual(['word', 'beginnings']);
  });

  it.each([
    ['s', true],
    ['st', false],
    ['sta ble', false],
    ['sta b', true],
  ])('is one with a single character, which begins as many words (%s)', (typed, isMany) => {
    expect(hasManyBeginnings({ tokens: typed.split(' '), isPrefix: true })).toBe(isMany);
  });

  it('is looked through once where any order will do, and counted nowhere', () => {
    const asked: string[] = [];
    const verbose = (sql?: unknown) => {
      if (/ MATCH /.test(String(sql))) asked.push(String(sql));
    };
    const db = new Sqlite(generationFile(folder.path, 1), { readonly: true, verbose });
    const sources = createSourceOrdinals(db);
    sources.follow();
    const counted: string[] = [];
    const counts = { of: (_: string, match: string) => counted.push(match) };
    const search = (list: SearchList) => {
      if (!('words' in list)) throw new Error('it has no words');
      return createWordSearch(db, sources, { counts }).search(list);
    };
    const few = { isPrefix: true, filter: { sources: { in: new Set(['src_a']) } }, limit: 500 };
    for (const options of [few, { ...few, filter: {} }]) {
      asked.length = 0;
      expect(search({ ...wordsList('aa ao', options), inAnyOrder: true })).toHaveLength(200);
      expect([counted, asked.length]).toEqual([[], 1]);
    }
    expect(search(wordsList('aa ao', few))).toHaveLength(200);
    expect(counted).toHaveLength(2);
    db.close();
  });
});
