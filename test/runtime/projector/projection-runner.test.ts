import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { allProjections } from '../../../projections/all-projections.ts';
import { orgProjection } from '../../../projections/org/org.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import {
  type ProjectionRunner,
  type ProjectionRunnerDeps,
  startProjectionRunner,
} from '../../../src/runtime/projector/projection-runner.ts';
import { rebuildProjection } from '../../../src/runtime/projector/rebuild.ts';
import { createGate } from '../../contract/message-bus/recorder.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { countIn, documentsOf } from '../../spec/worlds/read-model-documents.ts';
import { buildSmallWorld } from '../../spec/worlds/small-world.ts';
import { fillHere } from '../../spec/fill-here.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

const log = createKeptLog();
let folder: TempFolder;
let store: EventStore;
let readModels: ReadModels;
let running: ProjectionRunner[];

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  running = [];
});

afterEach(async () => {
  for (const runner of running) await runner.close();
  await readModels.close();
  await store.close();
  folder.remove();
});

const depsOf = (): ProjectionRunnerDeps => ({
  store,
  readModels,
  projections: allProjections,
  clock: systemClock,
  log,
  holder: 'test-1',
  fillApart: fillHere({ store, readModels, clock: systemClock, holder: 'test-1:fill' }),
  leaseTtlMs: 1_500,
});

const start = (overrides: Partial<ProjectionRunnerDeps> = {}) => {
  const runner = startProjectionRunner({ ...depsOf(), ...overrides });
  running.push(runner);
  return runner;
};

describe('projection runner', () => {
  it('fills every read model and passes each position, also of events that concern none', async () => {
    start();
    const live = createLiveReadModels(readModels, allProjections, systemClock);
    const world = await buildSmallWorld(createTestRunners(store, systemClock), 'Acme', 1);
    expect(await live.waitFor(allProjections, world.position, 10_000)).toBe(true);
    const set = (await live.current())!;
    expect(
      await countIn(set.of(releaseFeedProjection), { index: 'bySource', equals: { sourceId: world.sourceId } }),
    ).toBe(20);
    expect(await set.of(orgProjection).get([world.orgId])).toMatchObject([{ name: 'Acme' }]);
    expect(await live.waitFor([orgProjection], world.position + 1, 50)).toBe(false);
  });

  it('goes on from its checkpoints after it was stopped', async () => {
    const runners = createTestRunners(store, systemClock);
    const live = createLiveReadModels(readModels, allProjections, systemClock);
    const first = start();
    const one = await buildSmallWorld(runners, 'One', 1);
    expect(await live.waitFor(allProjections, one.position, 10_000)).toBe(true);
    await first.close();
    const two = await buildSmallWorld(runners, 'Two', 10);
    start({ holder: 'test-2' });
    expect(await live.waitFor(allProjections, two.position, 10_000)).toBe(true);
    expect(await (await live.current())!.of(releaseDetailProjection).scan('', 100)).toHaveLength(40);
  });

  it('lets a second runner take over when the first one is gone without a word', async () => {
    const live = createLiveReadModels(readModels, allProjections, systemClock);
    const runners = createTestRunners(store, systemClock);
    const thaw = createGate();
    let isFrozen = false;
    // While its sleeps do not end it renews nothing, as a process that hangs.
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) => (isFrozen ? thaw.passed : systemClock.sleep(ms, signal)),
    };
    start({ clock, holder: 'a', leaseTtlMs: 300 });
    const one = await buildSmallWorld(runners, 'One', 1);
    expect(await live.waitFor(allProjections, one.position, 15_000)).toBe(true);
    isFrozen = true;
    let isFollowing = false;
    const watched: EventStore = {
      ...store,
      subscribe: (options) => {
        isFollowing = true;
        return store.subscribe(options);
      },
    };
    start({ holder: 'b', store: watched });
    await eventually('the second one has taken over', () => isFollowing);
    const two = await buildSmallWorld(runners, 'Two', 100);
    expect(await live.waitFor(allProjections, two.position, 15_000)).toBe(true);
    isFrozen = false;
    thaw.open();
  });

  it('stops only the read model whose fold throws, and says where', async () => {
    const broken: Projection = {
      name: 'broken',
      generation: 1,
      indexes: {},
      on: {
        'OrgCreated.v1': {
          load: () => [],
          fold: () => {
            throw new Error('cannot fold this');
          },
        },
      },
    };
    await rebuildProjection(broken, { store, readModels, clock: systemClock, holder: 'setup' });
    await rebuildProjection(orgProjection, { store, readModels, clock: systemClock, holder: 'setup' });
    const runner = start({ projections: [broken, orgProjection] });
    const world = await buildSmallWorld(createTestRunners(store, systemClock), 'Acme', 1);
    const live = createLiveReadModels(readModels, [broken, orgProjection], systemClock);
    expect(await live.waitFor([orgProjection], world.position, 10_000)).toBe(true);
    expect(await live.waitFor([broken], world.position, 20)).toBe(false);
    expect(runner.failures()).toMatchObject([
      { name: 'broken', message: expect.stringContaining('OrgCreated.v1') as string },
    ]);
  });
});

describe('rebuild', () => {
  it('gives the same documents byte for byte, switches the pointer, and the runner goes on with the new one', async () => {
    start({ graceMs: 200 });
    const runners = createTestRunners(store, systemClock);
    const live = createLiveReadModels(readModels, allProjections, systemClock);
    const world = await buildSmallWorld(runners, 'Acme', 1);
    await runners.commands.run(eraseRelease, { releaseId: world.releaseIds[0]! }, requestOf(50));
    const { position } = await runners.commands.run(eraseRelease, { releaseId: world.releaseIds[1]! }, requestOf(51));
    expect(await live.waitFor(allProjections, position, 10_000)).toBe(true);
    for (const projection of allProjections) {
      const before = (await live.current())!.of(projection);
      const oldDocuments = await documentsOf(before);
      const { generation } = await rebuildProjection(projection, {
        store,
        readModels,
        clock: systemClock,
        holder: 'rebuild',
      });
      expect(generation).toBe(before.declaration.generation + 1);
      const after = (await live.current())!.of(projection);
      expect(after.declaration.generation).toBe(generation);
      expect(await documentsOf(after)).toEqual(oldDocuments);
    }
    const more = await buildSmallWorld(runners, 'More', 60);
    expect(await live.waitFor(allProjections, more.position, 10_000)).toBe(true);
    await eventually('the retired generations are dropped', async () => {
      const counts = await Promise.all(
        allProjections.map(async ({ name }) => (await readModels.generations(name)).length),
      );
      return counts.every((count) => count === 1);
    });
  });

  it('goes on where a killed rebuild was instead of starting again', async () => {
    const projection = allProjections.find(({ name }) => name === 'release-feed')!;
    await buildSmallWorld(createTestRunners(store, systemClock), 'Acme', 1);
    const killed = new AbortController();
    let read = 0;
    const slow = {
      ...store,
      readAll: (options: Parameters<EventStore['readAll']>[0]) => {
        read += 1;
        if (read === 3) killed.abort();
        return store.readAll({ ...options, limit: 5 });
      },
    };
    const deps = { readModels, clock: systemClock };
    await expect(
      rebuildProjection(projection, { ...deps, store: slow, holder: 'killed', signal: killed.signal }),
    ).rejects.toThrow();
    expect(await readModels.pointers()).toEqual({});
    const positions: number[] = [];
    await rebuildProjection(projection, {
      ...deps,
      store,
      holder: 'next',
      onProgress: ({ position }) => positions.push(position),
    });
    const model = await readModels.open({ ...projection, generation: (await readModels.pointers())['release-feed']! });
    expect(await countIn(model, { index: 'global', equals: {} })).toBe(20);
    expect(await readModels.generations('release-feed')).toHaveLength(1);
  });

  it('refuses to run twice at once', async () => {
    const projection = allProjections.find(({ name }) => name === 'org')!;
    await buildSmallWorld(createTestRunners(store, systemClock), 'Acme', 1);
    const deps = { store, readModels, clock: systemClock };
    const outcomes = await Promise.allSettled([
      rebuildProjection(projection, { ...deps, holder: 'a' }),
      rebuildProjection(projection, { ...deps, holder: 'b' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
