import { expect, it } from 'vitest';
import { deleteWhere, patchWhere, put, remove } from '../../../src/kernel/projection.ts';
import { at, openThings, type ReadModelsHarness, type Thing, thing } from './harness.ts';
import { countIn } from '../../spec/worlds/read-model-documents.ts';

export function specifyWriting(harness: ReadModelsHarness): void {
  it('gives back what was put, and nothing for ids that are not there', async () => {
    const { model, write } = await openThings(await harness.make());
    await write(1, put(thing('a')), put(thing('b', { rank: 2 })));
    await harness.settle();
    expect(await model.get(['b', 'missing'])).toEqual([thing('b', { rank: 2 })]);
    expect(await model.get(['a', 'a'])).toEqual([thing('a')]);
    expect(await model.get([])).toEqual([]);
  });

  it('replaces the whole document, in the indexes too', async () => {
    const { model, write } = await openThings(await harness.make());
    await write(1, put(thing('a', { group: 'old', note: 'first' })));
    await write(2, put(thing('a', { group: 'new' })));
    await harness.settle();
    expect(await model.get(['a'])).toEqual([thing('a', { group: 'new' })]);
    expect(await model.query({ index: 'byGroup', equals: { group: 'old' }, limit: 9 })).toEqual([]);
    expect(await model.query({ index: 'byGroup', equals: { group: 'new' }, limit: 9 })).toHaveLength(1);
  });

  it('deletes', async () => {
    const { model, write, ids } = await openThings(await harness.make());
    await write(1, put(thing('a')), put(thing('b')));
    await write(2, remove('a'), remove('never there'));
    await harness.settle();
    expect(await ids()).toEqual(['b']);
    expect(await countIn(model, { index: 'byGroup', equals: { group: 'g' } })).toBe(1);
  });

  it('keeps a document of a later position against an older put, delete, patch and delete by index', async () => {
    const { model, lease } = await openThings(await harness.make());
    const late = thing('a', { note: 'late' });
    await model.write({ changes: [at(10, put(late))], position: 10, lease });
    const older = [
      put(thing('a', { note: 'early' })),
      remove('a'),
      patchWhere<Thing>('byGroup', { group: 'g' }, { note: 'early' }),
      deleteWhere('byGroup', { group: 'g' }),
    ];
    const changes = older.map((change) => at(9, change));
    expect(await model.write({ changes, position: 11, lease })).toBe('written');
    await harness.settle();
    expect(await model.scan('', 9)).toEqual([{ doc: late, position: 10 }]);
  });

  it('lets one event change a document several times, in order', async () => {
    const { model, write } = await openThings(await harness.make());
    await write(
      1,
      put(thing('a')),
      put(thing('a', { rank: 1 })),
      patchWhere<Thing>('byRank', { rank: 1 }, { note: 'x' }),
    );
    await harness.settle();
    expect(await model.scan('', 9)).toEqual([{ doc: thing('a', { rank: 1, note: 'x' }), position: 1 }]);
  });

  it('moves the checkpoint with every write, also one without changes', async () => {
    const { model, write } = await openThings(await harness.make());
    expect(await model.checkpoint()).toBe(0);
    expect(await write(7)).toBe('written');
    await harness.settle();
    expect(await model.checkpoint()).toBe(7);
  });

  it('passes over events that do not concern it, and goes on writing from there', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const { model, write } = await openThings(first);
    const other = await openThings(first, { generation: 2 });
    await write(3, put(thing('a')));
    const things = { name: 'things', generation: 1 };
    const others = { name: 'things', generation: 2 };
    const moves = [
      { ...things, from: 3, position: 9 },
      { ...others, from: 0, position: 9 },
    ];
    expect(await first.passOver(moves)).toBe(2);
    await harness.settle();
    expect([await model.checkpoint(), await other.model.checkpoint()]).toEqual([9, 9]);
    expect(await (await second.open<Thing>(model.declaration)).checkpoint()).toBe(9);
    expect(await write(9, put(thing('b')))).toBe('behind');
    await first.passOver([{ ...things, from: 9, position: 11 }]);
    expect(await write(12, put(thing('c')))).toBe('written');
    await harness.settle();
    expect(await model.checkpoint()).toBe(12);
    expect((await model.scan('', 9)).map(({ doc, position }) => [doc.id, position])).toEqual([
      ['a', 3],
      ['c', 12],
    ]);
  });

  it('stays where it is when it is no longer where it was passed over from, or is gone', async () => {
    const models = await harness.make();
    const { model, write } = await openThings(models);
    const things = { name: 'things', generation: 1 };
    await write(3);
    expect(await models.passOver([{ ...things, from: 2, position: 9 }])).toBe(0);
    expect(await model.checkpoint()).toBe(3);
    await models.passOver([{ ...things, from: 3, position: 5 }]);
    await models.passOver([{ ...things, from: 3, position: 9 }]); // by one who has not seen the first
    expect(await model.checkpoint()).toBe(5);
    await models.passOver([{ ...things, from: 5, position: 4 }]);
    await models.passOver([{ name: 'things', generation: 7, from: 0, position: 9 }]);
    await harness.settle();
    expect(await model.checkpoint()).toBe(5);
    expect(await models.passOver([])).toBe(0);
    await models.drop('things', 1);
    await models.passOver([{ ...things, from: 5, position: 9 }]);
    expect(await (await openThings(models)).model.checkpoint()).toBe(0);
  });

  it('answers a repeated batch with behind and changes nothing', async () => {
    const { model, write } = await openThings(await harness.make());
    await write(5, put(thing('a')));
    expect(await write(5, put(thing('a', { note: 'again' })), put(thing('b')))).toBe('behind');
    expect(await write(4, put(thing('c')))).toBe('behind');
    await harness.settle();
    expect(await model.scan('', 9)).toEqual([{ doc: thing('a'), position: 5 }]);
    expect(await model.checkpoint()).toBe(5);
  });

  it('gives the same documents when events are folded again by a longer batch', async () => {
    const { model, lease } = await openThings(await harness.make());
    const early = [
      at(1, put(thing('a'))),
      at(2, patchWhere<Thing>('byGroup', { group: 'g' }, { note: 2 })),
      at(3, remove('b')),
    ];
    await model.write({ changes: early, position: 3, lease });
    await model.write({ changes: [...early, at(4, put(thing('c')))], position: 4, lease });
    await harness.settle();
    expect(await model.scan('', 9)).toEqual([
      { doc: thing('a', { note: 2 }), position: 2 },
      { doc: thing('c'), position: 4 },
    ]);
  });

  it('writes neither documents nor checkpoint with a stale lease', async () => {
    const { model, lease, write } = await openThings(await harness.make());
    await write(1, put(thing('a')));
    await model.leases.release(lease);
    const next = await model.leases.acquire('feed', 'other', 600_000);
    expect(await write(2, put(thing('b')), remove('a'))).toBe('stale_lease');
    await harness.settle();
    expect(await model.scan('', 9)).toEqual([{ doc: thing('a'), position: 1 }]);
    expect(await model.checkpoint()).toBe(1);
    const forged = { ...lease, epoch: next?.epoch ?? 0 };
    expect(await model.write({ changes: [at(2, put(thing('b')))], position: 2, lease: forged })).toBe('stale_lease');
    const neverTaken = { ...lease, name: 'another' };
    expect(await model.write({ changes: [], position: 2, lease: neverTaken })).toBe('stale_lease');
  });

  it('writes nothing at all when one document of the batch is refused', async () => {
    const { model, write, ids } = await openThings(await harness.make());
    await write(1, put(thing('a')));
    for (const rank of [undefined, true, Number.NaN, ['x'], { x: 1 }]) {
      const bad = { ...thing('bad'), rank } as unknown as Thing;
      await expect(write(2, put(thing('b')), remove('a'), put(bad))).rejects.toThrow(/rank/);
    }
    await harness.settle();
    expect(await ids()).toEqual(['a']);
    expect(await model.checkpoint()).toBe(1);
  });

  it('keeps JSON as it was', async () => {
    const { model, write } = await openThings(await harness.make());
    const note = {
      text: 'é 漢字 😀 \u0000 " \\ \n \u2028',
      numbers: [0, -1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 0.1],
      nothing: null,
      flags: [true, false],
      empty: [{}, [], ''],
      deep: Array.from({ length: 60 }).reduce<unknown>((inner) => ({ inner }), 'bottom'),
      'a.b': { $set: 'not an operator' },
    };
    await write(1, put(thing('😀/é', { group: 'é😀', note })));
    await harness.settle();
    expect(await model.get(['😀/é'])).toEqual([thing('😀/é', { group: 'é😀', note })]);
    expect(await model.query({ index: 'byGroup', equals: { group: 'é😀' }, limit: 1 })).toHaveLength(1);
  });

  it('keeps what was written when the connection is cut', async () => {
    const models = await harness.make();
    await (await openThings(models)).write(3, put(thing('a')));
    const { model, write } = await openThings(await harness.interrupt(models));
    expect(await model.get(['a'])).toEqual([thing('a')]);
    expect(await model.checkpoint()).toBe(3);
    expect(await write(4, put(thing('b')))).toBe('written');
  });

  it('shows one instance what another has written', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const writer = await openThings(first);
    const reader = await second.open<Thing>(writer.model.declaration);
    await writer.write(1, put(thing('a')));
    await harness.settle();
    expect(await reader.get(['a'])).toEqual([thing('a')]);
    expect(await reader.checkpoint()).toBe(1);
    await writer.write(2, remove('a'));
    await harness.settle();
    expect(await reader.get(['a'])).toEqual([]);
  });
}
