import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { IndexUnavailable, type SearchIndexes, VectorsUnavailable } from '../../../../src/ports/search-index.ts';
import { eventually } from '../../../spec/eventually.ts';
import {
  documentOf,
  nearList,
  openIndex,
  putOf,
  towards,
  vectorSpace,
  vectorsOf,
  wordsList,
} from '../../../spec/search-index/harness.ts';
import { spoilPagesOf } from '../../../spec/search-index/spoiled-pages.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('files of the embedded search index', () => {
  let folder: TempFolder;
  let indexes: SearchIndexes;
  const file = (generation: number) => join(folder.path, 'search', `g${generation}.sqlite`);

  beforeEach(async () => {
    folder = createTempFolder();
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
  });
  afterEach(async () => {
    await indexes.close();
    folder.remove();
  });

  it.each(['vectors_release', 'codes_release(change)'])(
    'answer by words while %s cannot be read, and by vectors again',
    async (table) => {
      const { index, write, ids, find, findNear } = await openIndex(indexes);
      await write(
        1,
        putOf('release', 1, documentOf('one', { title: 'quokka' })),
        vectorsOf('release', 1, 'one', towards(0)),
      );
      const both = () => ids(wordsList('quokka'), nearList(towards(0)));
      expect(await both()).toEqual([['one'], ['one']]);
      const spoiled = spoilPagesOf(file(1), table);
      await expect(both()).rejects.toThrow(VectorsUnavailable);
      await expect(findNear(towards(0))).rejects.toThrow(VectorsUnavailable);
      if (table === 'vectors_release') {
        await expect(index.vectorsOf('release', 'one', vectorSpace)).rejects.toThrow(VectorsUnavailable);
      }
      expect(await find('quokka')).toEqual(['one']);
      spoiled.mend();
      await eventually('vectors are searched again', () =>
        both().then(
          () => true,
          (error) => {
            if (error instanceof VectorsUnavailable) return false;
            throw error;
          },
        ),
      );
      expect(await both()).toEqual([['one'], ['one']]);
    },
  );

  it('answer by words though their codes cannot be read from the beginning', async () => {
    const { write } = await openIndex(indexes);
    const put = putOf('release', 1, documentOf('one', { title: 'quokka' }));
    await write(1, put, vectorsOf('release', 1, 'one', towards(0)));
    await indexes.close();
    spoilPagesOf(file(1), 'codes_release(change)');
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    const index = await indexes.open(1);
    const found = await index.search([wordsList('quokka')]);
    expect(found.map(({ hits }) => hits.map(({ id }) => id))).toEqual([['one']]);
    await expect(index.search([nearList(towards(0))])).rejects.toThrow(VectorsUnavailable);
    expect((await index.search([wordsList('quokka')]))[0]!.hits).toHaveLength(1);
  });

  it('that cannot be read as a whole are said to be so, until they can be', async () => {
    const { index, write, find } = await openIndex(indexes);
    await write(1, putOf('release', 1, documentOf('one', { title: 'quokka' })));
    const matching = () => index.matching('release', ['one'], { tokens: ['quokka'], isPrefix: false });
    const spoiled = spoilPagesOf(file(1), 'docs_release');
    await expect(find('quokka')).rejects.toThrow(IndexUnavailable);
    await expect(matching()).rejects.toThrow(IndexUnavailable);
    spoiled.mend();
    expect([await find('quokka'), [...(await matching())]]).toEqual([['one'], ['one']]);
  });

  it('that cannot be opened at all are said to be so, until they can be', async () => {
    const { write } = await openIndex(indexes);
    await write(1, putOf('release', 1, documentOf('one', { title: 'quokka' })));
    await indexes.close();
    const whole = readFileSync(file(1));
    writeFileSync(file(1), 'something else');
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    await expect(indexes.open(1)).rejects.toThrow(IndexUnavailable);
    await expect(indexes.open(1)).rejects.toThrow(/g1\.sqlite is/);
    writeFileSync(file(1), whole);
    const [found] = await (await indexes.open(1)).search([wordsList('quokka')]);
    expect(found!.hits).toHaveLength(1);
  });

  it('that do not tell which one is live are said to be so, until they do', async () => {
    await openIndex(indexes);
    await indexes.switchPointer(null, 1);
    const spoiled = spoilPagesOf(join(folder.path, 'search', 'pointers.sqlite'), 'pointer', 'identity');
    await expect(indexes.pointer()).rejects.toThrow(IndexUnavailable);
    spoiled.mend();
    expect(await indexes.pointer()).toBe(1);
  });

  it('that can be read are not blamed for a statement that is wrong', async () => {
    const { index, find, findNear } = await openIndex(indexes);
    const db = new Sqlite(file(1));
    db.exec('ALTER TABLE docs_release RENAME TO away; ALTER TABLE vectors_release RENAME TO away_too');
    db.close();
    const slip = { name: 'SqliteError', code: 'SQLITE_ERROR' };
    await expect(find('quokka')).rejects.toMatchObject(slip);
    await expect(findNear(towards(0))).rejects.toMatchObject(slip);
    await expect(index.vectorsOf('release', 'one', vectorSpace)).rejects.toMatchObject(slip);
  });

  it('that cannot be opened anew are said to be away', async () => {
    const { write, findNear } = await openIndex(indexes);
    await write(1, putOf('release', 1, documentOf('one')), vectorsOf('release', 1, 'one', towards(0)));
    expect(await findNear(towards(0))).toEqual(['one']);
    spoilPagesOf(file(1), 'codes_release(change)'); // ends the thread that follows them
    writeFileSync(file(1), 'something else');
    const reason = () => findNear(towards(0)).catch((error: Error) => `${error.name}: ${error.message}`);
    await eventually('another thread has looked', async () =>
      /^VectorsUnavailable: .*g1\.sqlite is/.test(String(await reason())),
    );
  });
});
