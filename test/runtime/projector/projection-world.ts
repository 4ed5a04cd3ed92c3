import { createOrg } from '../../../commands/org/create-org.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { OrgEvent } from '../../../src/domain/org/events.ts';
import { defineProjection, type Document, one, type Projection } from '../../../src/kernel/projection.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModel, ReadModels } from '../../../src/ports/read-models.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { countIn } from '../../spec/worlds/read-model-documents.ts';

interface OrgName extends Document {
  readonly name: string;
  readonly text: string;
}

export interface NamesOptions {
  readonly generation?: number;
  /** Characters that each document carries along. */
  readonly textLength?: number;
  /** Called with the name of each org before it is folded; what it throws the fold throws. */
  readonly whenFolding?: (orgName: string) => void;
}

/** The names of all orgs: a read model as small as can be. */
export const namesProjection = (name: string, options: NamesOptions = {}): Projection => {
  const { generation = 1, textLength = 0, whenFolding } = options;
  return defineProjection<OrgName, OrgEvent>({
    name,
    generation,
    indexes: { byName: ['name'] },
    on: {
      'OrgCreated.v1': one((_, { data, stream }) => {
        whenFolding?.(data.name);
        return { id: stream.id, name: data.name, text: 'x'.repeat(textLength) };
      }),
    },
  });
};

/** The read models, each changed in some way when it is opened. */
export const opening = (readModels: ReadModels, change: (model: ReadModel) => Partial<ReadModel>): ReadModels => ({
  ...readModels,
  open: async (...given) => {
    const model = await readModels.open(...given);
    return { ...model, ...change(model as never) } as never;
  },
});

export interface ProjectionWorld {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** Answers the position of the last one. */
  readonly createOrgs: (count: number) => Promise<number>;
  readonly namesIn: (projection: Projection) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** An event store with orgs in it, and read models beside, whose leases run by that clock. */
export async function openProjectionWorld(clock: Clock = systemClock): Promise<ProjectionWorld> {
  const folder = createTempFolder();
  const store = await openTestEventStore(folder.path);
  const readModels = await createEmbeddedReadModels({ folder: folder.path, clock });
  const { commands } = createTestRunners(store, systemClock);
  let requests = 0;
  return {
    store,
    readModels,
    createOrgs: async (count) => {
      let position = 0;
      for (let made = 0; made < count; made += 1) {
        requests += 1;
        position = (await commands.run(createOrg, { name: `Org ${requests}` }, requestOf(requests))).position;
      }
      return position;
    },
    namesIn: async ({ name, indexes }) => {
      const generation = (await readModels.pointers())[name];
      if (generation === undefined) return 0;
      return countIn(await readModels.open({ name, generation, indexes }), { index: 'byName', equals: {} });
    },
    close: async () => {
      await readModels.close();
      await store.close();
      folder.remove();
    },
  };
}
