import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose/open-stores.ts';
import { rebuildProjection } from '../../src/runtime/projector/rebuild.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { fillRegistry } from './worlds/seeded-registry.ts';

const shape = { orgs: 100, sourcesPerOrg: 5, releases: 100_000, bodyChars: 300, emit: true };

/** They store every release whole, or with three indexes. */
const widest = ['release-detail', 'release-feed'];

/** How fast each read model is made again from the whole log: events passed, its indexes included. */
export const runRebuild = (): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const { eventStore: store, readModels, close } = await openStores({ backends: { dataDir }, onFatal: failBench });
    try {
      const filledMs = performance.now();
      await fillRegistry(store, shape);
      const events = await store.head();
      const figures: Figure[] = [
        { metric: `events in the log, of ${shape.releases} releases`, value: events, unit: 'events' },
        { metric: 'making the log', value: events / secondsSince(filledMs), unit: 'events/s' },
      ];
      for (const projection of allProjections) {
        const startedMs = performance.now();
        await rebuildProjection(projection, { store, readModels, clock: systemClock, holder: 'bench' });
        const value = events / secondsSince(startedMs);
        const atLeast = widest.includes(projection.name) ? 15_000 : 60_000;
        figures.push({ metric: `rebuild of ${projection.name}`, value, unit: 'events/s', atLeast });
      }
      return figures;
    } finally {
      await close();
    }
  });
