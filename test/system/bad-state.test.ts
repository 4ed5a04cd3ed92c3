import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { searchGenerated } from '../../src/search/search-generation.ts';
import { programPath } from '../spec/built/built-path.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../spec/worlds/embedded-registry.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const healthy = createTempFolder();
const searchBuild = firstBuild(searchGenerated);
const orgFile = `org.g${firstBuild(orgProjection)}.sqlite`;
let folder: TempFolder;

const registry = (dataDir: string, ...words: string[]) =>
  spawnSync(process.execPath, [programPath, ...words, '--data', dataDir], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });

/** Every file with its bytes, to see that nothing was touched. Shared-memory files hold no data. */
const bytesOf = (dataDir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm') && !entry.name.endsWith('-wal'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file).toString('base64')]),
  );

beforeAll(async () => {
  const { status, stderr } = registry(healthy.path, 'rebuild', 'org');
  expect(status, stderr).toBe(0);
  const indexes = await createEmbeddedSearchIndexes({ folder: healthy.path, clock: systemClock });
  await indexes.open(searchBuild);
  await indexes.switchPointer(null, searchBuild);
  await indexes.close();
});

beforeEach(() => {
  folder = createTempFolder();
  cpSync(healthy.path, folder.path, { recursive: true });
  return () => folder.remove();
});

afterAll(() => healthy.remove());

describe('a start on a bad data folder says what is wrong, exits with 1 and damages nothing', () => {
  const cases: { name: string; spoil: (path: string) => void; says: RegExp }[] = [
    {
      name: 'events cut off in the middle',
      spoil: (path) => truncateSync(join(path, 'events.sqlite'), 5_000),
      says: /events\.sqlite is damaged/,
    },
    {
      name: 'events that are no database',
      spoil: (path) =>
        writeFileSync(join(path, 'events.sqlite'), 'not a database, but long enough to be looked at '.repeat(9)),
      says: /events\.sqlite is damaged or no data file/,
    },
    {
      name: 'events of a newer version',
      spoil: (path) => {
        const db = new Sqlite(join(path, 'events.sqlite'));
        db.pragma('user_version = 999');
        db.close();
      },
      says: /newer version/,
    },
    {
      name: 'a read model that is damaged',
      spoil: (path) => truncateSync(join(path, 'read', orgFile), 5_000),
      says: new RegExp(`${orgFile} is damaged .* remove the folder read`),
    },
    {
      name: 'a search index that is damaged',
      spoil: (path) => truncateSync(join(path, 'search', `g${searchBuild}.sqlite`), 5_000),
      says: /^The search index cannot be opened: .*g\d+\.sqlite is damaged[^\n]*\n$/,
    },
    {
      name: 'events that are gone',
      spoil: (path) => rmSync(join(path, 'events.sqlite')),
      says: /The event store is empty, but the read models belong to registry/,
    },
    {
      name: 'read models of another registry',
      spoil: (path) => {
        for (const name of ['events.sqlite', 'ops.sqlite', 'read']) rmSync(join(path, name), { recursive: true });
        registry(path, 'projections'); // founds one
        rmSync(join(path, 'read'), { recursive: true });
        cpSync(join(healthy.path, 'read'), join(path, 'read'), { recursive: true });
      },
      says: /belong to registry .* but the event store is registry/,
    },
  ];

  it.each(cases)('$name', ({ spoil, says }) => {
    spoil(folder.path);
    const before = bytesOf(join(folder.path, 'read'));
    const { status, stderr, stdout } = registry(folder.path, 'projections');
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
    expect(status).toBe(1);
    expect(bytesOf(join(folder.path, 'read'))).toEqual(before);
  });

  it('an event store that was replaced by an older copy', async () => {
    const store = await openTestEventStore(folder.path);
    await createTestRunners(store, systemClock).commands.run(createOrg, { name: 'Newer' }, requestOf(1));
    await store.close();
    expect(registry(folder.path, 'rebuild', 'org').status).toBe(0);
    cpSync(join(healthy.path, 'events.sqlite'), join(folder.path, 'events.sqlite'));
    const { status, stderr } = registry(folder.path, 'projections');
    expect(stderr).toMatch(/read model org has seen position \d+, but the event store ends at 1/);
    expect(status).toBe(1);
  });

  it('a file that another process never lets go', async () => {
    const holder = spawn(process.execPath, [
      '-e',
      `const db = new (require('better-sqlite3'))(process.argv[1]); db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000)`,
      join(folder.path, 'events.sqlite'),
    ]);
    await once(holder.stdout, 'data');
    const { status, stderr } = registry(folder.path, 'projections');
    holder.kill('SIGKILL');
    expect(stderr).toMatch(/events\.sqlite is locked by another process/);
    expect(status).toBe(1);
  });
});
