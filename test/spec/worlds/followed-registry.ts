import { cpSync } from 'node:fs';
import { allProjections } from '../../../projections/all-projections.ts';
import { createWholeOrgTurns } from '../../../queries/past/in-turn.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { createCatalogue } from '../../../src/catalogue/catalogue.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModelSet, ReadModels } from '../../../src/ports/read-models.ts';
import { firstBuild } from '../../../src/runtime/projector/generations.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { rebuildProjection } from '../../../src/runtime/projector/rebuild.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import type { Seeded } from '../seeded.ts';
import { createTempFolder, type TempFolder } from '../temp-folder.ts';
import { madeUpEmbeddedAt, madeUpFetchState } from '../naive/naive-fetches.ts';

const leaseTtlMs = 60_000;

/** The live build of every read model, in which nothing happened yet. */
const openFirstBuild = async (readModels: ReadModels, projection: (typeof allProjections)[number]): Promise<number> => {
  const { name, indexes } = projection;
  const generation = firstBuild(projection);
  await readModels.open({ name, generation, indexes });
  await readModels.switchPointers([{ name, expected: null, generation }]);
  return generation;
};

/**
 * A data folder where nothing happened yet: the live build of every read model, and the next one as a rebuild leaves it
 * that was stopped before its first event. Copying it takes a few milliseconds, making it a hundred times that.
 */
export async function createEmptyDataFolder(): Promise<TempFolder> {
  const folder = createTempFolder();
  await openInThreadEventStore(folder.path).close();
  const readModels = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
  for (const projection of allProjections) {
    const { name, indexes } = projection;
    const generation = await openFirstBuild(readModels, projection);
    const fillingWith = projection.patchIndexes ?? [];
    await readModels.open({ name, generation: generation + 1, indexes }, { fillingWith });
  }
  await readModels.close();
  return folder;
}

/** The same without what a rebuild left: for stores that cannot be copied. */
export async function createEmptyReadModels(readModels: ReadModels): Promise<void> {
  await Promise.all(allProjections.map((projection) => openFirstBuild(readModels, projection)));
}

export const copyOfFolder = (from: TempFolder): TempFolder => {
  const folder = createTempFolder();
  cpSync(from.path, folder.path, { recursive: true });
  return folder;
};

const readingFrom = async (models: ReadModelSet, streams: EventStore): Promise<PastDeps> => ({
  models,
  streams,
  clock: createFakeClock(),
  longPageTurns: createTurns(createFakeClock(), 1),
  wholeOrgTurns: createWholeOrgTurns(createFakeClock()),
  catalogue: await createCatalogue(models),
  fetchStates: async (ids) => ids.map(madeUpFetchState),
  embeddedAt: async (ids) => madeUpEmbeddedAt(ids),
  webBaseUrl: 'https://registry.example',
});

export interface FollowedRegistry {
  /** Over the live read models, with a catalogue that follows them from the beginning. */
  readonly live: PastDeps;
  /** Feeds every live read model up to the head, in batches of random sizes. */
  readonly follow: (random: Seeded) => Promise<void>;
  /** Fills every read model anew beside the live one; a catalogue is loaded from the result. */
  readonly rebuild: () => Promise<PastDeps>;
  /** Empties the logs of the read models. */
  readonly scrub: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The read side of a data folder, fed by hand. */
export async function followRegistry(
  folder: string,
  store: EventStore,
  clock: Clock,
  openReadModels: typeof createEmbeddedReadModels = createEmbeddedReadModels,
): Promise<FollowedRegistry> {
  const readModels = await openReadModels({ folder, clock });
  const openAll = async (): Promise<ReadModelSet> => {
    const models = await createLiveReadModels(readModels, allProjections, clock).current();
    if (models === null) throw new Error('a read model has no live generation');
    return models;
  };

  const live = await readingFrom(await openAll(), store);
  const targets = await Promise.all(
    allProjections.map(async (projection) => {
      const model = live.models.of(projection);
      const lease = await model.leases.acquire('feed', 'live', leaseTtlMs);
      if (lease === null) throw new Error(`no lease on ${projection.name}`);
      return createProjectionTarget(projection, model, lease);
    }),
  );
  const types = [...new Set(allProjections.flatMap((projection) => Object.keys(projection.on)))];

  return {
    live,
    follow: async (random) => {
      let afterPosition = Math.min(...targets.map((target) => target.checkpoint()));
      const head = await store.head();
      while (afterPosition < head) {
        const batch = await store.readAll({ afterPosition, limit: random.int(1, random.pick([1, 5, 60])), types });
        for (const target of targets) await target.feed(batch);
        afterPosition = batch.position;
      }
    },
    rebuild: async () => {
      for (const projection of allProjections) {
        await rebuildProjection(projection, { store, readModels, clock, holder: 'rebuild' });
      }
      return readingFrom(await openAll(), store);
    },
    scrub: readModels.scrub,
    close: () => readModels.close(),
  };
}
