import { expect, it } from 'vitest';
import { put } from '../../../src/kernel/projection.ts';
import { openThings, type ReadModelsHarness, type Thing, thing, thingIndexes } from './harness.ts';

export function specifyGenerations(harness: ReadModelsHarness): void {
  it('keeps two generations side by side', async () => {
    const models = await harness.make();
    const old = await openThings(models, { generation: 1 });
    const next = await openThings(models, { generation: 2 });
    await old.write(9, put(thing('a', { note: 'old' })));
    await next.write(3, put(thing('a', { note: 'new' })), put(thing('b')));
    await harness.settle();
    expect(await old.model.get(['a', 'b'])).toEqual([thing('a', { note: 'old' })]);
    expect(await next.ids()).toEqual(['a', 'b']);
    expect([await old.model.checkpoint(), await next.model.checkpoint()]).toEqual([9, 3]);
    expect(await models.generations('things')).toEqual([1, 2]);
    expect(await models.generations('others')).toEqual([]);
  });

  it('opens what is there, not a new one', async () => {
    const models = await harness.make();
    await (await openThings(models)).write(1, put(thing('a')));
    expect(await (await openThings(models)).ids()).toEqual(['a']);
  });

  it('refuses a generation whose indexes were declared otherwise', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    await openThings(first);
    const indexes = { ...thingIndexes, byRank: ['rank', 'lane'] };
    for (const models of [first, second]) {
      await expect(models.open({ name: 'things', generation: 1, indexes })).rejects.toThrow(/generation/);
    }
  });

  it('switches the pointer only from the expected generation', async () => {
    const models = await harness.make();
    for (const generation of [1, 2]) await openThings(models, { generation });
    await models.open({ name: 'others', generation: 5, indexes: {} });
    const changed = { name: 'things', reason: 'changed' };
    expect(await models.pointers()).toEqual({});
    expect(await models.switchPointers([{ name: 'things', expected: 1, generation: 2 }])).toEqual(changed);
    expect(await models.switchPointers([{ name: 'things', expected: null, generation: 1 }])).toBeNull();
    expect(await models.switchPointers([{ name: 'things', expected: null, generation: 2 }])).toEqual(changed);
    expect(await models.switchPointers([{ name: 'things', expected: 1, generation: 2 }])).toBeNull();
    expect(await models.switchPointers([{ name: 'others', expected: null, generation: 5 }])).toBeNull();
    await harness.settle();
    expect(await models.pointers()).toEqual({ things: 2, others: 5 });
  });

  it('shows what another one switched to, each time anew', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    expect(await second.pointers()).toEqual({});
    for (const generation of [1, 2]) {
      await openThings(first, { generation });
      const expected = generation === 1 ? null : generation - 1;
      expect(await first.switchPointers([{ name: 'things', expected, generation }])).toBeNull();
      await harness.settle();
      expect(await second.pointers()).toEqual({ things: generation });
    }
  });

  it('switches to no generation that is not there, or was made anew since whoever filled it had it', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const { lease } = await openThings(first, { generation: 1 });
    await openThings(first, { generation: 2 });
    const gone = { name: 'things', reason: 'gone' };
    const toOne = { name: 'things', expected: null, generation: 1 };
    await second.drop('things', 1);
    expect(await first.switchPointers([{ ...toOne, generation: 7 }])).toEqual(gone);
    expect(await first.switchPointers([toOne])).toEqual(gone);
    await openThings(second, { generation: 1 });
    expect(await first.switchPointers([{ ...toOne, lease: { ...lease, holder: 'who filled it' } }])).toEqual(gone);
    await harness.settle();
    expect(await second.pointers()).toEqual({});
    expect(await first.switchPointers([{ ...toOne, lease }])).toBeNull();
  });

  it('never drops the live generation, as abandoned or otherwise', async () => {
    const models = await harness.make();
    const { model, lease, write, ids } = await openThings(models);
    await write(1, put(thing('a')));
    await models.switchPointers([{ name: 'things', expected: null, generation: 1 }]);
    await model.leases.renew(lease, 1);
    await harness.passTime(2);
    await models.drop('things', 1);
    expect(await models.dropAbandoned('things', 1, 0)).toBe(false);
    expect(await ids()).toEqual(['a']);
  });

  it('lets one of two racers through, of whom one drops what the other switches to', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    let expected: number | null = null;
    for (let generation = 1; generation <= 10; generation += 1) {
      const { model } = await openThings(first, { generation });
      const [refused] = await Promise.all([
        first.switchPointers([{ name: 'things', expected, generation }]),
        second.drop('things', generation),
      ]);
      const isThere = (await second.generations('things')).includes(generation);
      expect(isThere).toBe(refused === null);
      if (!isThere) continue;
      expect(await model.checkpoint()).toBe(0);
      expected = generation;
    }
  });

  it('has no leases any more once it is dropped', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const { model, lease } = await openThings(first);
    await second.drop('things', 1);
    expect(await model.leases.renew(lease, 1_000)).toBe(false);
    await model.leases.release(lease);
    await expect(model.leases.acquire('feed', 'another', 1_000)).rejects.toThrow(/dropped/);
  });

  it('knows which generations were live, as long as they are there', async () => {
    const models = await harness.make();
    for (const generation of [1, 2, 3, 4]) await openThings(models, { generation });
    expect(await models.pastGenerations('things')).toEqual([]);
    await models.switchPointers([{ name: 'things', expected: null, generation: 2 }]);
    await models.switchPointers([{ name: 'things', expected: 2, generation: 3 }]);
    await models.switchPointers([{ name: 'things', expected: 2, generation: 4 }]); // which is refused
    await harness.settle();
    expect(await models.pastGenerations('things')).toEqual([2]);
    await models.switchPointers([{ name: 'things', expected: 3, generation: 2 }]);
    await harness.settle();
    expect(await models.pastGenerations('things')).toEqual([3]);
    await models.drop('things', 3);
    expect(await models.pastGenerations('things')).toEqual([]);
    await openThings(models, { generation: 3 });
    expect(await models.pastGenerations('things')).toEqual([]);
  });

  it('switches several pointers together or none of them', async () => {
    const models = await harness.make();
    for (const generation of [1, 2]) {
      for (const name of ['things', 'others']) await models.open({ name, generation, indexes: {} });
    }
    const both = [
      { name: 'things', expected: null, generation: 1 },
      { name: 'others', expected: null, generation: 1 },
    ];
    expect(await models.switchPointers(both)).toBeNull();
    const things = { name: 'things', expected: 1, generation: 2 };
    for (const [others, reason] of [
      [{ name: 'others', expected: 7, generation: 2 }, 'changed'],
      [{ name: 'others', expected: 1, generation: 8 }, 'gone'],
    ] as const) {
      expect(await models.switchPointers([things, others])).toEqual({ name: 'others', reason });
      expect(await models.switchPointers([others, things])).toEqual({ name: 'others', reason });
    }
    await harness.settle();
    expect(await models.pointers()).toEqual({ things: 1, others: 1 });
  });

  it('lets one of two racers switch, and both see it', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    for (const generation of [1, 2, 3, 4]) await openThings(first, { generation });
    const created = await Promise.all([
      first.switchPointers([{ name: 'things', expected: null, generation: 1 }]),
      second.switchPointers([{ name: 'things', expected: null, generation: 2 }]),
    ]);
    expect(created.filter((refused) => refused === null)).toHaveLength(1);
    const { things: live = 0 } = await first.pointers();
    const switched = await Promise.all([
      first.switchPointers([{ name: 'things', expected: live, generation: 3 }]),
      second.switchPointers([{ name: 'things', expected: live, generation: 4 }]),
    ]);
    expect(switched.filter((refused) => refused === null)).toHaveLength(1);
    await harness.settle();
    const winner = switched[0] === null ? 3 : 4;
    expect([await first.pointers(), await second.pointers()]).toEqual([{ things: winner }, { things: winner }]);
  });

  it('answers only by the named indexes until the others are completed', async () => {
    const models = await harness.make();
    const { model, putAll } = await openThings(models, { fillingWith: ['byGroup'] });
    await putAll(1, [thing('a', { rank: 2 }), thing('b', { rank: 1 })]);
    const byRank = { index: 'byRank', equals: {}, limit: 9 };
    expect(await model.query({ index: 'byGroup', equals: { group: 'g' }, limit: 9 })).toHaveLength(2);
    await expect(model.query(byRank)).rejects.toThrow(/filled/);
    await expect(model.query({ index: 'byRank', equals: {}, limit: 1 })).rejects.toThrow(/filled/);
    const missingBefore: boolean[] = [];
    await model.completeIndexes(async () => {
      missingBefore.push(
        await model.query(byRank).then(
          () => false,
          () => true,
        ),
      );
    });
    expect(missingBefore.length).toBeGreaterThan(1); // in steps, each of which waits for the word
    expect(missingBefore).toContain(false);
    await model.completeIndexes();
    await harness.settle();
    expect((await model.query(byRank)).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await model.changedAfter({ position: 0, id: '' }, 9)).toHaveLength(2);
    const again = await openThings(await harness.interrupt(models), { fillingWith: [] });
    expect(await again.model.query(byRank)).toHaveLength(2);
  });

  it('refuses to fill with an index that is not declared', async () => {
    await expect(openThings(await harness.make(), { fillingWith: ['byNothing'] })).rejects.toThrow(/byNothing/);
  });

  it('drops a generation, and makes an empty one when it is opened again', async () => {
    const models = await harness.make();
    const { write } = await openThings(models);
    const other = await openThings(models, { generation: 2 });
    await write(1, put(thing('a')));
    await other.write(1, put(thing('kept')));
    await models.drop('things', 1);
    await models.drop('things', 1);
    await models.drop('things', 7);
    expect(await models.generations('things')).toEqual([2]);
    const fresh = await openThings(models);
    expect(await fresh.ids()).toEqual([]);
    expect(await fresh.model.checkpoint()).toBe(0);
    expect(await other.ids()).toEqual(['kept']);
  });

  it('drops one as abandoned when it is not live and its leases have run out long enough ago', async () => {
    const models = await harness.make();
    const idleMs = 400;
    const { model, lease } = await openThings(models, { generation: 1 });
    const live = await openThings(models, { generation: 2 });
    await models.switchPointers([{ name: 'things', expected: null, generation: 2 }]);
    await models.open({ name: 'things', generation: 3, indexes: thingIndexes });
    const drop = (generation: number) => models.dropAbandoned('things', generation, idleMs);

    expect([await drop(1), await drop(7)]).toEqual([false, false]);
    await model.leases.renew(lease, 1);
    await live.model.leases.renew(live.lease, 1);
    await model.leases.release(lease);
    expect(await drop(1)).toBe(false);
    await harness.passTime(idleMs + 2);
    expect([await drop(1), await drop(2), await drop(3)]).toEqual([true, false, false]);
    expect(await models.generations('things')).toEqual([2, 3]);
    await expect(model.checkpoint()).rejects.toThrow(/dropped/);
    expect(await (await openThings(models, { generation: 1 })).ids()).toEqual([]);
  });

  it('drops one that was live as abandoned, too, and forgets that it was', async () => {
    const models = await harness.make();
    const { model, lease } = await openThings(models, { generation: 1 });
    await openThings(models, { generation: 2 });
    await models.switchPointers([{ name: 'things', expected: null, generation: 1 }]);
    await models.switchPointers([{ name: 'things', expected: 1, generation: 2 }]);
    await model.leases.renew(lease, 1);
    await harness.passTime(2);
    expect(await models.dropAbandoned('things', 1, 0)).toBe(true);
    await openThings(models, { generation: 1 });
    expect(await models.pastGenerations('things')).toEqual([]);
  });

  it('gives an error, not other data, to those who have a dropped generation open', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const dropped = await openThings(first);
    await dropped.write(1, put(thing('a')));
    const reader = await second.open<Thing>(dropped.model.declaration);
    expect(await reader.get(['a'])).toHaveLength(1);
    await first.drop('things', 1);
    const fresh = await openThings(first);
    await fresh.write(1, put(thing('a', { note: 'other data' })));
    await harness.settle();
    for (const model of [reader, dropped.model]) {
      await expect(model.get(['a'])).rejects.toThrow(/dropped/);
      await expect(model.query({ index: 'byGroup', equals: { group: 'g' }, limit: 1 })).rejects.toThrow(/dropped/);
      await expect(model.checkpoint()).rejects.toThrow(/dropped/);
      await expect(model.write({ changes: [], position: 2, lease: dropped.lease })).rejects.toThrow(/dropped/);
    }
    expect(await (await second.open<Thing>(dropped.model.declaration)).get(['a'])).toEqual([
      thing('a', { note: 'other data' }),
    ]);
  });

  it('remembers which event store it belongs to, once', async () => {
    const models = await harness.make();
    expect(await models.identity()).toBeNull();
    await models.setIdentity('reg_1');
    await models.setIdentity('reg_1');
    await expect(models.setIdentity('reg_2')).rejects.toThrow(/reg_1/);
    expect(await (await harness.interrupt(models)).identity()).toBe('reg_1');
  });

  it('closes twice, and then refuses', async () => {
    const models = await harness.make();
    const { model } = await openThings(models);
    await models.close();
    await models.close();
    await expect(model.get(['a'])).rejects.toThrow();
    await expect(models.pointers()).rejects.toThrow();
    await expect(openThings(models)).rejects.toThrow();
  });
}
