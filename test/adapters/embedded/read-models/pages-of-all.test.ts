import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import type { ReadModels } from '../../../../src/ports/read-models.ts';
import { openThings, thing } from '../../../contract/read-models/harness.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

let folder: TempFolder;
let models: ReadModels;

beforeEach(async () => {
  folder = createTempFolder();
  models = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
});
afterEach(async () => {
  await models.close();
  folder.remove();
});

async function pageSizes(documents: number, note: string, generation = 1): Promise<number[]> {
  const { model, putAll } = await openThings(models, { generation });
  await putAll(
    1,
    Array.from({ length: documents }, (_, number) => thing(`t-${number}`, { note })),
  );
  const sizes: number[] = [];
  await model.readAll((docs) => sizes.push(docs.length));
  expect(sizes.reduce((a, b) => a + b, 0)).toBe(documents);
  return sizes;
}

it('reads many short documents at a time, so that a start does not wait for turns', async () => {
  const sizes = await pageSizes(2_000, 'short');
  expect(sizes.length).toBeLessThan(20);
});

it('reads few long documents at a time, so that nobody waits long for a turn', async () => {
  const [, ...others] = await pageSizes(40, 'x'.repeat(60_000));
  expect(Math.max(...others)).toBe(1);
});

it('never takes a leap from few to very many, behind which long documents may lie', async () => {
  const sizes = await pageSizes(2_000, 'short');
  expect(Math.max(...sizes)).toBe(128);
});

it('reads nothing where there is nothing, and one page where a page is all', async () => {
  expect(await pageSizes(0, '')).toEqual([]);
  expect(await pageSizes(32, 'short', 2)).toEqual([32]);
  expect(await pageSizes(31, 'short', 3)).toEqual([31]);
});
