import type { CreateIndexesOptions, IndexSpecification } from 'mongodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { DocumentTooLarge } from '../../../src/adapters/mongodb/stored-document.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { put } from '../../../src/kernel/projection.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { job, jobs, openCollections, putJob } from '../../contract/operational-store/harness.ts';
import { openThings, thing, thingIndexes } from '../../contract/read-models/harness.ts';
import { eventually } from '../../spec/eventually.ts';
import { describeMongo } from './describe-mongo.ts';
import { newDatabaseUrl } from './mongo-backends.ts';

describeMongo((server) => {
  let connection: MongoConnection;
  let models: ReadModels;

  beforeEach(async () => {
    connection = await openMongo({ url: newDatabaseUrl(server), appName: 'collections' });
    models = createMongoReadModels({ connection, clock: systemClock });
  });
  afterEach(async () => {
    await connection.db.dropDatabase();
    await connection.close();
  });

  const collectionNames = async (): Promise<string[]> =>
    (await connection.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();

  it('are two for each generation, and gone after a drop', async () => {
    await openThings(models, { generation: 1 });
    await openThings(models, { generation: 12 });
    await models.drop('things', 1);
    const names = (await collectionNames()).map((name) => name.replace(/\.[0-9a-f]{24}\./, '.*.'));
    expect(names).toEqual(['read.generations', 'read.things.g12.*.deleted', 'read.things.g12.*.docs']);
  });

  it('are dropped to the end by the next who opens after a drop was interrupted', async () => {
    const { write } = await openThings(models);
    await write(1, put(thing('a')));
    await connection.db.collection('read.generations').updateOne({}, { $set: { dropping: true } });
    expect(await models.generations('things')).toEqual([1]);
    const switched = await models.switchPointers([{ name: 'things', expected: null, generation: 1 }]);
    expect(switched).toEqual({ name: 'things', reason: 'gone' });
    expect(await (await openThings(models)).ids()).toEqual([]);
    expect(await collectionNames()).toHaveLength(3);
  });

  it('are opened by many at once, as one', async () => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => models.open({ name: 'things', generation: 1, indexes: thingIndexes })),
    );
    expect(opened).toHaveLength(8);
    expect(await collectionNames()).toHaveLength(3);
  });

  it('get back an index that is missing', async () => {
    const { model, write } = await openThings(models);
    await write(1, put(thing('a')));
    const documents = (await collectionNames()).find((name) => name.endsWith('.docs'))!;
    await connection.db.collection(documents).dropIndex('rank');
    await openThings(models);
    expect(await model.query({ index: 'byRank', equals: {}, limit: 9 })).toHaveLength(1);
  });

  it.each<[string, IndexSpecification | null, CreateIndexesOptions]>([
    ['another', { somethingElse: 1 }, {}],
    ['one that leaves documents out', null, { partialFilterExpression: { position: { $gt: 5 } } }],
  ])('refuse an index of the same name that is %s, in a sentence', async (_, otherKey, options) => {
    await openThings(models);
    const name = (await collectionNames()).find((each) => each.endsWith('.docs'))!;
    const documents = connection.db.collection(name);
    const { key } = (await documents.indexes()).find((index) => index.name === 'rank')!;
    await documents.dropIndex('rank');
    await documents.createIndex(otherKey ?? key, { ...options, name: 'rank' });
    const opening = openThings(models);
    await expect(opening).rejects.toThrow(StartupError);
    await expect(opening).rejects.toThrow(/defined otherwise: drop that index/);
  });

  it('have names of their own for each read model', async () => {
    await expect(models.open({ name: '../events', generation: 1, indexes: {} })).rejects.toThrow(
      /name of a read model/,
    );
    await expect(models.drop('things', 1.5)).rejects.toThrow(/generation/);
  });

  it('refuse a document that MongoDB cannot take by name, and write nothing', async () => {
    const { write, ids } = await openThings(models);
    const large = thing('large', { note: 'é'.repeat(9 * 1024 * 1024) });
    await expect(write(1, put(thing('a')), put(large))).rejects.toThrow(DocumentTooLarge);
    expect(await ids()).toEqual([]);
    const justFits = thing('fits', { note: 'x'.repeat(15 * 1024 * 1024) });
    expect(await write(1, put(justFits))).toBe('written');
  });

  it('keep strings that are no Unicode, deep nesting and odd names as they were', async () => {
    const { model, write } = await openThings(models);
    const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => [inner], 'bottom');
    const note = { lone: '\ud800', letters: 'é語😀', '': 1, $where: 'x', 'a.b.': 2, ['__proto__']: 3, deep, zero: -0 };
    const odd = thing('odd', { note });
    await write(1, put(odd));
    expect(JSON.stringify(await model.get(['odd']))).toBe(JSON.stringify([odd]));
  });

  it('of expiring documents are swept by the server itself, some time after the service would have', async () => {
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    await openCollections(ops);
    const documents = connection.db.collection(`ops.docs.${jobs.name}`);
    expect(await documents.indexes()).toContainEqual(
      expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 3_600 }),
    );
    await ops.transact([putJob(job('old'), { expiresAtMs: systemClock.nowMs() - 7_200_000 }), putJob(job('stays'))]);
    // By default a server sweeps once a minute.
    const isSwept = async () => (await documents.countDocuments()) === 1;
    await eventually('the server has swept', isSwept, { withinMs: 150_000, everyMs: 100 });
  }, 160_000);
});
