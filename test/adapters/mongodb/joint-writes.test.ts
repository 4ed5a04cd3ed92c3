import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { put, remove } from '../../../src/kernel/projection.ts';
import type { NamedWrite, ReadModels } from '../../../src/ports/read-models.ts';
import { at, type OpenThings, openThings, thing } from '../../contract/read-models/harness.ts';
import { describeMongo } from './describe-mongo.ts';
import { newDatabaseUrl } from './mongo-backends.ts';

const both = [1, 2] as const;

describeMongo((server) => {
  let connection: MongoConnection;
  let models: ReadModels;
  let opened: readonly OpenThings[];

  beforeEach(async () => {
    connection = await openMongo({ url: newDatabaseUrl(server), appName: 'joint writes' });
    models = createMongoReadModels({ connection, clock: systemClock });
    opened = await Promise.all(both.map((generation) => openThings(models, { generation })));
  });
  afterEach(async () => {
    await connection.db.dropDatabase();
    await connection.close();
  });

  const writesAt = (position: number, note = 'short'): NamedWrite[] =>
    both.map((generation, index) => ({
      name: 'things',
      generation,
      changes: [at(position, put(thing(`at ${position}`, { note })))],
      position,
      lease: opened[index]!.lease,
    }));
  const states = () => Promise.all(opened.map(async ({ ids, model }) => [await ids(), await model.checkpoint()]));

  it('writes the documents and checkpoints of several read models at once', async () => {
    expect(await models.writeTogether!(writesAt(5))).toBe(true);
    expect(await states()).toEqual([
      [['at 5'], 5],
      [['at 5'], 5],
    ]);
  });

  it('replaces documents, keeps those of a later position, and lets what was deleted come back', async () => {
    const { model, write } = opened[0]!;
    await write(1, put(thing('old')), put(thing('gone')), put(thing('late')));
    await write(2, remove('gone'));
    await write(9, put(thing('late', { note: 'later' })));
    const docs = ['old', 'gone', 'late'].map((id) => thing(id, { note: 'joint' }));
    const first = { ...writesAt(10)[0]!, changes: docs.map((doc) => at(doc.id === 'late' ? 8 : 10, put(doc))) };
    expect(await models.writeTogether!([first, writesAt(10)[1]!])).toBe(true);
    const told = (await model.changedAfter({ position: 0, id: '' }, 9)).map(({ id, doc }) => [id, doc?.note]);
    expect(told).toEqual([
      ['late', 'later'],
      ['gone', 'joint'],
      ['old', 'joint'],
    ]);
  });

  it('brings each to its own place where they come to several', async () => {
    const [first, second] = [writesAt(5)[0]!, writesAt(7)[1]!];
    expect(await models.writeTogether!([first, second])).toBe(true);
    expect(await states()).toEqual([
      [['at 5'], 5],
      [['at 7'], 7],
    ]);
  });

  it('writes none of them when another holds the lease of one', async () => {
    const [first, second] = writesAt(5);
    const stale = { ...second!, lease: { ...second!.lease, epoch: second!.lease.epoch + 1 } };
    expect(await models.writeTogether!([first!, stale])).toBe(false);
    expect(await states()).toEqual([
      [[], 0],
      [[], 0],
    ]);
  });

  it('writes none of them when one is there already', async () => {
    await opened[1]!.write(5);
    expect(await models.writeTogether!(writesAt(5))).toBe(false);
    expect(await states()).toEqual([
      [[], 0],
      [[], 5],
    ]);
  });

  it('writes none of them when one was dropped and made anew', async () => {
    await models.drop('things', 2);
    await models.open(opened[1]!.model.declaration);
    expect(await models.writeTogether!(writesAt(5))).toBe(false);
    expect(await opened[0]!.model.checkpoint()).toBe(0);
  });
});
