import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { catalogueReads, createCatalogue } from '../../../src/catalogue/catalogue.ts';
import { openStores } from '../../../src/compose/stores/open-stores.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { ReadModelSet, ReadModels } from '../../../src/ports/read-models.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { rebuildProjection } from '../../../src/runtime/projector/rebuild.ts';
import { releaseFeedReads } from '../../../queries/feed/release-feed-answer.ts';
import type { QueryDeps } from '../../../queries/shape/query-deps.ts';
import { failBench, secondsSince } from './bench-folder.ts';
import { benchWebBaseUrl } from './seeded-data.ts';
import { fillRegistry } from './seeded-registry.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';

export const orgCount = 100;
const sourcesPerOrg = 5;

/** One org in ten hides three of its five sources, two others hide one: a tenth of all sources is hidden. */
export const isVeiledOrg = (org: number): boolean => org % 10 === 0;
const hidesOne = (org: number): boolean => org % 10 === 3 || org % 10 === 5;
const isHidden = (org: number, source: number): boolean =>
  isVeiledOrg(org) ? source < 3 : hidesOne(org) && source === 0;

const projections: readonly Projection[] = [...catalogueReads, ...releaseFeedReads];

/** Where a world is kept: the events always in the folder, the read models there or in the database of that address. */
export interface WorldPlace {
  readonly dataDir: string;
  readonly mongodbUrl?: string;
}

export interface FeedWorld {
  readonly releases: number;
  readonly fillSeconds: number;
  readonly catalogueSeconds: number;
  readonly catalogueMiB: number;
  /** On connections that have read nothing yet; what they read may lie in the file cache of the system. */
  readonly withColdModels: <Result>(work: (deps: QueryDeps) => Promise<Result>) => Promise<Result>;
}

const usedMiB = (): number => {
  if (globalThis.gc === undefined) throw new Error('memory can be told only with --expose-gc');
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 ** 2;
};

async function fill(place: WorldPlace, releases: number): Promise<void> {
  const { eventStore: store, readModels, close } = await openStores({ backends: place, onFatal: failBench });
  try {
    const isFilled = (await store.head()) > releases; // another world has the same events
    if (!isFilled)
      await fillRegistry(store, { orgs: orgCount, sourcesPerOrg, releases, bodyChars: 300, emit: false, isHidden });
    for (const projection of projections) {
      await rebuildProjection(projection, { store, readModels, clock: systemClock, holder: 'bench' });
    }
  } finally {
    await close();
  }
}

async function openReadModels({ dataDir, mongodbUrl }: WorldPlace): Promise<ReadModels> {
  if (mongodbUrl === undefined) {
    return createEmbeddedReadModels({ folder: dataDir, clock: systemClock, readonly: true });
  }
  const connection = await openMongo({ url: mongodbUrl, appName: 'registry bench' });
  return { ...createMongoReadModels({ connection, clock: systemClock }), close: connection.close };
}

async function withReadModels<Result>(
  place: WorldPlace,
  work: (models: ReadModelSet) => Promise<Result>,
): Promise<Result> {
  const readModels = await openReadModels(place);
  try {
    const live = await createLiveReadModels(readModels, projections, systemClock).current();
    if (live === null) throw new Error('the read models are not filled');
    return await work(live);
  } finally {
    await readModels.close();
  }
}

/** A registry of so many releases, projected, with its catalogue in memory. */
export async function createFeedWorld(place: WorldPlace, releases: number): Promise<FeedWorld> {
  const filledMs = performance.now();
  await fill(place, releases);
  const fillSeconds = secondsSince(filledMs);

  const usedBefore = usedMiB();
  const loadedMs = performance.now();
  const catalogue = await withReadModels(place, createCatalogue);
  const catalogueSeconds = secondsSince(loadedMs);

  return {
    releases,
    fillSeconds,
    catalogueSeconds,
    catalogueMiB: usedMiB() - usedBefore,
    withColdModels: (work) =>
      withReadModels(place, (models) =>
        work({
          models,
          catalogue,
          fetchStates: async (ids) => ids.map(() => neverFetched),
          embeddedAt: async () => null,
          webBaseUrl: benchWebBaseUrl,
        }),
      ),
  };
}
