import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { undivided } from '../../../../src/adapters/embedded/search-index/codes/code-parts.ts';
import { openForSearching } from '../../../../src/adapters/embedded/search-index/file.ts';
import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { type NearList, searchLists } from '../../../../src/adapters/embedded/search-index/search-lists.ts';
import { createSearcher } from '../../../../src/adapters/embedded/search-index/searcher.ts';
import type { Database } from '../../../../src/adapters/embedded/sqlite/open-database.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { ThreadEnded } from '../../../../src/adapters/threads/thread.ts';
import { type SearchIndexes, type SearchList, VectorsUnavailable } from '../../../../src/ports/search-index.ts';
import { eventually } from '../../../spec/eventually.ts';
import { createChildProcesses } from '../../../spec/processes/child-processes.ts';
import {
  documentOf,
  nearList,
  openIndex,
  type OpenedIndex,
  putOf,
  towards,
  vectorsOf,
  wordsList,
} from '../../../spec/search-index/harness.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('files of the embedded search index', () => {
  let folder: TempFolder;
  let indexes: SearchIndexes;
  const children = createChildProcesses();
  const open = () => createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
  const files = () => readdirSync(join(folder.path, 'search')).sort();
  const file = (generation: number) => join(folder.path, 'search', `g${generation}.sqlite`);

  beforeEach(async () => {
    folder = createTempFolder();
    indexes = await open();
  });
  afterEach(async () => {
    await children.killAll();
    await indexes.close();
    folder.remove();
  });

  it('are one for each generation, and gone after a drop', async () => {
    for (const generation of [1, 12]) await indexes.open(generation);
    await indexes.drop(1);
    await indexes.close();
    expect(files()).toEqual(['g12.sqlite', 'pointers.sqlite']);
  });

  it.runIf(existsSync('/proc/self/fd'))('are let go of by all who have them open when they are dropped', async () => {
    const targetOf = (fd: string): string => {
      try {
        return readlinkSync(join('/proc/self/fd', fd));
      } catch {
        return ''; // it was closed while it was looked at
      }
    };
    const openFiles = () => readdirSync('/proc/self/fd').filter((fd) => targetOf(fd).includes(file(1)));
    const others = [
      await open(),
      await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock, holdsVectors: false }),
    ];
    for (const each of others) await (await each.open(1)).checkpoint();
    expect(openFiles()).not.toEqual([]);
    await indexes.open(1);
    await indexes.drop(1);
    await eventually('nobody has it open', () => openFiles().length === 0);
    for (const each of others) await each.close();
  });

  it('of which a drop was interrupted can be switched to by nobody, and are made anew', async () => {
    const { putAll } = await openIndex(indexes);
    await putAll(1, [documentOf('one', { title: 'quokka' })]);
    await indexes.close();
    const db = new Sqlite(file(1));
    db.exec('UPDATE state SET is_dropped = 1');
    db.close();
    indexes = await open();
    expect(await indexes.switchPointer(null, 1)).toBe(false);
    const { find, index } = await openIndex(indexes);
    expect(await find('quokka')).toEqual([]);
    expect(await index.checkpoint()).toBe(0);
  });

  it('are followed while another process writes, and whole when it is killed', async () => {
    const { child, lines } = children.run(import.meta.url, 'search-writer-child', folder.path);
    let told = 0;
    lines.on('line', (line) => {
      told = Number(line);
    });
    await eventually('the other process writes', () => told >= 20);
    const index = await indexes.open(1);
    const look = async () => {
      const before = told;
      const near = Array.from({ length: 10 }, (_, number) => nearList(towards(number), { limit: 1 }));
      const [words, ...nearest] = await index.search([wordsList('quokka'), ...near]);
      expect(words!.hits).toHaveLength(10);
      expect(nearest.map(({ hits }) => hits[0]?.id)).toEqual(near.map((_, number) => `doc ${number}`));
      expect(await index.checkpoint()).toBeGreaterThanOrEqual(before);
    };
    for (let round = 0; round < 10; round += 1) {
      const seen = told;
      await look();
      await eventually('the other process goes on', () => told > seen);
    }
    await children.kill(child);
    await look();
    const checkpoint = await index.checkpoint();
    expect(checkpoint).toBeGreaterThanOrEqual(told);
    await indexes.close();
    indexes = await open();
    const again = await indexes.open(1);
    const [last] = await again.search([wordsList(`number${checkpoint}`)]);
    expect(last!.hits.map(({ id }) => id)).toEqual([`doc ${checkpoint % 10}`]);
    const lease = await again.leases.acquire('other', 'test', 1_000);
    const position = checkpoint + 1;
    const changes = [putOf('release', position, documentOf('new', { title: 'wombat' }))];
    expect(await again.write({ changes, position, lease: lease! })).toBe('written');
    expect((await again.search([wordsList('wombat')]))[0]!.hits).toHaveLength(1);
  });

  const manyDocs = 12_000;
  const fillMany = async ({ write }: OpenedIndex) => {
    for (let from = 0; from < manyDocs; from += 500) {
      const numbers = Array.from({ length: 500 }, (_, number) => from + number);
      const puts = numbers.map((number) => putOf('release', 1, documentOf(`doc ${number}`, { title: 'quokka' })));
      const vectors = numbers.map((number) => vectorsOf('release', 1, `doc ${number}`, towards(number % 30, 0.2)));
      await write(from === 0 ? 1 : null, ...puts, ...vectors);
    }
  };

  it('answer by vectors soon after they are opened', async () => {
    await fillMany(await openIndex(indexes));
    await indexes.close();
    indexes = await open();
    const index = await indexes.open(1);
    let found: readonly { id: string }[] = [];
    await eventually('the vectors are loaded', async () => {
      try {
        found = (await index.search([nearList(towards(3, 0.2), { limit: 20 })]))[0]!.hits;
        return true;
      } catch (error) {
        if (error instanceof VectorsUnavailable) return false;
        throw error;
      }
    });
    expect(found.map(({ id }) => Number(id.slice(4)) % 30)).toEqual(new Array(20).fill(3));
  });

  it('answer by words before their vectors are loaded, and by vectors from then on', async () => {
    await fillMany(await openIndex(indexes));
    await indexes.close();
    const searcher = createSearcher(openForSearching(file(1)) as Database, undivided);
    const [words, near] = [wordsList('quokka'), nearList(towards(3, 0.2), { limit: 20 })];
    expect(() => searcher.search([near])).toThrow(VectorsUnavailable);
    expect(searcher.search([words]).answer[0]!.hits).toHaveLength(50);
    expect(() => searcher.search([words, near])).toThrow(VectorsUnavailable);
    await searcher.followCodes();
    expect(searcher.search([near]).answer[0]!.hits).toHaveLength(20);
    searcher.close();
    indexes = await open();
  });

  it('are read as of one moment, though words and vectors are looked for apart', async () => {
    const { write } = await openIndex(indexes);
    const add = (position: number, id: string) =>
      write(
        position,
        putOf('release', position, documentOf(id, { title: 'quokka' })),
        vectorsOf('release', position, id, towards(3)),
      );
    await add(1, 'before');
    const [byWords, byVectors] = [file(1), file(1)].map((path) =>
      createSearcher(openForSearching(path) as Database, undivided),
    );
    const lists = [nearList(towards(3)), wordsList('quokka'), nearList(towards(3), { limit: 1 })];
    const idsOf = async (words: () => Promise<unknown>) => {
      const searchers = {
        words: async (asked: readonly SearchList[]) => words().then(() => byWords!.search(asked)),
        near: async (asked: readonly SearchList[]) => byVectors!.search(asked),
        parts: [],
        mayDivide: () => false,
      };
      return (await searchLists(searchers, lists)).map(({ hits }) => hits.map(({ id }) => id).sort());
    };
    expect(await idsOf(async () => undefined)).toEqual([['before'], ['before'], ['before']]);
    expect(await idsOf(() => add(2, 'amid'))).toEqual([['amid', 'before'], ['amid', 'before'], [expect.any(String)]]);
    for (const searcher of [byWords!, byVectors!]) searcher.close();
  });

  it('are read as of one moment, though each half of the vectors is looked through apart', async () => {
    const { write } = await openIndex(indexes);
    const add = (position: number, id: string) =>
      write(position, putOf('release', position, documentOf(id)), vectorsOf('release', position, id, towards(3)));
    await add(1, 'first');
    await add(2, 'second');
    const searcherOf = (...held: readonly number[]) =>
      createSearcher(openForSearching(file(1)) as Database, { count: 2, held });
    const [all, second] = [searcherOf(0, 1), searcherOf(1)];
    const askedOf: string[] = [];
    let isFree = true;
    const idsOf = async (lists: readonly SearchList[], before: () => Promise<unknown>) => {
      const searchers = {
        mayDivide: () => isFree,
        words: async (asked: readonly SearchList[]) => second.search(asked),
        near: async (asked: readonly SearchList[]) => {
          askedOf.push('all');
          return all.search(asked);
        },
        parts: [
          async (asked: readonly NearList[]) => all.searchPart(asked, 0),
          async (asked: readonly NearList[]) => before().then(() => second.searchPart(asked, 1)),
        ],
      };
      return (await searchLists(searchers, lists)).map(({ hits }) => hits.map(({ id }) => id));
    };
    const lists = [nearList(towards(3)), nearList(towards(3), { limit: 1 })];
    expect(await idsOf(lists, async () => undefined)).toEqual([['first', 'second'], ['first']]);
    expect(askedOf).toEqual([]);
    expect(await idsOf(lists, () => add(3, 'amid'))).toEqual([['first', 'second', 'amid'], ['first']]);
    expect(askedOf).toEqual(['all']);
    const failing = (error: Error) => idsOf(lists, async () => Promise.reject(error));
    const all3 = [['first', 'second', 'amid'], ['first']];
    expect(await failing(new VectorsUnavailable('They are being loaded.'))).toEqual(all3);
    expect(await failing(new ThreadEnded('It ended.'))).toEqual(all3);
    expect(askedOf).toEqual(['all', 'all', 'all']);
    await expect(failing(new TypeError('a slip'))).rejects.toThrow('a slip');
    isFree = false;
    expect(await failing(new Error('who has other work is asked'))).toEqual(all3);
    expect(askedOf).toEqual(['all', 'all', 'all', 'all']);
    expect(() => second.search(lists)).toThrow('holds a part');
    for (const searcher of [all, second]) searcher.close();
  });

  it('rank the newest of more than 5,000 matches, and find any by a further word', async () => {
    const { write, find } = await openIndex(indexes);
    const dayMs = 86_400_000;
    const docOf = (number: number) =>
      documentOf(`doc ${number}`, {
        // The best match of all is the oldest one.
        title: number === 0 ? 'quokka first' : 'a release',
        body: number === 0 ? '' : 'quokka and much else',
        publishedMs: number * dayMs,
      });
    for (let from = 0; from < 6_000; from += 1_000) {
      const numbers = Array.from({ length: 1_000 }, (_, number) => from + number);
      await write(from / 1_000 + 1, ...numbers.map((number) => putOf('release', from / 1_000 + 1, docOf(number))));
    }
    const found = await find('quokka', { limit: 3 });
    expect(found).toEqual(['doc 5999', 'doc 5998', 'doc 5997']);
    expect(await find('quokka first')).toEqual(['doc 0']);
    expect(await find('quokka', { limit: 3, filter: { toMs: 900 * dayMs } })).toEqual(['doc 0', 'doc 900', 'doc 899']);
  });

  it('use their space again: documents that come and go take no more than a few times once', async () => {
    const { write, index } = await openIndex(indexes);
    const round = async (position: number) => {
      const ids = Array.from({ length: 20 }, (_, number) => `doc ${position} ${number}`);
      const gone = Array.from({ length: 20 }, (_, number) => `doc ${position - 1} ${number}`);
      await write(
        position,
        ...gone.map((id) => ({ kind: 'delete', index: 'chunk', position, id }) as const),
        ...ids.map((id) => putOf('chunk', position, documentOf(id, { body: 'quokka leaps' }))),
        ...ids.map((id) => vectorsOf('chunk', position, id, towards(1))),
      );
    };
    for (let position = 1; position <= 40; position += 1) await round(position);
    expect(await index.count('chunk')).toBe(20);
    const db = new Sqlite(file(1), { readonly: true });
    const highest = db.prepare('SELECT max(ordinal) FROM codes_chunk').pluck().get();
    db.close();
    expect(highest).toBeLessThanOrEqual(40);
  });
});
