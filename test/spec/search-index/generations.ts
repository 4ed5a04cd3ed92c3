import { expect, it } from 'vitest';
import { GenerationDropped } from '../../../src/ports/search-index.ts';
import { documentOf, nearList, openIndex, type SearchIndexesHarness, towards, vectorSpace } from './harness.ts';

const shortMs = 400;

export function specifyGenerations(harness: SearchIndexesHarness): void {
  it('belongs to one registry for good, as whoever opens it is told', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    expect(await first.identity()).toBeNull();
    await first.setIdentity('registry 1');
    expect([await first.identity(), await second.identity()]).toEqual(['registry 1', 'registry 1']);
    await second.setIdentity('registry 1');
    await expect(second.setIdentity('registry 2')).rejects.toThrow('registry 1');
    expect(await first.identity()).toBe('registry 1');
  });

  it('tells whether somebody holds a lease, and keeps nobody from taking it by the look', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const [held, looked] = [await first.open(1), await second.open(1)];
    expect(await looked.isLeased('feed')).toBe(false);
    const lease = await held.leases.acquire('feed', 'a', shortMs);
    expect(lease).toMatchObject({ epoch: 1 });
    expect([await looked.isLeased('feed'), await looked.isLeased('other')]).toEqual([true, false]);
    await harness.passTime(shortMs + 1);
    expect(await looked.isLeased('feed')).toBe(false);
    expect(await held.leases.renew(lease!, shortMs)).toBe(true);
    expect(await looked.isLeased('feed')).toBe(true);
    await held.leases.release(lease!);
    expect(await looked.isLeased('feed')).toBe(false);
    expect(await looked.leases.acquire('feed', 'b', shortMs)).toMatchObject({ epoch: 2 });
  });

  it('keeps two generations side by side', async () => {
    const indexes = await harness.make();
    const old = await openIndex(indexes, 1);
    const next = await openIndex(indexes, 12);
    await old.putAll(9, [documentOf('one', { title: 'old' })]);
    await next.putAll(3, [documentOf('one', { title: 'new' }), documentOf('two', { title: 'new' })]);
    expect(await old.find('old')).toEqual(['one']);
    expect(await old.find('new')).toEqual([]);
    expect((await next.find('new')).sort()).toEqual(['one', 'two']);
    expect([await old.index.checkpoint(), await next.index.checkpoint()]).toEqual([9, 3]);
    expect(await indexes.generations()).toEqual([1, 12]);
  });

  it('opens what is there, not a new one', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    await (await openIndex(first)).putAll(1, [documentOf('one', { title: 'quokka' })]);
    expect(await (await openIndex(first)).find('quokka')).toEqual(['one']);
    expect(await (await openIndex(second)).find('quokka')).toEqual(['one']);
  });

  it('switches the pointer only from the expected generation, and to one that is there', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    for (const generation of [1, 2]) await first.open(generation);
    expect(await second.pointer()).toBeNull();
    expect(await first.switchPointer(1, 2)).toBe(false);
    expect(await first.switchPointer(null, 7)).toBe(false);
    expect(await first.switchPointer(null, 1)).toBe(true);
    expect(await second.pointer()).toBe(1);
    expect(await second.switchPointer(null, 2)).toBe(false);
    expect(await second.switchPointer(1, 2)).toBe(true);
    expect([await first.pointer(), await second.pointer()]).toEqual([2, 2]);
  });

  it('switches for one of many who ask at once', async () => {
    const stores = await harness.makeTwoOnOneBackend();
    for (const generation of [1, 2]) await stores[0].open(generation);
    const asked = stores.flatMap((indexes) => [1, 2].map((generation) => indexes.switchPointer(null, generation)));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  });

  it('never drops the live generation', async () => {
    const indexes = await harness.make();
    const { putAll, find } = await openIndex(indexes);
    await putAll(1, [documentOf('one', { title: 'quokka' })]);
    expect(await indexes.switchPointer(null, 1)).toBe(true);
    await indexes.drop(1);
    expect(await indexes.generations()).toEqual([1]);
    expect(await find('quokka')).toEqual(['one']);
  });

  it('drops one for all who have it open, and makes it anew under the same number', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    const { putAll, index, lease, write } = await openIndex(first);
    const elsewhere = await second.open(1);
    await putAll(1, [documentOf('one', { title: 'quokka' })]);
    expect(await elsewhere.count('release')).toBe(1);
    await second.drop(1);
    await second.drop(1);
    expect(await first.generations()).toEqual([]);
    expect(await first.switchPointer(null, 1)).toBe(false);
    const words = { tokens: ['quokka'], isPrefix: false };
    for (const dropped of [index, elsewhere]) {
      await expect(dropped.count('release')).rejects.toThrow(/dropped/);
      await expect(dropped.search([])).rejects.toThrow(GenerationDropped);
      await expect(dropped.search([nearList(towards(0))])).rejects.toThrow(GenerationDropped);
      await expect(dropped.matching('release', ['one'], words)).rejects.toThrow(GenerationDropped);
      await expect(dropped.vectorsOf('release', 'one', vectorSpace)).rejects.toThrow(GenerationDropped);
      await expect(dropped.checkpoint()).rejects.toThrow(GenerationDropped);
    }
    await expect(write(2)).rejects.toThrow(/dropped/);
    expect(await index.leases.renew(lease, 1_000)).toBe(false);
    await index.leases.release(lease);
    const anew = await openIndex(first);
    expect(await anew.find('quokka')).toEqual([]);
    expect(await anew.index.checkpoint()).toBe(0);
    expect(await (await second.open(1)).count('release')).toBe(0);
  });
}
