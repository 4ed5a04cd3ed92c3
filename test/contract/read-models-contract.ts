import { afterEach, describe } from 'vitest';
import { specifyLeases } from './leases-contract.ts';
import { specifyGenerations } from './read-models/generations.ts';
import { openGuardedModel } from './read-models/guarded-model.ts';
import type { ReadModelsHarness } from './read-models/harness.ts';
import { specifyPatching } from './read-models/patching.ts';
import { specifyQuerying } from './read-models/querying.ts';
import { specifyWriting } from './read-models/writing.ts';

/** What every store of read models promises. There are no options: an adapter passes all of it. */
export function readModelsContract(name: string, harness: ReadModelsHarness): void {
  describe(`read models: ${name}`, () => {
    afterEach(() => harness.close());

    describe('writing', () => specifyWriting(harness));
    describe('patching by index', () => specifyPatching(harness));
    describe('querying', () => specifyQuerying(harness));
    describe('generations', () => specifyGenerations(harness));
    describe('leases of a generation', () =>
      specifyLeases({
        passTime: harness.passTime,
        makeTwoOnOneBackend: async () => {
          const [first, second] = await harness.makeTwoOnOneBackend();
          return [await openGuardedModel(first), await openGuardedModel(second)];
        },
      }));
  });
}
