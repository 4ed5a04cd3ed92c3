import { allProjections } from '../../projections/all-projections.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { rebuildProjection } from '../../src/runtime/projector/rebuild.ts';
import { openTestEventStore } from '../spec/worlds/embedded-registry.ts';

// Rebuilds one read model in small steps and says after each how far it is, so that it can be killed on the way.
const [folder = '', name = ''] = process.argv.slice(2);
const stepMs = 3;
const store = await openTestEventStore(folder);
const readModels = await createEmbeddedReadModels({ folder, clock: systemClock });
await rebuildProjection(allProjections.find((projection) => projection.name === name)!, {
  store: {
    ...store,
    readAll: async (options) => {
      await systemClock.sleep(stepMs);
      return store.readAll({ ...options, limit: 20 });
    },
  },
  readModels,
  clock: systemClock,
  holder: 'child',
  onProgress: ({ position }) => void process.stdout.write(`${position}\n`),
});
