import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { openStores } from '../../../src/compose/stores/open-stores.ts';
import type { BackendSettings } from '../../../src/config/backend-settings.ts';
import { fillGenerations } from '../../../src/runtime/projector/filling/fill-generations.ts';
import { failBench } from './bench-folder.ts';
import { fillRegistry, type RegistryShape } from './seeded-registry.ts';

/** A log of that shape and every read model of it, in one pass. */
export async function fillAll(backends: BackendSettings, shape: RegistryShape): Promise<void> {
  const { eventStore: store, readModels, close } = await openStores({ backends, onFatal: failBench });
  try {
    await fillRegistry(store, shape);
    const outcomes = await fillGenerations(allProjections, { store, readModels, clock: systemClock, holder: 'bench' });
    const failed = outcomes.filter(({ kind }) => kind !== 'live');
    if (failed.length > 0) throw new Error(`not filled: ${failed.map(({ name }) => name).join(', ')}`);
  } finally {
    await close();
  }
}
