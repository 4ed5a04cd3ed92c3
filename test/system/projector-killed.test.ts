import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openRegistry } from '../../src/compose/registry.ts';
import { rebuildProjection } from '../../src/runtime/projector/rebuild.ts';
import { createChildProcesses } from '../spec/processes/child-processes.ts';
import { createTestRunners, openTestEventStore } from '../spec/worlds/embedded-registry.ts';
import { documentsOf } from '../spec/worlds/read-model-documents.ts';
import { createSeeded } from '../spec/seeded.ts';
import { buildSmallWorld, webBaseUrl } from '../spec/worlds/small-world.ts';
import { ingestBatch } from '../spec/worlds/source-world.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const children = createChildProcesses();
let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder();
});

afterEach(async () => {
  await children.killAll();
  folder.remove();
});

describe('a process that projects and is killed while another one writes', () => {
  it('leaves read models that go on and equal their rebuild, byte for byte', async () => {
    const random = createSeeded(7);
    const writer = await openTestEventStore(folder.path);
    const runners = createTestRunners(writer, systemClock);
    let batch = 0;
    for (let round = 0; round < 2; round += 1) {
      const { child, lines } = children.run(import.meta.url, 'projecting-child', folder.path);
      await once(lines, 'line');
      const { sourceId } = await buildSmallWorld(runners, `Org ${round}`, 1 + round * 10);
      for (let count = random.int(8, 12); count > 0; count -= 1) {
        await ingestBatch(runners.batches, sourceId, (batch += 1), 100);
      }
      await children.kill(child);
    }
    const head = await writer.head();
    await writer.close();

    const registry = await openRegistry({
      backends: { dataDir: folder.path },
      logLevel: 'error',
      webBaseUrl,
      onFatal: (error) => {
        throw error;
      },
    });
    const { eventStore: store, readModels, live } = registry;
    expect(await live.waitFor(allProjections, head, 30_000)).toBe(true);
    const set = (await live.current())!;
    for (const projection of allProjections) {
      const documents = await documentsOf(set.of(projection));
      const deps = { store, readModels, clock: systemClock, holder: 'test' };
      const { generation } = await rebuildProjection(projection, deps);
      expect(await documentsOf(await readModels.open({ ...projection, generation })), projection.name).toEqual(
        documents,
      );
    }
    await registry.close();
  });
});
