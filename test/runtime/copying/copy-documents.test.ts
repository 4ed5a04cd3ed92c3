import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import { WriteTooLarge } from '../../../src/kernel/write-too-large.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { copyDocuments } from '../../../src/runtime/copying/copy-documents.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

const declaration = { name: 'answers', indexes: {} };
const clock = createFakeClock();

let folders: TempFolder[];
let source: OperationalStore;
let target: OperationalStore;

const open = async (): Promise<OperationalStore> => {
  const folder = createTempFolder();
  folders.push(folder);
  const onFatal = (error: Error) => {
    throw error;
  };
  return createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
};

beforeEach(async () => {
  folders = [];
  [source, target] = [await open(), await open()];
});
afterEach(async () => {
  await source.close();
  await target.close();
  for (const folder of folders) folder.remove();
});

const put = async (count: number, textLength: number): Promise<void> => {
  await source.collection(declaration);
  const text = 'x'.repeat(textLength);
  for (let place = 0; place < count; place += 1) {
    const doc: Document & { text: string } = { id: `answer-${String(place).padStart(4, '0')}`, text };
    const expiresAtMs = clock.nowMs() + 1_000 + place;
    await source.transact([{ kind: 'put', collection: 'answers', doc, ...(place % 2 === 0 && { expiresAtMs }) }]);
  }
};

const everythingIn = async (store: OperationalStore) => (await store.collection(declaration)).scan('', 10_000);

/** The most documents that one page had. */
const scanned = (store: OperationalStore) => {
  let most = 0;
  const shown: OperationalStore = {
    ...store,
    collection: async (declared) => {
      const collection = await store.collection<never>(declared);
      return {
        ...collection,
        scan: async (...given) => {
          const rows = await collection.scan(...given);
          most = Math.max(most, rows.length);
          return rows;
        },
      };
    },
  };
  return { shown, most: () => most };
};

it('copies every document with the time at which it ends', async () => {
  await put(70, 10);
  expect(await copyDocuments(source, target, declaration)).toBe(70);
  expect(await everythingIn(target)).toEqual(await everythingIn(source));
});

it('reads no more at once than some megabytes', async () => {
  await put(30, 900_000);
  const { shown, most } = scanned(source);
  expect(await copyDocuments(shown, target, declaration)).toBe(30);
  expect(most()).toBeLessThanOrEqual(4);
  expect(await everythingIn(target)).toHaveLength(30);
});

it('halves what the target does not take at once, and gives up on a single document', async () => {
  await put(40, 10);
  let changesMax = 3;
  const strict: OperationalStore = {
    ...target,
    transact: async (changes) => {
      if (changes.length > changesMax) throw new WriteTooLarge('MongoDB');
      return target.transact(changes);
    },
  };
  expect(await copyDocuments(source, strict, declaration)).toBe(40);
  expect(await everythingIn(target)).toEqual(await everythingIn(source));
  changesMax = 0;
  await expect(copyDocuments(source, strict, declaration)).rejects.toThrow(WriteTooLarge);
});

it('says so when the target fails for another reason', async () => {
  await put(4, 10);
  const failing: OperationalStore = { ...target, transact: () => Promise.reject(new Error('full')) };
  await expect(copyDocuments(source, failing, declaration)).rejects.toThrow('full');
});
