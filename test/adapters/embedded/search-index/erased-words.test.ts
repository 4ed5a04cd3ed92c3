import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { createEmbeddedVectorStore } from '../../../../src/adapters/embedded/search-index/vector-store.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import {
  type SearchChange,
  type SearchIndexes,
  type SearchKind,
  searchKinds,
} from '../../../../src/ports/search-index.ts';
import { documentOf, openIndex, putOf, towards, vectorsOf } from '../../../spec/search-index/harness.ts';
import { createSeeded } from '../../../spec/seeded.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

/** SQLite leaves out what a word has in common with the one before it, so only its end is sure to stand in a file. */
const secretOf = (number: number, version: number): string =>
  createHash('sha256').update(`${number} ${version}`).digest('hex').slice(0, 24);
const endOf = (secret: string): string => secret.slice(6);

describe('the words of deleted and overwritten documents', () => {
  let folder: TempFolder;
  let indexes: SearchIndexes;
  beforeEach(async () => {
    folder = createTempFolder();
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
  });
  afterEach(async () => {
    await indexes.close();
    folder.remove();
  });

  const filesHold = (bytes: string): boolean => {
    const search = join(folder.path, 'search');
    return readdirSync(search).some((name) => readFileSync(join(search, name), 'latin1').includes(bytes));
  };

  it.each([1, 2])('are in no file after a scrub, whatever was written before (seed %i)', async (seed) => {
    const random = createSeeded(seed);
    const { index, write, find } = await openIndex(indexes);
    const live = new Map<string, string>();
    const everHeld = new Set<string>();
    for (let position = 1; position <= 12; position += 1) {
      const changes = Array.from({ length: 30 }, (): SearchChange => {
        const number = random.int(1, 80);
        const id = `doc ${number}`;
        if (live.has(id) && random.chance(40)) {
          live.delete(id);
          return { kind: 'delete', index: 'release', position, id };
        }
        const secret = secretOf(number, position);
        live.set(id, secret);
        everHeld.add(secret);
        const body = `${secret} ${'other words '.repeat(random.int(0, 60))}`;
        return putOf('release', position, documentOf(id, { body, publishedMs: random.int(0, 2) * 86_400_000 }));
      });
      await write(position, ...changes);
      await index.scrub();
      const onDisk = [...everHeld].filter((secret) => filesHold(endOf(secret)));
      expect(onDisk.sort()).toEqual([...live.values()].sort());
      for (const [id, secret] of live) expect(await find(secret)).toEqual([id]);
    }
    expect(live.size).toBeGreaterThan(10);
  });

  it('are still in a file before the scrub, so that the look above would see them', async () => {
    const { write } = await openIndex(indexes);
    await write(1, putOf('release', 1, documentOf('one', { body: secretOf(7, 1) })));
    await write(2, { kind: 'delete', index: 'release', position: 2, id: 'one' });
    expect(filesHold(endOf(secretOf(7, 1)))).toBe(true);
  });

  it('are in no file after a scrub of any kind of document, also if they went while another one ran', async () => {
    const { write, index } = await openIndex(indexes);
    for (const kind of searchKinds) await write(null, putOf(kind, 1, documentOf('one', { body: secretOf(1, 1) })));
    for (const kind of searchKinds) await write(null, putOf(kind, 1, documentOf('two', { body: secretOf(2, 1) })));
    const remove = (id: string) =>
      write(null, ...searchKinds.map((kind) => ({ kind: 'delete', index: kind, position: 2, id }) as const));
    await remove('one');
    await Promise.all([index.scrub(), remove('two')]);
    await index.scrub();
    expect([filesHold(endOf(secretOf(1, 1))), filesHold(endOf(secretOf(2, 1)))]).toEqual([false, false]);
  });

  it('are scrubbed without writing anew the words of other kinds', async () => {
    const { write, index } = await openIndex(indexes);
    for (let position = 1; position <= 3; position += 1) {
      const doc = documentOf(`doc ${position}`, { body: secretOf(position, 1) });
      await write(position, putOf('release', position, doc), putOf('chunk', position, doc));
    }
    const partsOf = (kind: SearchKind): number[] => {
      const db = new Sqlite(join(folder.path, 'search', 'g1.sqlite'), { readonly: true });
      const parts = db.prepare(`SELECT DISTINCT segid FROM words_${kind}_idx ORDER BY segid`).pluck().all() as number[];
      db.close();
      return parts;
    };
    const before = partsOf('chunk');
    expect(before.length).toBeGreaterThan(1);
    await write(4, { kind: 'delete', index: 'release', position: 4, id: 'doc 2' });
    await index.scrub();
    expect([partsOf('release').length, partsOf('chunk')]).toEqual([1, before]);
    expect(filesHold(endOf(secretOf(2, 1)))).toBe(true); // of the chunk
  });

  it('have their vectors forgotten with them', async () => {
    const { write, index } = await openIndex(indexes);
    const vector = towards(0).map((_, axis) => (axis % 7) - 3);
    await write(1, putOf('release', 1, documentOf('one')), vectorsOf('release', 1, 'one', vector));
    const store = createEmbeddedVectorStore(folder.path);
    await store.put('model', [{ textHash: 'a-hash', vector }]);
    const stretch = Buffer.from(Int8Array.of(-127, -85, -42, 0, 42, 85, 127, -127)).toString('latin1');
    expect(filesHold(stretch)).toBe(true);
    await write(2, { kind: 'delete', index: 'release', position: 2, id: 'one' });
    await index.scrub();
    await store.forget([{ holder: 'a', textHashes: [], formerHashes: ['a-hash'] }]);
    expect(filesHold(stretch)).toBe(false);
    await store.close();
  });
});
