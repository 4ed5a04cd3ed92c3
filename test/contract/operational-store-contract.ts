import { afterEach, describe } from 'vitest';
import { specifyLeases } from './leases-contract.ts';
import { specifyExpiring } from './operational-store/expiring.ts';
import { openGuardedDocument } from './operational-store/guarded-document.ts';
import type { OperationalStoreHarness } from './operational-store/harness.ts';
import { specifyQuerying } from './operational-store/querying.ts';
import { specifyTransacting } from './operational-store/transacting.ts';

/** What every operational store promises. There are no options: an adapter passes all of it. */
export function operationalStoreContract(name: string, harness: OperationalStoreHarness): void {
  describe(`operational store: ${name}`, () => {
    afterEach(() => harness.close());

    describe('transacting', () => specifyTransacting(harness));
    describe('querying', () => specifyQuerying(harness));
    describe('expiring', () => specifyExpiring(harness));
    describe('leases', () =>
      specifyLeases({
        passTime: harness.passTime,
        makeTwoOnOneBackend: async () => {
          const [first, second] = await harness.makeTwoOnOneBackend();
          return [await openGuardedDocument(first), await openGuardedDocument(second)];
        },
      }));
  });
}
