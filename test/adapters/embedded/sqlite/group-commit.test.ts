import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGroupCommit, type GroupCommit } from '../../../../src/adapters/embedded/sqlite/group-commit.ts';
import { type Database, openDatabase } from '../../../../src/adapters/embedded/sqlite/open-database.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('a group commit', () => {
  let folder: TempFolder;
  let db: Database;
  let commits: GroupCommit;
  let announced: number;

  beforeEach(() => {
    folder = createTempFolder();
    db = openDatabase({
      file: join(folder.path, 'ops.sqlite'),
      kind: 'ops',
      synchronous: 'FULL',
      busyTimeoutMs: 20,
    });
    db.exec('CREATE TABLE notes (name TEXT NOT NULL, text BLOB)');
    announced = 0;
    commits = createGroupCommit(db, () => {
      announced += 1;
    });
  });
  afterEach(() => {
    db.close();
    folder.remove();
  });

  const add = (name: string, bytes = 0) => db.prepare('INSERT INTO notes VALUES (?, ?)').run(name, Buffer.alloc(bytes));
  const names = () => db.prepare<[], string>('SELECT name FROM notes ORDER BY name').pluck().all();
  /** All of them gather in one group. */
  const runAll = (...works: (() => unknown)[]) => Promise.allSettled(works.map((work) => commits.run(1, work)));
  const statusesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);
  /** As on a disk that has room for so many pages more. */
  const leavePages = (count: number) =>
    db.pragma(`max_page_count = ${(db.pragma('page_count', { simple: true }) as number) + count}`);

  it('answers each with its own result when all is durable', async () => {
    const outcomes = await runAll(
      () => add('a').changes,
      () => 'b',
    );
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 'b' },
    ]);
    expect([names(), announced]).toEqual([['a'], 1]);
  });

  it('acknowledges nothing of a group of which a later piece fails, and stores nothing of it', async () => {
    leavePages(2);
    const outcomes = await runAll(
      () => add('before'),
      () => {
        add('half');
        add('too large', 1_000_000);
      },
      () => add('behind'),
    );
    expect(statusesOf(outcomes)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(outcomes[0]).toMatchObject({ reason: { code: 'SQLITE_FULL' } });
    expect([names(), announced]).toEqual([[], 0]);
  });

  it('goes on when there is room again', async () => {
    leavePages(2);
    expect(statusesOf(await runAll(() => add('too large', 1_000_000)))).toEqual(['rejected']);
    leavePages(1_000);
    expect(statusesOf(await runAll(() => add('again', 1_000_000)))).toEqual(['fulfilled']);
    expect([names(), announced]).toEqual([['again'], 1]);
  });

  it('acknowledges nothing while another process keeps the file', async () => {
    const other = new Sqlite(db.name);
    other.exec('BEGIN IMMEDIATE');
    const outcomes = await runAll(() => add('a'));
    other.exec('ROLLBACK');
    other.close();
    expect(statusesOf(outcomes)).toEqual(['rejected']);
    expect(outcomes[0]).toMatchObject({ reason: { code: 'SQLITE_BUSY' } });
    expect([names(), announced]).toEqual([[], 0]);
  });

  it('keeps those that do not fit one group for the next', async () => {
    const half = 9 * 1024 * 1024;
    const order: number[] = [];
    const run = (bytes: number, name: string) =>
      commits.run(bytes, () => add(name)).then(() => void order.push(announced));
    await Promise.all([run(half, 'a'), run(half, 'b'), run(1, 'c')]);
    expect([names(), order]).toEqual([
      ['a', 'b', 'c'],
      [1, 2, 2],
    ]);
  });
});
