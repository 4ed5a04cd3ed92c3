import { put } from '../../../src/kernel/projection.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import type { GuardedStore } from '../leases-contract.ts';
import { at, type Thing, thing, thingIndexes } from './harness.ts';

/** A document of a read model, written under its leases. */
export const openGuardedModel = async (models: ReadModels): Promise<GuardedStore> => {
  const model = await models.open<Thing>({ name: 'guarded', generation: 1, indexes: thingIndexes });
  return {
    leases: model.leases,
    write: async (lease, value) => {
      for (;;) {
        const position = (await model.checkpoint()) + 1;
        const changes = [at(position, put(thing('guarded', { note: value })))];
        const outcome = await model.write({ changes, position, lease });
        if (outcome === 'written' || outcome === 'stale_lease') return outcome;
        if (outcome !== 'behind') throw new Error(`the write was ${outcome}`);
      }
    },
    read: async () => (await model.get(['guarded']))[0]?.note ?? null,
  };
};
