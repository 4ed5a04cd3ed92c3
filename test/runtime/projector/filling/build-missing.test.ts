import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../../../commands/org/create-org.ts';
import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { openStores } from '../../../../src/compose/stores/open-stores.ts';
import type { OrgEvent } from '../../../../src/domain/org/events.ts';
import { defineProjection, type Document, one, type Projection } from '../../../../src/kernel/projection.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { EventStore } from '../../../../src/ports/event-store.ts';
import type { ReadModels } from '../../../../src/ports/read-models.ts';
import { buildMissing, type FillApart } from '../../../../src/runtime/projector/filling/build-missing.ts';
import { codeGenerationOf, firstBuild } from '../../../../src/runtime/projector/generations.ts';
import { createLiveReadModels } from '../../../../src/runtime/projector/live-read-models.ts';
import {
  type ProjectionRunner,
  type ProjectionRunnerDeps,
  startProjectionRunner,
} from '../../../../src/runtime/projector/projection-runner.ts';
import { rebuildProjection } from '../../../../src/runtime/projector/rebuild.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../../spec/worlds/embedded-registry.ts';
import { eventually } from '../../../spec/eventually.ts';
import { fillHere } from '../../../spec/fill-here.ts';
import { hurriedClock } from '../../../spec/hurried-clock.ts';
import { createKeptLog } from '../../../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';
import { countIn } from '../../../spec/worlds/read-model-documents.ts';

let folder: TempFolder;
let store: EventStore;
let readModels: ReadModels;
let running: ProjectionRunner[];
let log: ReturnType<typeof createKeptLog>;

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  running = [];
  log = createKeptLog();
});

afterEach(async () => {
  for (const runner of running) await runner.close();
  await Promise.all(running.map(({ done }) => done));
  await readModels.close();
  await store.close();
  folder.remove();
});

interface OrgName extends Document {
  readonly name: string;
}

/** The first fold, or a later one that also has another index. */
const orgNames = (generation: number, whenFolding = () => {}): Projection =>
  defineProjection<OrgName, OrgEvent>({
    name: 'org-names',
    generation,
    indexes: generation === 1 ? { byName: ['name'] } : { byLength: ['length'] },
    on: {
      'OrgCreated.v1': one((_, { data, stream }) => {
        whenFolding();
        return { id: stream.id, name: data.name, length: data.name.length };
      }),
    },
  });

type Started = Partial<Pick<ProjectionRunnerDeps, 'holder' | 'graceMs' | 'batchSize' | 'readModels'>>;

const start = (projection: Projection, options: Started = {}) => {
  const deps = { store, readModels, clock: hurriedClock(), log, holder: 'a', leaseTtlMs: 1_000 };
  const fillApart = fillHere({ ...deps, ...options });
  const runner = startProjectionRunner({ ...deps, projections: [projection], fillApart, ...options });
  running.push(runner);
  return runner;
};

const createOrgs = async (count: number, firstRequest: number): Promise<number> => {
  const { commands } = createTestRunners(store, systemClock);
  let position = 0;
  for (let index = 0; index < count; index += 1) {
    const created = await commands.run(
      createOrg,
      { name: `Org ${firstRequest + index}` },
      requestOf(firstRequest + index),
    );
    position = created.position;
  }
  return position;
};

const isFed = async (projection: Projection, position: number): Promise<boolean> =>
  createLiveReadModels(readModels, [projection], systemClock).waitFor([projection], position, 10_000);

const livePointer = async () => (await readModels.pointers())['org-names'];

describe('a read model that is missing', () => {
  it('is filled once its fold can, after it threw', async () => {
    const position = await createOrgs(3, 1);
    let isMended = false;
    const projection = orgNames(1, () => {
      if (!isMended) throw new Error('not yet');
    });
    const runner = start(projection);
    await eventually('the failure is told', () => runner.failures().length === 1);
    expect(runner.failures()[0]).toMatchObject({
      name: 'org-names',
      message: expect.stringContaining('not yet') as string,
    });
    isMended = true;
    expect(await isFed(projection, position)).toBe(true);
    await eventually('the failure is over', () => runner.failures().length === 0);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('is filled to its end when the process is gone that had begun', async () => {
    const position = await createOrgs(3, 1);
    const projection = orgNames(1);
    const begun = await readModels.open({ ...projection, generation: firstBuild(projection) }, { fillingWith: [] });
    const lease = await begun.leases.acquire('feed', 'gone', 300);
    expect(lease).not.toBeNull();
    start(projection);
    expect(await isFed(projection, position)).toBe(true);
    expect(await livePointer()).toBe(firstBuild(projection));
  });

  it('is filled by a newer version beside the old one, which goes on until its time of grace is over', async () => {
    const [old, young] = [orgNames(1), orgNames(2)];
    const graceMs = 4_000; // a lease may have to run out in it before somebody else feeds
    let scrubbings = 0;
    const scrub = () => readModels.scrub().finally(() => (scrubbings += 1));
    start(old, { holder: 'old', graceMs, readModels: { ...readModels, scrub } });
    expect(await isFed(old, await createOrgs(2, 1))).toBe(true);
    await eventually('the filling is over', () => scrubbings === 1);
    expect(await isFed(old, await createOrgs(1, 5))).toBe(true); // so it is fed now: the old version knows what is live
    const live = await readModels.open({ ...old, generation: firstBuild(old) });

    start(young, { holder: 'young', graceMs });
    expect(await isFed(young, await createOrgs(2, 10))).toBe(true);
    expect(await livePointer()).toBe(firstBuild(young));
    await eventually(
      'the old one has followed, too',
      async () => (await countIn(live, { index: 'byName', equals: {} })) === 5,
    );

    await eventually('the old version has noticed', () => log.lines.some(({ level }) => level === 'warn'));
    await eventually('the old one is dropped', async () => (await readModels.generations('org-names')).length === 1);
    expect(codeGenerationOf((await livePointer())!)).toBe(2); // the old version has not switched back
    expect(await isFed(young, await createOrgs(2, 20))).toBe(true);
  });

  it('does not keep a newer version from starting, though its indexes differ', async () => {
    await readModels.open({ name: 'org', generation: 5, indexes: { byOther: ['other'] } });
    expect(await readModels.switchPointers([{ name: 'org', expected: null, generation: 5 }])).toBeNull();
    const stores = await openStores({
      backends: { dataDir: folder.path },
      onFatal: (error) => {
        throw error;
      },
    });
    await stores.close();
  });
});

describe('filling', () => {
  const named = (name: string, generation = 1): Projection => ({ ...orgNames(generation), name });

  it('begins when it is known what is live until then', async () => {
    const stop = new AbortController();
    const calls: string[] = [];
    const deps = { store, readModels, clock: hurriedClock(), log, holder: 'a', onFailure: () => undefined };
    const live = { name: 'fed', generation: firstBuild(named('fed')), expected: null };
    await readModels.open({ ...named('fed'), generation: live.generation });
    await readModels.switchPointers([live]);
    const noteLive = async () => void calls.push('noted');
    const fillApart = async () => {
      calls.push('filled');
      stop.abort();
      return [];
    };
    await buildMissing({ ...deps, projections: [named('fed'), named('missing')], noteLive, fillApart }, stop.signal);
    expect(calls).toEqual(['noted', 'filled']);
  });

  it('is done by another thread as soon as something is fed on this one', async () => {
    const [fed, missing] = [named('fed'), named('missing')];
    const apart: string[] = [];
    const deps = { store, readModels, clock: hurriedClock(), log, holder: 'a' };
    const start = (projections: readonly Projection[]) => {
      const runner = startProjectionRunner({
        ...deps,
        projections,
        fillApart: (filling) => {
          const namesOf = (all: readonly Projection[]) => all.map(({ name }) => name).join();
          apart.push(`${namesOf(filling.missing)} beside ${namesOf(filling.givingWayTo)}`);
          return fillHere(deps)(filling);
        },
      });
      running.push(runner);
      return runner;
    };
    const position = await createOrgs(2, 1);
    const first = start([fed]);
    expect(await isFed(fed, position)).toBe(true);
    expect(apart).toEqual([]); // nothing was fed that could have been held up
    await first.close();
    start([fed, missing]);
    expect(await isFed(missing, position)).toBe(true);
    expect(apart).toEqual(['missing beside fed']);
  });

  it('is tried again ever more rarely where what is filled is not what the events say', async () => {
    const sleeps: number[] = [];
    const hurried = hurriedClock();
    const clock: Clock = {
      ...hurried,
      sleep: (ms, signal) => {
        if (ms >= 5_000) sleeps.push(ms);
        return hurried.sleep(ms, signal);
      },
    };
    let wrongFor = 3;
    const fillApart: FillApart = async (filling) => {
      wrongFor -= 1;
      const outcome = { name: 'missing', generation: 1_000, kind: 'differs', sentence: 'it differs' } as const;
      return wrongFor >= 0 ? [outcome] : fillHere({ store, readModels, clock, holder: 'b' })(filling);
    };
    const [fed, missing] = [named('fed'), named('missing')];
    await rebuildProjection(fed, { store, readModels, clock: systemClock, holder: 'setup' });
    const deps = { store, readModels, clock, log, holder: 'a' };
    const runner = startProjectionRunner({ ...deps, projections: [fed, missing], fillApart });
    running.push(runner);
    await eventually('it is live', async () => (await readModels.pointers())['missing'] !== undefined);
    await eventually('it looks as often as before', () => sleeps.length >= 4);
    expect(sleeps.slice(0, 4)).toEqual([10_000, 20_000, 40_000, 5_000]);
    expect(log.lines.filter(({ sentence }) => sentence === 'it differs')).toHaveLength(1);
  });
});

describe('a runner that catches up', () => {
  it('lets others have a turn, so that it can be closed in the middle', async () => {
    const projection = orgNames(1);
    const filled = start(projection);
    expect(await isFed(projection, await createOrgs(1, 1))).toBe(true);
    await filled.close();
    const head = await createOrgs(300, 10);
    const model = await readModels.open({ ...projection, generation: (await livePointer())! });
    const before = await model.checkpoint();
    const runner = start(projection, { holder: 'b', batchSize: 1 });
    await eventually('it has begun', async () => (await model.checkpoint()) > before);
    await runner.close();
    expect(await model.checkpoint()).toBeLessThan(head);
  });

  it('feeds on when a generation is dropped at the end of its grace', async () => {
    const projection = orgNames(1);
    start(projection, { graceMs: 0 });
    let request = 1;
    expect(await isFed(projection, await createOrgs(1, request))).toBe(true);
    for (let round = 0; round < 5; round += 1) {
      await rebuildProjection(projection, { store, readModels, clock: systemClock, holder: 'rebuild' });
      expect(await isFed(projection, await createOrgs(3, (request += 10)))).toBe(true);
    }
    await eventually('only the live one is left', async () => (await readModels.generations('org-names')).length === 1);
    expect(await livePointer()).toBe(firstBuild(projection) + 5);
  });
});
