import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { beginSearching } from '../../src/compose/begin-searching.ts';
import { IndexUnavailable, VectorsUnavailable } from '../../src/ports/search-index.ts';
import { eventually } from '../spec/eventually.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { documentOf, nearList, openIndex, putOf, towards, vectorsOf, wordsList } from '../spec/search-index/harness.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

/** The index of a process that only answers requests, whose file has one release. */
async function beginSearchingOne() {
  const folder = createTempFolder();
  const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
  onTestFinished(async () => {
    await indexes.close();
    folder.remove();
  });
  const { write } = await openIndex(indexes);
  await indexes.switchPointer(null, 1);
  await write(
    1,
    putOf('release', 1, documentOf('one', { title: 'quokka' })),
    vectorsOf('release', 1, 'one', towards(0)),
  );
  const log = createKeptLog();
  const { search } = beginSearching({
    stores: { openSearch: async () => indexes, shareOpsWriter: () => null },
    backends: { dataDir: folder.path },
    embedding: undefined,
    roles: ['http'],
    logLevel: 'silent',
    supervision: {
      clock: systemClock,
      log,
      onFatal: (error) => {
        throw error;
      },
    },
    holder: 'test',
    isClosing: () => false,
    onStarted: () => {},
  });
  const db = new Sqlite(join(folder.path, 'search', 'g1.sqlite'));
  return { search, log, db };
}

it('tells once when vectors cannot be searched and once when they can be again, however many search', async () => {
  const { search, log, db } = await beginSearchingOne();
  const both = async () => (await search.index())!.search([wordsList('quokka'), nearList(towards(0))]);
  const isSearched = () =>
    both().then(
      () => true,
      (error: unknown) => {
        if (error instanceof VectorsUnavailable) return false;
        throw error;
      },
    );
  db.exec('ALTER TABLE vectors_release RENAME TO away');
  for (let request = 0; request < 4; request += 1) expect(await isSearched()).toBe(false);
  expect((await (await search.index())!.search([wordsList('quokka')]))[0]!.hits).toHaveLength(1);
  const begun = { level: 'warn', sentence: 'vectors cannot be searched; searches find by words alone meanwhile' };
  expect(log.lines).toEqual([begun]);
  db.exec('ALTER TABLE away RENAME TO vectors_release');
  db.close();
  await eventually('vectors are searched again', isSearched);
  expect(log.lines).toEqual([begun, { level: 'info', sentence: 'vectors can be searched again' }]);
});

it('tells once when nothing of the index can be asked and once when it can be again, however many search', async () => {
  const { search, log, db } = await beginSearchingOne();
  const byWords = async () => (await search.index())!.search([wordsList('quokka')]);
  db.exec('ALTER TABLE docs_release RENAME TO away');
  for (let request = 0; request < 3; request += 1) await expect(byWords()).rejects.toThrow(IndexUnavailable);
  const begun = { level: 'warn', sentence: 'the search index cannot be asked; only names are found meanwhile' };
  expect(log.lines).toEqual([begun]);
  db.exec('ALTER TABLE away RENAME TO docs_release');
  db.close();
  for (let request = 0; request < 3; request += 1) expect((await byWords())[0]!.hits).toHaveLength(1);
  expect(log.lines).toEqual([begun, { level: 'info', sentence: 'the search index can be asked again' }]);
});
