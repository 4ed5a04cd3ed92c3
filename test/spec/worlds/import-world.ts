import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { createSourceContacts } from '../../../src/records/source-contacts.ts';
import type { ImportServices } from '../../../src/use-cases/importing/import-session.ts';
import { createTempFolder } from '../temp-folder.ts';
import { createTestRunners, openTestEventStore } from './embedded-registry.ts';
import { webBaseUrl } from './small-world.ts';

/** What an import works with, on empty embedded stores. */
export async function openImportWorld(): Promise<{
  readonly store: EventStore;
  readonly services: ImportServices;
  readonly close: () => Promise<void>;
}> {
  const folder = createTempFolder();
  const store = await openTestEventStore(folder.path);
  const onFatal = (error: Error) => {
    throw error;
  };
  const ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
  return {
    store,
    services: {
      ...createTestRunners(store, systemClock),
      eventStore: store,
      ops,
      contacts: await createSourceContacts(ops, systemClock),
      tokenCounter: { countMany: async (texts) => texts.map(() => 1) },
      clock: systemClock,
      ids: systemIds,
      webBaseUrl,
    },
    close: async () => {
      await store.close();
      await ops.close();
      folder.remove();
    },
  };
}
