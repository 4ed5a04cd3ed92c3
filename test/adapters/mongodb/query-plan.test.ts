import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { indexRun } from '../../../src/adapters/mongodb/index-run.ts';
import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { generationsCollection } from '../../../src/adapters/mongodb/read-models/generations.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { declareIndexes } from '../../../src/adapters/mongodb/declared-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { deleteWhere, type KeyValue, patchWhere, put, remove } from '../../../src/kernel/projection.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { describeMongo } from './describe-mongo.ts';
import { newDatabaseUrl } from './mongo-backends.ts';

interface Row {
  readonly id: string;
  readonly a: KeyValue;
  readonly b: KeyValue;
  readonly c: KeyValue;
}

const fields = ['a', 'b', 'c'] as const;
const indexes = { wide: ['a', 'b', 'c'], other: ['b', 'a'], single: ['c'] };
const declared = declareIndexes('test', indexes);
const limit = 20;

/** Every shape a query of the index can have. */
const shapes = [0, 1, 2, 3].flatMap((fixed) =>
  (['ascending', 'descending'] as const).flatMap((direction) =>
    [false, true].flatMap((keyset) =>
      [false, true].flatMap((lower) => [false, true].map((upper) => ({ fixed, direction, keyset, lower, upper }))),
    ),
  ),
);

const stagesOf = (plan: Document | undefined): string[] =>
  plan === undefined ? [] : [plan['stage'], ...[plan['inputStage'], ...(plan['inputStages'] ?? [])].flatMap(stagesOf)];

/** Each value of each field ten times over, all of them on both sides of the middle. */
const rows: readonly Row[] = Array.from({ length: 1_250 }, (_, i) => ({
  id: `row-${String(i).padStart(4, '0')}`,
  a: [null, 0, 1, 2, 'x'][i % 5]!,
  b: [null, 0, 1, 2, 'x'][Math.floor(i / 5) % 5]!,
  c: [null, 0, 1, 2, 'x'][Math.floor(i / 25) % 5]!,
}));

describeMongo((server) => {
  let connection: MongoConnection;
  let model: ReadModel<Row>;

  beforeAll(async () => {
    connection = await openMongo({ url: newDatabaseUrl(server), appName: 'query plans' });
    const models = createMongoReadModels({ connection, clock: systemClock });
    model = await models.open<Row>({ name: 'rows', generation: 1, indexes });
    const lease = (await model.leases.acquire('feed', 'test', 600_000))!;
    const changes = rows.map((row, i) => ({ ...put(row), position: 1 + (i % 40) }));
    await model.write({ changes, position: 40, lease });
  });
  afterAll(async () => {
    await connection.db.dropDatabase();
    await connection.close();
  });

  const documentsName = async (): Promise<string> => {
    const generation = await connection.db.collection(generationsCollection).findOne({ _id: 'rows.g1' as never });
    return `read.rows.g1.${generation?.['incarnation']}.docs`;
  };

  describe('plans of index queries', () => {
    it.each(shapes)('one range of the index, in its order: %o', async ({ fixed, direction, keyset, lower, upper }) => {
      const query = {
        index: 'wide',
        equals: Object.fromEntries(fields.slice(0, fixed).map((field) => [field, 1])),
        direction,
        ...(keyset && { after: [...fields.slice(fixed).map(() => 1), 'row-0600'] }),
        ...(lower && { from: fixed === 3 ? 'row-0000' : null }),
        ...(upper && { to: fixed === 3 ? 'row-1000' : 'x' }),
      };
      const { isEmpty, rest: _, ...run } = indexRun(declared, query);
      expect(isEmpty).toBe(false);
      const documents = connection.db.collection(await documentsName());
      const plan = await documents.find({}, { ...run, limit }).explain('executionStats');
      expect(stagesOf(plan['queryPlanner'].winningPlan)).toEqual(['LIMIT', 'FETCH', 'IXSCAN']);
      const found = plan['executionStats'];
      expect(found.nReturned).toBeGreaterThan(0);
      // One key more may be looked at to see that the range is over.
      expect(found.totalKeysExamined).toBeLessThanOrEqual(found.nReturned + 1);
      expect(found.totalKeysExamined).toBeLessThanOrEqual(limit);
    });
  });

  /** What the server did for these calls, by its own profiler. */
  const profiled = async (work: () => Promise<unknown>): Promise<Document[]> => {
    const { db } = connection;
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const profile = db.collection('system.profile');
    const operations = await profile.find({ ns: { $not: /system\.profile|\$cmd/ } }).toArray();
    await profile.drop();
    return operations.filter(({ planSummary }) => planSummary !== undefined);
  };

  const summaries = (operations: readonly Document[]): string[] => [
    ...new Set(operations.map(({ planSummary }) => String(planSummary))),
  ];

  /** No operation looks at more than it gives or changes, and none sorts. */
  const expectBounded = (operations: readonly Document[]): void => {
    for (const operation of operations) {
      const {
        op,
        ns,
        planSummary,
        keysExamined = 0,
        hasSortStage,
        nreturned = 0,
        ndeleted = 0,
        nMatched = 0,
      } = operation;
      const what = `${op} ${ns} ${planSummary}`;
      expect(planSummary, what).not.toContain('COLLSCAN');
      expect(hasSortStage, what).toBeUndefined();
      expect(keysExamined, what).toBeLessThanOrEqual(2 * (nreturned + ndeleted + nMatched) + 2);
    }
  };

  describe('what the server does for calls of a read model', () => {
    it.each<[string, () => Promise<unknown>, string[]]>([
      ['get', () => model.get(['row-0001', 'row-0002', 'none']), ['IXSCAN { _id: 1 }']],
      ['scan', () => model.scan('row-0500', limit), ['IXSCAN { _id: 1 }']],
      [
        'changedAfter',
        () => model.changedAfter({ position: 20, id: 'row-0500' }, limit),
        ['IXSCAN { position: 1, _id: 1 }'],
      ],
      ['checkpoint', () => model.checkpoint(), ['IXSCAN { _id: 1 }']],
      [
        'query',
        () => model.query({ index: 'other', equals: { b: null }, direction: 'descending', limit }),
        ['IXSCAN { keys.b: 1, keys.a: 1, _id: 1 }'],
      ],
    ])('%s', async (_, call, expected) => {
      const operations = await profiled(call);
      expect(summaries(operations)).toEqual(expected);
      expectBounded(operations);
    });

    it('writes, patches and deletes', async () => {
      const lease = (await model.leases.acquire('feed', 'test', 600_000))!;
      const write = () =>
        model.write({
          changes: [
            put({ id: 'row-0001', a: 'new', b: 1, c: 1 }),
            put({ id: 'row-9999', a: 'new', b: 1, c: 1 }),
            remove('row-0002'),
            patchWhere<Row>('wide', { a: 'new', b: 1 }, { b: 2 }),
            deleteWhere('single', { c: 'x' }),
          ].map((change) => ({ ...change, position: 50 })),
          position: 50,
          lease,
        });
      expectBounded(await profiled(write));
    });
  });

  it('looks at no more operational documents than it gives or removes', async () => {
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    const jobs = await ops.collection<Row>({ name: 'jobs', indexes });
    const some = rows.slice(0, 300).map((doc) => ({ kind: 'put', collection: 'jobs', doc }) as const);
    await ops.transact(some.map((change, i) => (i < 10 ? { ...change, expiresAtMs: 1 } : change)));
    const calls = async () => {
      await jobs.get('row-0100');
      await jobs.query({ index: 'wide', equals: { a: 1 }, from: 0, limit: 5 });
      await jobs.scan('row-0200', 5);
      await ops.removeExpired(4);
      await ops.transact([some[40]!, some[41]!]);
      await ops.transact([some[42]!]);
    };
    const operations = (await profiled(calls)).filter(({ ns }) => String(ns).includes('ops.docs.'));
    expect(summaries(operations)).toContain('IXSCAN { expiresAt: 1 }');
    expectBounded(operations);
  });
});
