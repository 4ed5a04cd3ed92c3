import { cpSync } from 'node:fs';
import { allProjections } from '../../../projections/all-projections.ts';
import type { BodyPart } from '../../../projections/bodies/bodies.ts';
import type { InstantsDocument } from '../../../projections/instants/instants.ts';
import type { LookupRow } from '../../../projections/lookups/lookups.ts';
import type { OrgDocument } from '../../../projections/org/org.ts';
import type { PendingRow } from '../../../projections/pending/pending.ts';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { ReleaseDocument } from '../../../projections/release-detail/release-detail.ts';
import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { QueryDeps } from '../../../queries/query-deps.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { type Catalogue, createCatalogue } from '../../../src/catalogue/catalogue.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { firstBuild } from '../../../src/runtime/projector/generations.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { rebuildProjection } from '../../../src/runtime/projector/rebuild.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import type { Seeded } from '../seeded.ts';
import { createTempFolder, type TempFolder } from '../temp-folder.ts';

const leaseTtlMs = 60_000;

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
    const generation = firstBuild(projection);
    await readModels.open({ name, generation, indexes });
    await readModels.switchPointers([{ name, expected: null, generation }]);
    const fillingWith = projection.patchIndexes ?? [];
    await readModels.open({ name, generation: generation + 1, indexes }, { fillingWith });
  }
  await readModels.close();
  return folder;
}

export const copyOfFolder = (from: TempFolder): TempFolder => {
  const folder = createTempFolder();
  cpSync(from.path, folder.path, { recursive: true });
  return folder;
};

type Models = ReadonlyMap<string, ReadModel>;

const modelOf = <Doc extends Document>(models: Models, name: string): ReadModel<Doc> => {
  const model = models.get(name);
  if (model === undefined) throw new Error(`there is no read model ${name}`);
  return model as unknown as ReadModel<Doc>;
};

export interface Reading extends QueryDeps {
  readonly models: Models;
  readonly catalogue: Catalogue;
  readonly pending: ReadModel<PendingRow>;
  readonly lookups: ReadModel<LookupRow>;
}

const readingFrom = async (models: Models): Promise<Reading> => ({
  models,
  catalogue: await createCatalogue({
    org: modelOf<OrgDocument>(models, 'org'),
    product: modelOf<ProductDocument>(models, 'product'),
    source: modelOf<SourceDocument>(models, 'source'),
    instants: modelOf<InstantsDocument>(models, 'instants'),
  }),
  releaseFeed: modelOf<FeedRow>(models, 'release-feed'),
  releaseDetail: modelOf<ReleaseDocument>(models, 'release-detail'),
  bodies: modelOf<BodyPart>(models, 'bodies'),
  pending: modelOf<PendingRow>(models, 'pending'),
  lookups: modelOf<LookupRow>(models, 'lookups'),
  fetchState: () => undefined,
  webBaseUrl: 'https://registry.example',
});

export interface FollowedRegistry {
  /** Over the live read models, with a catalogue that follows them from the beginning. */
  readonly live: Reading;
  /** Feeds every live read model up to the head, in batches of random sizes. */
  readonly follow: (random: Seeded) => Promise<void>;
  /** Fills every read model anew beside the live one; a catalogue is loaded from the result. */
  readonly rebuild: () => Promise<Reading>;
  readonly close: () => Promise<void>;
}

/** The read side of a data folder, fed by hand. */
export async function followRegistry(folder: string, store: EventStore, clock: Clock): Promise<FollowedRegistry> {
  const readModels = await createEmbeddedReadModels({ folder, clock });
  const openAll = async (): Promise<Models> => {
    const pointers = await readModels.pointers();
    const models = new Map<string, ReadModel>();
    for (const { name, indexes } of allProjections) {
      models.set(name, await readModels.open({ name, generation: pointers[name]!, indexes }));
    }
    return models;
  };

  const live = await readingFrom(await openAll());
  const targets = await Promise.all(
    allProjections.map(async (projection) => {
      const model = modelOf(live.models, projection.name);
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
      return readingFrom(await openAll());
    },
    close: () => readModels.close(),
  };
}
