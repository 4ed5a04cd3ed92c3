import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import { put, remove } from '../../../../src/kernel/projection.ts';
import type { ReadModels } from '../../../../src/ports/read-models.ts';
import { type OpenThings, openThings, thing } from '../../../contract/read-models/harness.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('pages that many ask for', () => {
  let folder: TempFolder;
  let models: ReadModels;
  let things: OpenThings;

  beforeEach(async () => {
    folder = createTempFolder();
    models = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
    things = await openThings(models);
    await things.putAll(1, [thing('a', { rank: 1 }), thing('b', { rank: 2 })]);
  });
  afterEach(async () => {
    await models.close();
    folder.remove();
  });

  const page = () => things.model.query({ index: 'byGroup', equals: { group: 'g' }, limit: 10 });

  it('are made of the same documents from the third time on', async () => {
    await page();
    const [a, b] = await page();
    const third = await page();
    expect(third).toEqual([thing('a', { rank: 1 }), thing('b', { rank: 2 })]);
    expect(third[0]).toBe(a);
    expect(third[1]).toBe(b);
  });

  it('show what was written since, and go on with the others', async () => {
    await page();
    const [, b] = await page();
    await things.write(2, put(thing('a', { rank: 1, note: 'new' })));
    const [changed, other] = await page();
    expect(changed).toEqual(thing('a', { rank: 1, note: 'new' }));
    expect(other).toBe(b);
    expect((await page())[0]).toBe(changed);
    await things.write(3, remove('b'));
    expect(await page()).toEqual([changed]);
  });

  it('show a document that was asked for once as it is, whatever was written between', async () => {
    await page();
    await things.write(2, put(thing('a', { rank: 3 })));
    expect(await page()).toEqual([thing('b', { rank: 2 }), thing('a', { rank: 3 })]);
  });
});
