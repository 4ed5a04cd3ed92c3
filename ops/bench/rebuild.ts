import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import type { BackendSettings } from '../../src/config/backend-settings.ts';
import { fillGenerations } from '../../src/runtime/projector/filling/fill-generations.ts';
import { rebuildProjection } from '../../src/runtime/projector/rebuild.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { percentile } from './worlds/percentile.ts';
import { withDatabase } from './mongodb.ts';
import { type LiveWrites, writesBesideCommand, writesInQuiet, writesInRollout } from './worlds/live-while-filling.ts';
import { fillRegistry } from './worlds/seeded-registry.ts';
import { buildRegistry } from './worlds/served-registry.ts';

const shape = { orgs: 100, sourcesPerOrg: 5, releases: 100_000, bodyChars: 300, emit: true };

/** They store every release whole, or with three indexes. */
const widest = ['release-detail', 'release-feed'];

/** A write is projected within this time, whatever is filled meanwhile. */
const projectedMsMax = 100;

const quietWrites = 100;

const figuresOf = (when: string, { sortedMs, fillSeconds }: LiveWrites): Figure[] => {
  const metric = `append to projected ${when}`;
  return [
    { metric: `${metric}, p50`, value: percentile(sortedMs, 0.5), unit: 'ms' },
    { metric: `${metric}, p95`, value: percentile(sortedMs, 0.95), unit: 'ms', atMost: projectedMsMax },
    { metric: `${metric}, max`, value: sortedMs.at(-1)!, unit: 'ms' },
    { metric: `${metric}, all of it`, value: fillSeconds, unit: 's' },
  ];
};

/** What filling does to live writes, and `where`. */
async function liveFigures(backends: BackendSettings, where: string): Promise<Figure[]> {
  return [
    ...figuresOf(`in quiet, ${where}`, await writesInQuiet(backends, quietWrites)),
    ...figuresOf(`beside registry rebuild, ${where}`, await writesBesideCommand(backends)),
    ...figuresOf(`in a rollout, ${where}`, await writesInRollout(backends)),
  ];
}

/** The same log with its read models in MongoDB. */
const liveOnMongo = (dataDir: string): Promise<Figure[]> =>
  withDatabase(async (mongodbUrl) => {
    const backends = { dataDir, mongodbUrl };
    const { eventStore: store, readModels, close } = await openStores({ backends, onFatal: failBench });
    const outcomes = await fillGenerations(allProjections, { store, readModels, clock: systemClock, holder: 'bench' });
    await close();
    if (outcomes.some(({ kind }) => kind !== 'live')) throw new Error('MongoDB was not filled');
    return liveFigures(backends, 'MongoDB');
  });

/** How fast each read model is made again from the whole log, its indexes included, and what live writes feel of it. */
export const runRebuild = (): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    const figures = await rebuildFigures(dataDir);
    figures.push(...(await liveFigures({ dataDir }, 'embedded')));
    if (process.env['MONGODB_URL_FOR_TESTS']) figures.push(...(await liveOnMongo(dataDir)));
    return figures;
  });

async function rebuildFigures(dataDir: string): Promise<Figure[]> {
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
}
