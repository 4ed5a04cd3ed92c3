import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../../../src/adapters/embedded/operational-store/operational-store.ts';
import type { Document } from '../../../../src/kernel/projection.ts';
import type { OperationalCollection, OperationalStore } from '../../../../src/ports/operational-store.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';
import { turnsDuring } from '../../../spec/turns-during.ts';

interface Thing extends Document {
  readonly rank: number;
}

const declaration = { name: 'things', indexes: { byRank: ['rank'] } };
const ids = Array.from({ length: 600 }, (_, index) => `thing-${String(index).padStart(3, '0')}`);

let folder: TempFolder;
let ops: OperationalStore;
let things: OperationalCollection<Thing>;

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: createFakeClock(), onFatal });
  things = await ops.collection(declaration);
  const put = (id: string, rank: number) => ({ kind: 'put' as const, collection: 'things', doc: { id, rank } });
  await ops.transact(ids.map(put));
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

// SQLite answers before its promise is handed out: without turns of their own, pages follow each other without a break.
describe('others get their turn between the pages', () => {
  it('of a query', async () => {
    const turns = await turnsDuring(async () => {
      for (const from of [0, 300]) await things.query({ index: 'byRank', equals: {}, from, limit: 300 });
    });
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('of a scan', async () => {
    const turns = await turnsDuring(async () => {
      for (const afterId of ['', ids[299]!]) await things.scan(afterId, 300);
    });
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('of documents by id, also where nothing is found', async () => {
    const found = await turnsDuring(async () => {
      for (const _ of [1, 2]) await things.getMany(ids);
    });
    expect(found).toBeGreaterThanOrEqual(2);
    const missed = await turnsDuring(async () => {
      for (let call = 0; call < 600; call += 1) await things.get('nobody');
    });
    expect(missed).toBeGreaterThanOrEqual(2);
  });

  it('of large documents by id', async () => {
    const large = ids.slice(0, 40);
    const note = 'x'.repeat(100_000);
    await ops.transact(
      large.map((id, rank) => ({ kind: 'put' as const, collection: 'things', doc: { id, rank, note } })),
    );
    let found = 0;
    const turns = await turnsDuring(async () => {
      found = (await things.getMany([...large, ...large])).length;
    });
    expect(found).toBe(large.length);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
