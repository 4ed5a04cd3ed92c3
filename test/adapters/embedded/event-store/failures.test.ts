import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedEventStore } from '../../../../src/adapters/embedded/event-store/event-store.ts';
import { createEventCodec } from '../../../../src/kernel/event-codec.ts';
import { StartupError } from '../../../../src/kernel/startup-error.ts';
import { newEvents } from '../../../spec/events/events.ts';
import { eventually } from '../../../spec/eventually.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('the embedded event store in trouble', () => {
  let folder: TempFolder;
  let file: string;
  let fatal: Error[];
  beforeEach(() => {
    folder = createTempFolder();
    file = join(folder.path, 'events.sqlite');
    fatal = [];
  });
  afterEach(() => folder.remove());

  const open = () =>
    createEmbeddedEventStore({
      folder: folder.path,
      codec: createEventCodec(),
      onFatal: (error) => void fatal.push(error),
    });
  const appendTo = (stream: string) => ({ stream, expectedVersion: 0, events: newEvents(1) });

  it('does not start over a damaged file', async () => {
    writeFileSync(file, 'not a database at all, but long enough to look like one '.repeat(20));
    await expect(open()).rejects.toBeInstanceOf(StartupError);
  });

  it('rejects what is pending, tells the owner once and takes no more when its writer dies', async () => {
    const store = await open();
    const other = new Sqlite(file);
    other.exec('DROP TABLE events');
    other.close();
    const outcomes = await Promise.allSettled(['org-a', 'org-b'].map((stream) => store.append(appendTo(stream))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await eventually('the owner was told', () => fatal.length === 1);
    expect(fatal[0]?.message).toMatch(/The event writer thread died: .*events/);
    await expect(store.append(appendTo('org-c'))).rejects.toThrow('The event writer thread died');
    await expect(store.truncate('org-c', 2)).rejects.toThrow('The event writer thread died');
    await store.close();
    expect(fatal).toHaveLength(1);
  });

  it('rejects an append that another process locks out too long, and goes on when it lets go', async () => {
    const store = await open();
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append(appendTo('org-a'))).rejects.toMatchObject({
      message: 'Nothing was written: another process keeps the file locked.',
      code: 'SQLITE_BUSY',
    });
    other.exec('ROLLBACK');
    other.close();
    expect(await store.append(appendTo('org-a'))).toMatchObject({ outcome: 'appended', version: 1 });
    await store.close();
    expect(fatal).toEqual([]);
  });

  it('refuses every call after it was closed', async () => {
    const store = await open();
    await store.close();
    const calls = [
      () => store.append(appendTo('org-a')),
      () => store.appendMany([]),
      () => store.read('org-a'),
      () => store.readMany([]),
      () => store.readAll({ afterPosition: 0, limit: 1 }),
      () => store.truncate('org-a', 1),
      () => store.head(),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow('The event store is closed.');
    expect(() => store.subscribe({ afterPosition: 0, batchSize: 1, onBatch: async () => {} })).toThrow();
  });
});
