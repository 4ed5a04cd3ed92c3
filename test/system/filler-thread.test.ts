import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { productProjection } from '../../projections/product/product.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createFiller } from '../../src/compose/threads/filler-thread.ts';
import { createProjectedStamp, type ProjectedStamp } from '../../src/compose/threads/projected-stamp.ts';
import { StartupError } from '../../src/kernel/startup-error.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { ReadModels } from '../../src/ports/read-models.ts';
import type { FillApart } from '../../src/runtime/projector/filling/build-missing.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../spec/worlds/embedded-registry.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let store: EventStore;
let readModels: ReadModels;
let stamp: ProjectedStamp;
let fill: FillApart;
let whenStarted: (worker: Worker) => void;
const onWorker = (worker: Worker) => whenStarted(worker);

const missing = [orgProjection, productProjection];

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  await createTestRunners(store, systemClock).commands.run(createOrg, { name: 'Acme' }, requestOf(1));
  stamp = createProjectedStamp();
  const backends = { dataDir: folder.path };
  fill = createFiller({ backends, logLevel: 'silent', holder: 'filler:test', stamp: stamp.memory });
  whenStarted = () => undefined;
  process.on('worker', onWorker); // Node tells of every thread that is started
});

afterEach(async () => {
  process.off('worker', onWorker);
  await readModels.close();
  await store.close();
  folder.remove();
});

describe('the thread that fills read models', () => {
  it('is there while they are filled, and tells how that ended', async () => {
    const workers: Worker[] = [];
    whenStarted = (worker) => void workers.push(worker);
    // Of other indexes than its folds declare, so that it cannot be opened.
    await readModels.open({
      name: 'product',
      generation: firstBuild(productProjection),
      indexes: { byOther: ['other'] },
    });
    const before = stamp.value();
    const filling = fill({ missing, givingWayTo: [], signal: new AbortController().signal });
    const outcomes = await filling;
    expect(outcomes).toContainEqual({
      name: 'org',
      generation: firstBuild(orgProjection),
      kind: 'live',
      verified: { documents: 1, compared: 1, differing: [] },
    });
    const failed = outcomes.find(({ name }) => name === 'product');
    expect(failed?.kind === 'failed' && failed.error).toBeInstanceOf(StartupError);
    expect(await readModels.pointers()).toEqual({ org: firstBuild(orgProjection) });
    expect(stamp.value()).toBe(before + 1); // of the switch; nobody reads what is written before it
    expect(workers).toHaveLength(1);
    expect(workers[0]!.threadId).toBe(-1); // it has ended
  });

  it('is told of as a failure of what it was to fill when it dies', async () => {
    whenStarted = (worker) => void once(worker, 'online').then(() => worker.terminate());
    const outcomes = await fill({ missing, givingWayTo: [], signal: new AbortController().signal });
    expect(outcomes).toMatchObject([
      { name: 'org', kind: 'failed' },
      { name: 'product', kind: 'failed' },
    ]);
    expect(await readModels.pointers()).toEqual({});
  });

  it('ends when it is stopped, and nothing is switched', async () => {
    const stopping = new AbortController();
    whenStarted = () => stopping.abort();
    await expect(fill({ missing, givingWayTo: [], signal: stopping.signal })).rejects.toThrow();
    expect(await readModels.pointers()).toEqual({});
  });
});
