import { afterEach, describe } from 'vitest';
import { specifyLeases } from '../../contract/leases-contract.ts';
import { specifyFiltering } from './filtering.ts';
import { specifyGenerations } from './generations.ts';
import { openGuardedIndex } from './guarded-index.ts';
import type { SearchIndexesHarness } from './harness.ts';
import { specifyNearest } from './nearest.ts';
import { specifyWords } from './words.ts';
import { specifyWriting } from './writing.ts';

/** What every search index promises. There are no options: an adapter passes all of it. */
export function searchIndexContract(name: string, harness: SearchIndexesHarness): void {
  describe(`search index: ${name}`, () => {
    afterEach(() => harness.close());

    describe('writing', () => specifyWriting(harness));
    describe('words', () => specifyWords(harness));
    describe('nearest vectors', () => specifyNearest(harness));
    describe('filters', () => specifyFiltering(harness));
    describe('generations', () => specifyGenerations(harness));
    describe('leases of a generation', () =>
      specifyLeases({
        passTime: harness.passTime,
        makeTwoOnOneBackend: async () => {
          const [first, second] = await harness.makeTwoOnOneBackend();
          return [await openGuardedIndex(first), await openGuardedIndex(second)];
        },
      }));
  });
}
