import { expect, it } from 'vitest';
import { type Change, deleteWhere, patchWhere, put } from '../../../src/kernel/projection.ts';
import { openThings, type ReadModelsHarness, type Thing, thing } from './harness.ts';
import { countIn } from '../../spec/worlds/read-model-documents.ts';

/** More than an adapter should hold in memory at once. */
const many = 1700;

const numbered = (count: number, fields: Partial<Thing>): Thing[] =>
  Array.from({ length: count }, (_, i) =>
    thing(`${fields.group}-${String(i).padStart(5, '0')}`, { rank: i % 7, ...fields }),
  );

export function specifyPatching(harness: ReadModelsHarness): void {
  it('patches every document of an index range and no other', async () => {
    const { model, write, putAll } = await openThings(await harness.make());
    await putAll(1, [...numbered(many, { group: 'one' }), ...numbered(20, { group: 'two' })]);
    expect(await write(2, patchWhere<Thing>('byGroup', { group: 'one' }, { note: { patched: true } }))).toBe('written');
    await harness.settle();
    const rows = await model.scan('', 5000);
    expect(rows).toHaveLength(many + 20);
    const expected = rows.map(({ doc }) =>
      doc.group === 'one' ? { doc: { ...doc, note: { patched: true } }, position: 2 } : { doc, position: 1 },
    );
    expect(rows).toEqual(expected);
    expect(rows.filter(({ position }) => position === 2)).toHaveLength(many);
  });

  it('moves patched documents within and out of the index that found them', async () => {
    const { model, write, putAll } = await openThings(await harness.make());
    await putAll(1, numbered(many, { group: 'one' }));
    await write(2, patchWhere<Thing>('byGroup', { group: 'one' }, { rank: 100 }));
    await harness.settle();
    expect(await countIn(model, { index: 'byGroup', equals: { group: 'one', rank: 100 } })).toBe(many);
    await write(3, patchWhere<Thing>('byLane', { group: 'one', lane: 'l' }, { group: 'two', rank: null }));
    await harness.settle();
    expect(await countIn(model, { index: 'byGroup', equals: { group: 'one' } })).toBe(0);
    expect(await countIn(model, { index: 'byLane', equals: { group: 'two', lane: 'l', rank: null } })).toBe(many);
  });

  it('deletes every document of an index range and no other', async () => {
    const { model, write, putAll, ids } = await openThings(await harness.make());
    await putAll(1, [...numbered(many, { group: 'one' }), ...numbered(3, { group: 'two' })]);
    await write(2, deleteWhere('byGroup', { group: 'one' }));
    await harness.settle();
    expect(await ids()).toEqual(['two-00000', 'two-00001', 'two-00002']);
    expect(await countIn(model, { index: 'byRank', equals: {} })).toBe(3);
  });

  it('finds null by equality', async () => {
    const { model, write, putAll } = await openThings(await harness.make());
    await putAll(1, [thing('a', { group: null }), thing('b')]);
    await write(2, patchWhere<Thing>('byGroup', { group: null, rank: null }, { note: 1 }));
    await harness.settle();
    expect(await model.get(['a', 'b'])).toEqual(
      expect.arrayContaining([thing('a', { group: null, note: 1 }), thing('b')]),
    );
  });

  it('applies changes in the order they were given', async () => {
    const { model, write } = await openThings(await harness.make());
    const mark = (note: string): Change<Thing> => patchWhere<Thing>('byGroup', { group: 'g' }, { note });
    await write(1, put(thing('a')), mark('first'), put(thing('b')), mark('second'), put(thing('c')));
    await harness.settle();
    expect((await model.scan('', 9)).map(({ doc }) => doc.note)).toEqual(['second', 'second', undefined]);
    await write(2, deleteWhere('byGroup', { group: 'g' }), put(thing('d')), put(thing('a', { group: 'h' })));
    await harness.settle();
    expect((await model.scan('', 9)).map(({ doc }) => doc.id)).toEqual(['a', 'd']);
  });

  it('refuses a patch by what is no index, and one that changes the id, and then writes nothing', async () => {
    const { model, write, ids } = await openThings(await harness.make());
    await write(1, put(thing('a')));
    const wrong: Change<Thing>[] = [
      patchWhere<Thing>('byNothing', { group: 'g' }, { note: 1 }),
      patchWhere<Thing>('byGroup', { rank: null }, { note: 1 }),
      patchWhere<Thing>('byGroup', { group: 'g' }, { id: 'b' }),
      deleteWhere('byNothing', { group: 'g' }),
      deleteWhere('byLane', { group: 'g', rank: null }),
    ];
    for (const change of wrong) await expect(write(2, put(thing('b')), change)).rejects.toThrow();
    await harness.settle();
    expect(await ids()).toEqual(['a']);
    expect(await model.checkpoint()).toBe(1);
  });
}
