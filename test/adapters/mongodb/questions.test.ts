import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { deleteJob, job, openCollections, putCounter, putJob } from '../../contract/operational-store/harness.ts';
import { openThings, thing, thingIndexes } from '../../contract/read-models/harness.ts';
import { describeMongo } from './describe-mongo.ts';
import { newDatabaseUrl } from './mongo-backends.ts';

describeMongo((server) => {
  let connection: MongoConnection;
  const commands: string[] = [];
  const concerns: unknown[] = [];

  beforeAll(async () => {
    const url = new URL(newDatabaseUrl(server));
    url.searchParams.set('monitorCommands', 'true');
    connection = await openMongo({ url: url.href, appName: 'questions' });
    connection.client.on('commandStarted', ({ commandName, command }) => {
      commands.push(commandName);
      concerns.push(command['readConcern']);
    });
  });
  afterAll(async () => {
    await connection.db.dropDatabase();
    await connection.close();
  });

  it('one question finds all documents of which the ids are known, and a write looks for them with one', async () => {
    const models = createMongoReadModels({ connection, clock: systemClock });
    const { model, putAll } = await openThings(models, { generation: 9 });
    const ids = ['a', 'b', 'c'];
    const things = ids.map((id) => thing(id));
    await putAll(1, things);
    commands.length = 0;
    expect(await model.get(ids)).toHaveLength(3);
    expect(commands).toEqual(['find']);
    commands.length = 0;
    await putAll(2, things);
    expect(commands).not.toContain('getMore');
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    const { jobs: records } = await openCollections(ops);
    await ops.transact(['1', '2'].map((id) => putJob(job(id))));
    commands.length = 0;
    expect(await records.getMany(['1', '2'])).toHaveLength(2);
    expect(commands).toEqual(['find']);
    commands.length = 0;
    await ops.transact(['1', '2'].map((id) => deleteJob(id)));
    expect(commands).toEqual(['find', 'delete', 'commitTransaction']);
  });

  it('what is put is not looked for before, but where it is expected to be new, or is not as expected', async () => {
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    const { jobs: records } = await openCollections(ops);
    const put = async (options: Parameters<typeof putJob>[1]) => {
      commands.length = 0;
      return ops.transact([putJob(job('a', { note: commands.length }), options), putCounter('a', 1, { stampsMs: {} })]);
    };
    expect(await put({})).toBe('written');
    expect(commands).toEqual(['update', 'update', 'commitTransaction']);
    expect(await put({ expected: 1, stampsMs: { dueAt: 0 } })).toBe('written');
    expect(commands).toEqual(['update', 'update', 'commitTransaction']);
    expect(await records.get('a')).toMatchObject({ revision: 2, doc: { dueAt: expect.any(Number) } });
    expect(await put({ expected: 1 })).toBe('revision_conflict');
    expect(commands.filter((name) => name === 'find')).toHaveLength(2);
    expect(await put({ expected: 0 })).toBe('revision_conflict');
    expect((await records.get('a'))?.revision).toBe(2);
    commands.length = 0;
    await ops.transact(Array.from({ length: 9 }, (_, number) => putJob(job(`of many ${number}`))));
    expect(commands).toEqual(['find', 'insert', 'commitTransaction']);
    await ops.transact([putJob(job('b')), putJob(job('b', { note: 'changed twice' }))]);
    expect(await records.get('b')).toMatchObject({ revision: 2, doc: { note: 'changed twice' } });
  });

  it('one question tells how far all read models are that are asked about at once', async () => {
    const models = createMongoReadModels({ connection, clock: systemClock });
    const opened = [];
    for (const generation of [1, 2, 3]) opened.push(await openThings(models, { generation }));
    await opened[1]!.write(7);
    await models.drop('things', 3);
    await openThings(models, { generation: 3 }); // another one of the same number
    commands.length = 0;
    const asked = await Promise.allSettled(opened.map(({ model }) => model.checkpoint()));
    expect(commands).toEqual(['find']);
    expect(asked).toMatchObject([{ value: 0 }, { value: 7 }, { reason: { message: /was dropped$/ } }]);
  });

  const openTogether = (generations: readonly number[]) => {
    const models = createMongoReadModels({ connection, clock: systemClock });
    return Promise.all(
      generations.map((generation) => models.open({ name: 'things', generation, indexes: thingIndexes })),
    );
  };

  it('opening read models that are there asks for them together, and makes nothing', async () => {
    const generations = [21, 22, 23];
    await openTogether(generations);
    commands.length = 0;
    expect(await openTogether(generations)).toHaveLength(3);
    expect(commands.filter((name) => name === 'find')).toHaveLength(1);
    expect(new Set(commands)).toEqual(new Set(['find', 'listIndexes']));
  });

  it('opening collections that are there makes nothing', async () => {
    await openCollections(createMongoOperationalStore({ connection, clock: systemClock }));
    commands.length = 0;
    await openCollections(createMongoOperationalStore({ connection, clock: systemClock }));
    expect(new Set(commands)).toEqual(new Set(['find', 'listIndexes']));
  });

  it('where everything is read, the next documents are on their way while some are taken over', async () => {
    const { model, putAll } = await openThings(createMongoReadModels({ connection, clock: systemClock }), {
      generation: 31,
    });
    await putAll(
      1,
      Array.from({ length: 4_100 }, (_, number) => thing(`t-${number}`)),
    );
    commands.length = 0;
    concerns.length = 0;
    const askedBefore: number[] = [];
    const ids = new Set<string>();
    await model.readAll((page) => {
      askedBefore.push(commands.length);
      for (const { id } of page) ids.add(id);
    });
    expect(commands.slice(0, 2)).toEqual(['find', 'getMore']);
    expect(askedBefore.slice(1, 30)).toEqual(Array<number>(29).fill(2));
    expect(ids.size).toBe(4_100);
    expect(concerns[0]).toEqual({ level: 'majority' }); // what could be rolled back is in no catalogue

    commands.length = 0;
    const stopped = model.readAll(() => {
      throw new Error('enough');
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(commands).not.toContain('killCursors'); // the second answer was the last, and the server keeps nothing
  });

  it('where everything was to be read and is not, the server need not keep its place', async () => {
    const { model, putAll } = await openThings(createMongoReadModels({ connection, clock: systemClock }), {
      generation: 33,
    });
    await putAll(
      1,
      Array.from({ length: 8_100 }, (_, number) => thing(`t-${number}`)),
    );
    commands.length = 0;
    const stopped = model.readAll(() => {
      throw new Error('enough');
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(commands).toEqual(['find', 'getMore', 'killCursors']);
  });

  it('where everything is read, fewer large documents are taken over in a turn than small ones', async () => {
    const { model, putAll } = await openThings(createMongoReadModels({ connection, clock: systemClock }), {
      generation: 32,
    });
    const note = 'x'.repeat(20_000);
    await putAll(
      1,
      Array.from({ length: 100 }, (_, number) => thing(`t-${number}`, { note })),
    );
    const pages: number[] = [];
    await model.readAll((page) => pages.push(page.length));
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(Math.max(...pages.slice(1))).toBeLessThanOrEqual(4);
  });
});
