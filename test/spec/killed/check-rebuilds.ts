import { expect } from 'vitest';
import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { openStores } from '../../../src/compose/stores/open-stores.ts';
import type { BackendSettings } from '../../../src/config/backend-settings.ts';
import { rebuildProjection } from '../../../src/runtime/projector/rebuild.ts';
import { documentsOf } from '../worlds/read-model-documents.ts';

// Positions of documents that an erased release once changed are not in the log any more: compare the texts.
const texts = (rows: readonly string[]) => rows.map((row) => row.replace(/ @\d+ /, ' '));

/** Every read model that a service has left is what a fresh rebuild makes of the events. */
export async function checkRebuilds(backends: BackendSettings): Promise<void> {
  const stores = await openStores({
    backends,
    onFatal: (error) => {
      throw error;
    },
  });
  const { eventStore: store, readModels } = stores;
  for (const projection of allProjections) {
    const live = (await readModels.pointers())[projection.name]!;
    const before = await documentsOf(await readModels.open({ ...projection, generation: live }));
    const deps = { store, readModels, clock: systemClock, holder: 'test' };
    const { generation } = await rebuildProjection(projection, deps);
    const after = await documentsOf(await readModels.open({ ...projection, generation }));
    expect(texts(after), projection.name).toEqual(texts(before));
  }
  await stores.close();
}
