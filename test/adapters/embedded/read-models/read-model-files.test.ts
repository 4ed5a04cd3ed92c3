import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/adapters/embedded/sqlite/open-database.ts';
import { markDropped } from '../../../../src/adapters/embedded/read-models/file.ts';
import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import { put, remove } from '../../../../src/kernel/projection.ts';
import { StartupError } from '../../../../src/kernel/startup-error.ts';
import type { ReadModels } from '../../../../src/ports/read-models.ts';
import { openThings, type Thing, thing, thingIndexes } from '../../../contract/read-models/harness.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('files of the embedded read models', () => {
  const clock = createFakeClock();
  let folder: TempFolder;
  let models: ReadModels;
  const files = () => readdirSync(join(folder.path, 'read')).sort();

  beforeEach(async () => {
    folder = createTempFolder();
    models = await createEmbeddedReadModels({ folder: folder.path, clock });
  });
  afterEach(async () => {
    await models.close();
    folder.remove();
  });

  it('are one for each generation, and gone after a drop', async () => {
    await openThings(models, { generation: 1 });
    await openThings(models, { generation: 12 });
    await models.drop('things', 1);
    await models.close();
    expect(files()).toEqual(['passed.sqlite', 'pointers.sqlite', 'things.g12.sqlite']);
  });

  it('are read but neither made nor written by a reader', async () => {
    const { model, write } = await openThings(models);
    await write(1, put(thing('a')));
    const reader = await createEmbeddedReadModels({ folder: folder.path, clock, readonly: true });
    const seen = await reader.open<Thing>(model.declaration);
    await write(2, put(thing('b')));
    expect(await seen.get(['a', 'b'])).toEqual([thing('a'), thing('b')]);
    await expect(seen.leases.acquire('other', 'reader', 1000)).rejects.toThrow(/readonly/);
    const missing = { name: 'things', generation: 2, indexes: thingIndexes };
    await expect(reader.open(missing)).rejects.toThrow(StartupError);
    await expect(reader.switchPointers([{ name: 'things', expected: null, generation: 1 }])).rejects.toThrow(
      /readonly/,
    );
    await expect(reader.drop('things', 1)).rejects.toThrow(/readonly/);
    expect(await models.generations('things')).toEqual([1]);
    await reader.close();
  });

  it('are told apart when a drop was interrupted, which is then ended', async () => {
    await openThings(models);
    await models.close();
    const file = join(folder.path, 'read', 'things.g1.sqlite');
    const db = openDatabase({ file, kind: 'read', synchronous: 'NORMAL' });
    markDropped(db);
    db.close();
    models = await createEmbeddedReadModels({ folder: folder.path, clock });
    await expect(openThings(models)).rejects.toThrow(/try again/);
    expect(await (await openThings(models)).ids()).toEqual([]);
  });

  it('that are being dropped can be switched to by nobody, also when the drop was interrupted', async () => {
    const { model, lease } = await openThings(models);
    await model.leases.renew(lease, 1);
    clock.advance(1);
    const rival = new Sqlite(join(folder.path, 'read', 'pointers.sqlite'), { timeout: 0 });
    const whileMarked: string[] = [];
    const nowMs = () => {
      try {
        rival.exec('BEGIN IMMEDIATE');
        rival.exec('ROLLBACK');
        whileMarked.push('free');
      } catch (error) {
        whileMarked.push((error as { code: string }).code);
      }
      return clock.nowMs();
    };
    const other = await createEmbeddedReadModels({ folder: folder.path, clock: { ...clock, nowMs } });
    expect(await other.dropAbandoned('things', 1, 0)).toBe(true);
    expect(whileMarked.at(-1)).toBe('SQLITE_BUSY');
    await other.close();
    rival.close();

    await openThings(models, { generation: 2 });
    const file = join(folder.path, 'read', 'things.g2.sqlite');
    const db = openDatabase({ file, kind: 'read', synchronous: 'NORMAL' });
    markDropped(db);
    db.close();
    const switched = await models.switchPointers([{ name: 'things', expected: null, generation: 2 }]);
    expect(switched).toEqual({ name: 'things', reason: 'gone' });
  });

  it('that are just being made are not abandoned', async () => {
    const file = join(folder.path, 'read', 'things.g1.sqlite');
    openDatabase({ file, kind: 'read', synchronous: 'NORMAL' }).close();
    expect(await models.dropAbandoned('things', 1, 0)).toBe(false);
    expect(files()).toContain('things.g1.sqlite');
  });

  it('that were dropped only half way are abandoned', async () => {
    const { model } = await openThings(models);
    await model.leases.acquire('feed', 'somebody', 1_000);
    const file = join(folder.path, 'read', 'things.g1.sqlite');
    const db = openDatabase({ file, kind: 'read', synchronous: 'NORMAL' });
    markDropped(db);
    db.close();
    expect(await models.dropAbandoned('things', 1, 60_000)).toBe(true);
    expect(await models.generations('things')).toEqual([]);
  });

  it('are a few times as large as documents that grow by and by, whose old rows are too small for anybody', async () => {
    const { write } = await openThings(models);
    const ids = Array.from({ length: 30 }, (_, number) => `thing-${number}`);
    let noteBytes = 200;
    for (let position = 1; noteBytes < 20_000; position += 1) {
      noteBytes = Math.ceil(noteBytes * 1.1);
      await write(position, ...ids.map((id) => put(thing(id, { note: 'x'.repeat(noteBytes) }))));
    }
    await models.close();
    const { size } = statSync(join(folder.path, 'read', 'things.g1.sqlite'));
    expect(size / (ids.length * noteBytes)).toBeLessThan(4.5);
  });

  it('use their space again: documents that are written over and over take no more than once', async () => {
    const { write } = await openThings(models);
    // Three sizes in turn, and documents that go and come back.
    const noteOf = (round: number, number: number) => 'x'.repeat(150 + 400 * ((round + number) % 3));
    const writeRounds = async (from: number, to: number): Promise<number> => {
      for (let round = from; round <= to; round += 1) {
        const gone = `thing-${round % 10}`;
        const numbers = Array.from({ length: 10 }, (_, number) => number);
        const puts = numbers.map((number) => put(thing(`thing-${number}`, { note: noteOf(round, number) })));
        await write(round, ...puts, remove(gone));
      }
      await models.scrub();
      return statSync(join(folder.path, 'read', 'things.g1.sqlite')).size;
    };
    const early = await writeRounds(1, 20);
    expect(await writeRounds(21, 400)).toBe(early);
  });

  it('that were made before space was used again are written on', async () => {
    const file = join(folder.path, 'read', 'things.g1.sqlite');
    const before = await openThings(models);
    await before.write(1, put(thing('a', { note: 'old' })));
    await models.close();
    const db = openDatabase({ file, kind: 'read', synchronous: 'NORMAL' });
    db.exec('DROP TABLE free_texts');
    db.exec("UPDATE texts SET body = rtrim(body, ' ')");
    db.close();
    models = await createEmbeddedReadModels({ folder: folder.path, clock });
    const { model, write } = await openThings(models);
    await write(2, put(thing('a', { note: 'new' })));
    expect(await model.get(['a'])).toEqual([thing('a', { note: 'new' })]);
  });

  it('that were made before an index said where a text is are read and written on', async () => {
    const file = join(folder.path, 'read', 'things.g1.sqlite');
    const before = await openThings(models);
    await before.putAll(1, [thing('a', { rank: 1 }), thing('b', { rank: 2, lane: 'm' }), thing('c', { rank: 3 })]);
    await models.close();
    const db = openDatabase({ file, kind: 'read', synchronous: 'NORMAL' });
    db.exec(`
      ALTER TABLE docs RENAME TO later_docs;
      CREATE TABLE docs (id TEXT PRIMARY KEY, position INTEGER NOT NULL, text INTEGER NOT NULL,
        "key_group" NOT NULL DEFAULT -9e999, "key_rank" NOT NULL DEFAULT -9e999, "key_lane" NOT NULL DEFAULT -9e999);
      INSERT INTO docs SELECT id, position, text, key_group, key_rank, key_lane FROM later_docs;
      DROP TABLE later_docs;
      CREATE INDEX "docs(group,rank)" ON docs ("key_group", "key_rank", id);
      CREATE INDEX "docs(group,lane,rank)" ON docs ("key_group", "key_lane", "key_rank", id);
      CREATE INDEX "docs(rank)" ON docs ("key_rank", id);
      CREATE INDEX "docs(position)" ON docs (position, id);`);
    db.close();
    models = await createEmbeddedReadModels({ folder: folder.path, clock });
    const { model, write, ids } = await openThings(models);
    const [a, b, c] = [thing('a', { rank: 4 }), thing('b', { rank: 2, lane: 'm' }), thing('d', { rank: 0 })];
    const ranked = () => model.query({ index: 'byGroup', equals: { group: 'g' }, limit: 10 });
    expect(await model.get(['a', 'c'])).toEqual([thing('a', { rank: 1 }), thing('c', { rank: 3 })]);
    await write(2, put(a), remove('c'), put(c));
    for (let asked = 0; asked < 3; asked += 1) expect(await ranked()).toEqual([c, b, a]);
    await write(3, put({ ...a, note: 'again' }));
    expect(await ranked()).toEqual([c, b, { ...a, note: 'again' }]);
    expect(await ids()).toEqual(['a', 'b', 'd']);
    expect((await model.changedAfter({ position: 1, id: '~' }, 10)).map(({ id }) => id)).toEqual(['c', 'd', 'a']);
  });

  describe('of which a page is damaged', () => {
    const file = () => join(folder.path, 'read', 'things.g1.sqlite');
    const declaration = { name: 'things', generation: 1, indexes: thingIndexes };
    const fill = async (last = thing('last')) => {
      const { putAll, write } = await openThings(models);
      const things = Array.from({ length: 60 }, (_, index) => thing(`thing-${index}`, { note: 'x'.repeat(90_000) }));
      await putAll(1, things);
      await models.scrub();
      await write(2, put(last));
    };
    const damage = (bytes: Buffer) => bytes.fill('garbage', 4096 * 700, 4096 * 701);

    it('are refused after a crash, and nobody stands still for the check', async () => {
      await fill();
      const [data, log] = [readFileSync(file()), readFileSync(`${file()}-wal`)];
      await models.close();
      writeFileSync(file(), damage(data));
      writeFileSync(`${file()}-wal`, log);
      models = await createEmbeddedReadModels({ folder: folder.path, clock });
      let turns = 0;
      const turn = () => {
        turns += 1;
        turning = setImmediate(turn);
      };
      let turning = setImmediate(turn);
      await expect(models.open(declaration)).rejects.toThrow(/things\.g1\.sqlite is damaged/);
      clearImmediate(turning);
      expect(turns).toBeGreaterThan(0);
    });

    it('are refused after a crash that left a long log, which another thread moves', async () => {
      await fill(thing('last', { note: 'x'.repeat(2_000_000) }));
      const [data, log] = [readFileSync(file()), readFileSync(`${file()}-wal`)];
      await models.close();
      writeFileSync(file(), damage(data));
      writeFileSync(`${file()}-wal`, log);
      models = await createEmbeddedReadModels({ folder: folder.path, clock });
      const opening = models.open(declaration);
      expect(statSync(`${file()}-wal`).size).toBe(log.length);
      await expect(opening).rejects.toThrow(/things\.g1\.sqlite is damaged/);
    });

    it.each([
      ['short', thing('last')],
      ['long', thing('last', { note: 'x'.repeat(2_000_000) })],
    ])('are not searched while somebody has them open: a %s log is no crash then', async (_, last) => {
      await fill(last);
      writeFileSync(file(), damage(readFileSync(file())));
      const reader = await createEmbeddedReadModels({ folder: folder.path, clock });
      expect(await (await reader.open<Thing>(declaration)).get(['last'])).toEqual([last]);
      await reader.close();
    });
  });

  it('are scrubbed by another thread, so that a reader of this one who is in the way can end', async () => {
    const { write } = await openThings(models);
    await write(1, put(thing('a')));
    const reader = new Sqlite(join(folder.path, 'read', 'things.g1.sqlite'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM docs').get();
    await write(2, put(thing('b')));
    const scrubbed = models.scrub();
    setImmediate(() => reader.exec('COMMIT'));
    await scrubbed;
    reader.close();
    expect(statSync(join(folder.path, 'read', 'things.g1.sqlite-wal')).size).toBe(0);
  });

  it('have names that stay within the folder', async () => {
    await expect(models.open({ name: '../events', generation: 1, indexes: {} })).rejects.toThrow(
      /name of a read model/,
    );
    await expect(models.drop('things', 1.5)).rejects.toThrow(/generation/);
  });

  it('refuse declarations that SQLite would read otherwise', async () => {
    const open = (fields: readonly string[]) => models.open({ name: 'odd', generation: 1, indexes: { by: fields } });
    await expect(open(['a"b'])).rejects.toThrow(/a"b/);
    await expect(open(['orgId', 'orgid'])).rejects.toThrow(/case/);
    await expect(open(['orgId', 'orgId'])).rejects.toThrow(/twice/);
    await expect(open(['orgId', 'id'])).rejects.toThrow(/last part/);
    await expect(open([])).rejects.toThrow(/no field/);
  });
});
