import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { rebuildProjection } from '../../src/runtime/projector/rebuild.ts';
import { createChildProcesses } from '../spec/processes/child-processes.ts';
import { createTestRunners, openTestEventStore } from '../spec/worlds/embedded-registry.ts';
import { documentsOf } from '../spec/worlds/read-model-documents.ts';
import { createTestSource, ingestBatch } from '../spec/worlds/source-world.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const children = createChildProcesses();
const projection = allProjections.find(({ name }) => name === 'release-feed')!;
let folder: TempFolder;
let store: EventStore;

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
});

afterEach(async () => {
  await children.killAll();
  await store.close();
  folder.remove();
});

describe('a rebuild that is killed', () => {
  it('goes on where it was, and its documents are those of a fresh one, byte for byte', async () => {
    const { commands, batches } = createTestRunners(store, systemClock);
    const sourceId = await createTestSource(commands, 'Acme', 1);
    for (let batch = 0; batch < 9; batch += 1) await ingestBatch(batches, sourceId, batch, 300);
    const head = await store.head();

    const { child, lines } = children.run(import.meta.url, 'rebuild-child', folder.path, projection.name);
    for await (const line of lines) if (Number(line) > head / 4) break;
    await children.kill(child);

    // For a later clock the lease of the killed process has run out.
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + 60_000 };
    const readModels = await createEmbeddedReadModels({ folder: folder.path, clock });
    const rebuild = async (positions: number[] = []) => {
      const onProgress = ({ position }: { position: number }) => void positions.push(position);
      const { generation } = await rebuildProjection(projection, {
        store,
        readModels,
        clock,
        holder: 'test',
        onProgress,
      });
      return documentsOf(await readModels.open({ ...projection, generation }));
    };
    const generation = firstBuild(projection);
    expect(await readModels.pointers()).toEqual({});
    const begun = await readModels.open({ ...projection, generation });
    const reached = await begun.checkpoint();
    expect(reached).toBeGreaterThan(head / 4);
    expect(reached).toBeLessThan(head);

    const positions: number[] = [];
    const resumed = await rebuild(positions);
    expect(positions[0]).toBeGreaterThan(reached);
    expect(await readModels.pointers()).toEqual({ 'release-feed': generation });
    expect(await begun.checkpoint()).toBe(head);
    const fresh = await rebuild();
    expect(await readModels.pointers()).toEqual({ 'release-feed': generation + 1 });
    expect(resumed).toHaveLength(7 * 300);
    expect(resumed).toEqual(fresh);
    await readModels.close();
  });
});
