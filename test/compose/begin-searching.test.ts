import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { beginSearching } from '../../src/compose/begin-searching.ts';
import { IndexUnavailable, VectorsUnavailable } from '../../src/ports/search-index.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { documentOf, nearList, openIndex, putOf, towards, vectorsOf, wordsList } from '../spec/search-index/harness.ts';
import { spoilPagesOf } from '../spec/search-index/spoiled-pages.ts';
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
  const clock = createFakeClock();
  const { search } = beginSearching({
    stores: { openSearch: async () => indexes, shareOpsWriter: () => null },
    backends: { dataDir: folder.path },
    embedding: undefined,
    roles: ['http'],
    logLevel: 'silent',
    supervision: {
      clock,
      log,
      onFatal: (error) => {
        throw error;
      },
    },
    holder: 'test',
    catalogueLoaded: Promise.resolve(),
    isClosing: () => false,
    onStarted: () => {},
  });
  return { search, log, clock, file: join(folder.path, 'search', 'g1.sqlite') };
}

/** So long nothing may fail before an outage is said to be over. */
const steadyMs = 10_000;

it('tells once when vectors cannot be searched and once when they can be again, however many search', async () => {
  const { search, log, clock, file } = await beginSearchingOne();
  const both = async () => (await search.index())!.search([wordsList('quokka'), nearList(towards(0))]);
  const isSearched = () =>
    both().then(
      () => true,
      (error: unknown) => {
        if (error instanceof VectorsUnavailable) return false;
        throw error;
      },
    );
  const spoiled = spoilPagesOf(file, 'vectors_release');
  for (let request = 0; request < 4; request += 1) expect(await isSearched()).toBe(false);
  expect((await (await search.index())!.search([wordsList('quokka')]))[0]!.hits).toHaveLength(1);
  const begun = { level: 'warn', sentence: 'vectors cannot be searched; searches find by words alone meanwhile' };
  expect(log.lines).toEqual([begun]);
  spoiled.mend();
  clock.advance(steadyMs);
  for (let request = 0; request < 3; request += 1) expect(await isSearched()).toBe(true);
  expect(log.lines).toEqual([begun, { level: 'info', sentence: 'vectors can be searched again' }]);
});

it('tells once when nothing of the index can be asked and once when it can be again, however many search', async () => {
  const { search, log, clock, file } = await beginSearchingOne();
  const byWords = async () => (await search.index())!.search([wordsList('quokka')]);
  const spoiled = spoilPagesOf(file, 'docs_release');
  for (let request = 0; request < 3; request += 1) await expect(byWords()).rejects.toThrow(IndexUnavailable);
  const begun = { level: 'warn', sentence: 'the search index cannot be asked; only names are found meanwhile' };
  expect(log.lines).toEqual([begun]);
  spoiled.mend();
  clock.advance(steadyMs);
  for (let request = 0; request < 3; request += 1) expect((await byWords())[0]!.hits).toHaveLength(1);
  expect(log.lines).toEqual([begun, { level: 'info', sentence: 'the search index can be asked again' }]);
});
