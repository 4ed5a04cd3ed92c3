import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VectorStore } from '../../../src/ports/search-index.ts';
import { towards } from '../search-index/harness.ts';

export interface VectorStoreHarness {
  /** Over an empty back end. */
  readonly make: () => Promise<VectorStore>;
  /** Closes a store; answers another one over the same back end. */
  readonly interrupt: (store: VectorStore) => Promise<VectorStore>;
  /** Closes all that was made and forgets its data; the harness can be used again. */
  readonly close: () => Promise<void>;
}

/** What every store of vectors promises. There are no options: an adapter passes all of it. */
export function vectorStoreContract(name: string, harness: VectorStoreHarness): void {
  describe(`store of vectors: ${name}`, () => {
    let store: VectorStore;
    beforeEach(async () => {
      store = await harness.make();
    });
    afterEach(() => harness.close());

    it('knows vectors by model and text, also when it is opened again', async () => {
      await store.put('small', [
        { textHash: 'one', vector: towards(0, 0.3) },
        { textHash: 'two', vector: towards(4) },
      ]);
      await store.put('large', [{ textHash: 'one', vector: towards(9) }]);
      store = await harness.interrupt(store);
      const known = await store.get('small', ['one', 'two', 'three']);
      expect([...known.keys()]).toEqual(['one', 'two']);
      for (const [axis, value] of towards(0, 0.3).entries()) expect(known.get('one')![axis]).toBeCloseTo(value, 2);
      expect((await store.get('large', ['one'])).get('one')).toEqual(towards(9));
      expect(await store.get('unknown', ['one'])).toEqual(new Map());
    });

    it('replaces a vector, and forgets what a text had of every model', async () => {
      await store.put('small', [{ textHash: 'one', vector: towards(0) }]);
      await store.put('small', [{ textHash: 'one', vector: towards(1) }]);
      await store.put('large', [{ textHash: 'one', vector: towards(2) }]);
      await store.put('large', [{ textHash: 'kept', vector: towards(3) }]);
      expect((await store.get('small', ['one'])).get('one')).toEqual(towards(1));
      await store.forget([{ holder: 'a', textHashes: [], formerHashes: ['one', 'never there'] }]);
      expect(await store.get('small', ['one'])).toEqual(new Map());
      expect([...(await store.get('large', ['one', 'kept'])).keys()]).toEqual(['kept']);
    });

    const keep = async (...held: [holder: string, ...textHashes: string[]][]): Promise<void> => {
      await store.hold(held.map(([holder, ...textHashes]) => ({ holder, textHashes })));
      const hashes = [...new Set(held.flatMap(([, ...textHashes]) => textHashes))];
      await store.put(
        'small',
        hashes.map((textHash) => ({ textHash, vector: towards(1) })),
      );
    };
    const knownOf = async (...hashes: string[]) => [...(await store.get('small', hashes)).keys()];

    it('forgets what was left by the last that held it, also when it is opened again', async () => {
      await keep(['a', 'one', 'two'], ['b', 'two', 'three']);
      store = await harness.interrupt(store);
      await store.forget([{ holder: 'a', textHashes: [], formerHashes: [] }]);
      expect(await knownOf('one', 'two', 'three')).toEqual(['two', 'three']);
      await store.forget([{ holder: 'b', textHashes: ['three'], formerHashes: [] }]);
      expect(await knownOf('two', 'three')).toEqual(['three']);
    });

    it('forgets what those left that leave it together, and as often as it is said', async () => {
      await keep(['a', 'one'], ['b', 'one']);
      const left = ['a', 'b'].map((holder) => ({ holder, textHashes: [], formerHashes: ['one'] }));
      for (let times = 0; times < 2; times += 1) await store.forget(left);
      expect(await knownOf('one')).toEqual([]);
      await keep(['a', 'one'], ['b', 'one']);
      await Promise.all(left.map((one) => store.forget([one])));
      expect(await knownOf('one')).toEqual([]);
    });

    it('leaves alone what is held where only former texts are left', async () => {
      await keep(['a', 'one', 'two', 'three']);
      await store.hold([{ holder: 'a', textHashes: ['one'] }]);
      await store.forget([
        { holder: 'a', textHashes: null, formerHashes: ['one'] },
        { holder: 'a', textHashes: null, formerHashes: ['two'] },
      ]);
      expect(await knownOf('one', 'two', 'three')).toEqual(['three']);
    });

    it('takes the same vectors of many at once', async () => {
      const vectors = Array.from({ length: 50 }, (_, number) => ({ textHash: `text ${number}`, vector: towards(2) }));
      const hashes = vectors.map(({ textHash }) => textHash);
      await Promise.all(Array.from({ length: 4 }, () => store.hold([{ holder: 'a', textHashes: hashes }])));
      await Promise.all(Array.from({ length: 4 }, () => store.put('small', vectors)));
      expect([...(await store.get('small', hashes)).keys()]).toEqual(hashes);
    });

    it('does nothing where nothing is given', async () => {
      await store.put('small', []);
      await store.hold([]);
      await store.hold([{ holder: 'a', textHashes: [] }]);
      await store.forget([]);
      expect(await store.get('small', [])).toEqual(new Map());
    });
  });
}
