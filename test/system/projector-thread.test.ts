import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { allProjections } from '../../projections/all-projections.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { everythingTag } from '../../projections/tags-of-write.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { placeOf } from '../../src/concurrency/shared-memory/touched-tags.ts';
import { StartupError } from '../../src/kernel/startup-error.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { ReadModels } from '../../src/ports/read-models.ts';
import { createProjectedStamp, type ProjectedStamp } from '../../src/compose/threads/projected-stamp.ts';
import { type ProjectorThread, startProjectorThread } from '../../src/compose/threads/projector-thread.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { createLiveReadModels, type LiveReadModels } from '../../src/runtime/projector/live-read-models.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../spec/worlds/embedded-registry.ts';
import { eventually } from '../spec/eventually.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { buildSmallWorld } from '../spec/worlds/small-world.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let store: EventStore;
let readModels: ReadModels;
let live: LiveReadModels;
let projector: ProjectorThread;
let stamp: ProjectedStamp;
let workers: Worker[];
let fatal: Error[];
let log: ReturnType<typeof createKeptLog>;
const keepWorker = (worker: Worker) => void workers.push(worker);

const restarts = () => log.lines.filter(({ sentence }) => sentence === 'the projector is started again').length;

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  live = createLiveReadModels(readModels, allProjections, systemClock);
  stamp = createProjectedStamp();
  workers = [];
  fatal = [];
  log = createKeptLog();
  process.on('worker', keepWorker); // Node tells of every thread that is started
  projector = await startProjector();
});

const startProjector = (): Promise<ProjectorThread> =>
  startProjectorThread({
    data: {
      backends: { dataDir: folder.path },
      logLevel: 'silent',
      holder: 'projector:test',
      stamp: stamp.memory,
    },
    clock: systemClock,
    log,
    onFatal: (error) => void fatal.push(error),
  });

afterEach(async () => {
  process.off('worker', keepWorker);
  await readModels.close();
  await store.close();
  folder.remove();
});

describe('the thread of the projector', () => {
  it('is started again when it dies, and the read models catch up', async () => {
    const runners = createTestRunners(store, systemClock);
    const unfed = stamp.value();
    const first = await buildSmallWorld(runners, 'First', 1);
    expect(await live.waitFor(allProjections, first.position, 20_000)).toBe(true);
    await eventually('the main thread is told of it', () => stamp.value() !== unfed);
    await workers[0]!.terminate();
    const dead = stamp.value();
    // Its last write may be there without having been told of: no answer that was made before may be kept.
    const isAllOld = () => stamp.isTouchedSince([placeOf(everythingTag)], dead);
    await eventually('all answers are old', isAllOld, { withinMs: 20_000 });
    const second = await buildSmallWorld(runners, 'Second', 10);
    expect(await live.waitFor(allProjections, second.position, 20_000)).toBe(true);
    expect(workers).toHaveLength(2);
    expect(restarts()).toBe(1);
    expect(fatal).toEqual([]);
    await projector.close();
  });

  it('has one filled that older folds made, and feeds it from then on with the others', async () => {
    const runners = createTestRunners(store, systemClock);
    const first = await buildSmallWorld(runners, 'First', 1);
    expect(await live.waitFor(allProjections, first.position, 20_000)).toBe(true);
    await projector.close();
    const ofOlderFolds = [{ name: 'org', expected: firstBuild(orgProjection), generation: 1 }];
    await readModels.open({ ...orgProjection, generation: 1 });
    expect(await readModels.switchPointers(ofOlderFolds)).toBeNull();
    projector = await startProjector();
    const second = await buildSmallWorld(runners, 'Second', 10);
    expect(await live.waitFor(allProjections, second.position, 20_000)).toBe(true);
    expect((await readModels.pointers())['org']).toBe(firstBuild(orgProjection) + 1);
    expect(await projector.failures()).toEqual([]);
    await projector.close();
  });

  it('ends the process with the reason when it keeps dying', async () => {
    for (let death = 1; death <= 4; death += 1) {
      const isServing = () =>
        projector.failures().then(
          () => workers.length === death,
          () => false,
        );
      await eventually('it serves', isServing);
      await workers[death - 1]!.terminate();
    }
    await eventually('the process is told to end', () => fatal.length > 0);
    expect(fatal).toHaveLength(1);
    expect(fatal[0]?.message).toMatch(/^The projector thread ended unexpectedly/);
    expect(restarts()).toBe(3);
    await projector.close();
  });

  it('tells of a read model whose file is spoiled, while the others go on', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const { position } = await commands.run(createOrg, { name: 'Acme' }, requestOf(1));
    expect(await live.waitFor(allProjections, position, 20_000)).toBe(true);
    const spoiled = new Sqlite(join(folder.path, 'read', `org.g${firstBuild(orgProjection)}.sqlite`));
    spoiled.exec('ALTER TABLE docs RENAME TO spoiled');
    spoiled.close();
    const second = await commands.run(createOrg, { name: 'Second' }, requestOf(2));
    await eventually('it is told', async () => (await projector.failures()).length > 0);
    expect(await projector.failures()).toMatchObject([{ name: 'org', position: null }]);
    const others = allProjections.filter(({ name }) => name !== 'org');
    expect(await live.waitFor(others, second.position, 20_000)).toBe(true);
    expect([restarts(), fatal]).toEqual([0, []]);
    await projector.close();
  });

  it('ends the process with the reason when it cannot start again', async () => {
    renameSync(join(folder.path, 'events.sqlite'), join(folder.path, 'elsewhere.sqlite'));
    await workers[0]!.terminate();
    await eventually('the process is told to end', () => fatal.length > 0);
    expect(fatal[0]).toBeInstanceOf(StartupError);
    expect(fatal[0]?.message).toMatch(/There is no data file .*events\.sqlite/);
    await expect(projector.failures()).rejects.toThrow(/being started again/);
    await expect(projector.close()).rejects.toThrow(/events\.sqlite/);
  });

  it('is not started again when it was closed', async () => {
    await projector.close();
    await projector.close();
    expect(workers).toHaveLength(1);
    expect([restarts(), fatal]).toEqual([0, []]);
  });
});
