import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { createSourceContacts } from '../../src/records/source-contacts.ts';
import { importChangelogs } from '../../src/use-cases/importing/import-changelogs.ts';
import type { ImportServices } from '../../src/use-cases/importing/import-session.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';
import { createTestRunners, openTestEventStore } from '../spec/worlds/embedded-registry.ts';
import { webBaseUrl } from '../spec/worlds/small-world.ts';

let folder: TempFolder;
let store: EventStore;
let ops: OperationalStore;
let services: ImportServices;

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
  services = {
    ...createTestRunners(store, systemClock),
    eventStore: store,
    ops,
    contacts: await createSourceContacts(ops, systemClock),
    tokenCounter: { countMany: async (texts) => texts.map(() => 1) },
    clock: systemClock,
    ids: systemIds,
    webBaseUrl,
  };
});

afterEach(async () => {
  await store.close();
  await ops.close();
  folder.remove();
});

it('brings in what can be made of odd headings, and with them all the others', async () => {
  const odd = ['## 1.2.0 rings a \u0007 bell', `## 1.1.0 ${'is long '.repeat(100)}`];
  const plain = Array.from({ length: 20 }, (_, minor) => `## 0.${minor}.0`);
  const text = [...odd, ...plain].map((heading) => `${heading}\n\n- Something\n\n`).join('');
  const changelog = { path: 'kit/CHANGELOG.md', folderName: 'kit', rootName: 'acme', text, manifest: null };
  const { releases, skipped } = await importChangelogs(services, {
    name: 'kit',
    changelogs: [() => changelog],
    backfillDays: 7,
    actor: 'system:import',
    onProgress: () => undefined,
  });
  expect(skipped).toEqual([]);
  expect(releases.inserted).toBe(odd.length + plain.length);
});
