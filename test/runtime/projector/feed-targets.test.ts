import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { ReadModel, ReadModels } from '../../../src/ports/read-models.ts';
import { feedTargets } from '../../../src/runtime/projector/feed-targets.ts';
import { fillGenerations } from '../../../src/runtime/projector/filling/fill-generations.ts';
import { type ProjectionRunner, startProjectionRunner } from '../../../src/runtime/projector/projection-runner.ts';
import { createProjectionTarget, type ProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { createGate } from '../../contract/message-bus/recorder.ts';
import { eventually } from '../../spec/eventually.ts';
import { fillHere } from '../../spec/fill-here.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from './projection-world.ts';

let world: ProjectionWorld;
let running: ProjectionRunner[];
let log: ReturnType<typeof createKeptLog>;

beforeEach(async () => {
  world = await openProjectionWorld();
  running = [];
  log = createKeptLog();
});

afterEach(async () => {
  for (const runner of running) await runner.close();
  await world.close();
});

const start = (projections: readonly Projection[], readModels: ReadModels = world.readModels) => {
  const subscribedFrom: number[] = [];
  const store: typeof world.store = {
    ...world.store,
    subscribe: (options) => {
      subscribedFrom.push(options.afterPosition);
      return world.store.subscribe(options);
    },
  };
  const deps = { store, readModels, clock: hurriedClock(), holder: 'test' };
  const runner = startProjectionRunner({ ...deps, projections, log, fillApart: fillHere(deps) });
  running.push(runner);
  return { runner, subscribedFrom };
};

const fill = (projections: readonly Projection[]) =>
  fillGenerations(projections, { ...world, clock: systemClock, holder: 'setup' });

/** The read models, of which one refuses to be written while it is broken. */
const breaking = (name: string, failure: () => Error | null): ReadModels => ({
  ...world.readModels,
  open: async (...given) => {
    const model = await world.readModels.open(...given);
    if (given[0].name !== name) return model as never;
    const write: ReadModel['write'] = async (changes) => {
      const error = failure();
      if (error !== null) throw error;
      return model.write(changes as never);
    };
    return { ...model, write } as never;
  },
});

const targetOf = async (projection: Projection): Promise<ProjectionTarget> => {
  const generation = (await world.readModels.pointers())[projection.name]!;
  const model: ReadModel = await world.readModels.open({ ...projection, generation });
  return createProjectionTarget(projection, model, (await model.leases.acquire('feed', 'test', 60_000))!);
};

describe('a read model that cannot go on', () => {
  it('holds nobody back, and catches up when it can', async () => {
    const [bad, good] = [namesProjection('bad'), namesProjection('good')];
    await fill([bad, good]);
    let failure: Error | null = new Error('the disk is strange');
    const { runner } = start(
      [bad, good],
      breaking('bad', () => failure),
    );
    await world.createOrgs(5);
    await eventually('the other one is fed', async () => (await world.namesIn(good)) === 5);
    await eventually('the failure is told', () => runner.failures().length === 1);
    expect(runner.failures()).toEqual([{ name: 'bad', position: null, message: 'the disk is strange' }]);
    expect(await world.namesIn(bad)).toBe(0);
    failure = null;
    await eventually('it has caught up', async () => (await world.namesIn(bad)) === 5);
    await eventually('the failure is over', () => runner.failures().length === 0);
    await world.createOrgs(2);
    await eventually('it follows again', async () => (await world.namesIn(bad)) === 7);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('does not take the others back to where it stands after a restart', async () => {
    const good = namesProjection('good');
    const bad = namesProjection('bad', {
      whenFolding: () => {
        throw new Error('cannot fold this');
      },
    });
    await fill([bad, good]);
    const first = start([bad, good]);
    const head = await world.createOrgs(20);
    await eventually('the other one is fed', async () => (await world.namesIn(good)) === 20);
    await first.runner.close();
    const second = start([bad, good]);
    await eventually('it follows', () => second.subscribedFrom.length > 0);
    expect(second.subscribedFrom[0]).toBeGreaterThanOrEqual(head);
    await eventually('the failure is told', () => second.runner.failures().length === 1);
    await world.createOrgs(1);
    await eventually('the other one goes on', async () => (await world.namesIn(good)) === 21);
  });

  it('is no failure of its own while the server is away', async () => {
    const [a, b] = [namesProjection('a'), namesProjection('b')];
    await fill([a, b]);
    let failure: Error | null = new BackendUnavailable('MongoDB');
    const { runner } = start(
      [a, b],
      breaking('a', () => failure),
    );
    await world.createOrgs(3);
    await eventually('the outage is told', () => log.lines.some(({ level }) => level === 'warn'));
    expect(runner.failures()).toEqual([]);
    failure = null;
    await eventually('both are fed', async () => (await world.namesIn(a)) === 3 && (await world.namesIn(b)) === 3);
  });
});

describe('a read model that a crash left behind', () => {
  it('is brought along while the others go on from where they are', async () => {
    const [ahead, behind] = [namesProjection('ahead'), namesProjection('behind')];
    await fill([ahead, behind]);
    const alone = start([ahead]);
    const head = await world.createOrgs(10);
    await eventually('one is ahead', async () => (await world.namesIn(ahead)) === 10);
    await alone.runner.close();
    const both = start([ahead, behind]);
    await eventually('the other is there, too', async () => (await world.namesIn(behind)) === 10);
    expect(both.subscribedFrom[0]).toBeGreaterThanOrEqual(head);
    await world.createOrgs(3);
    await eventually('both follow', async () => (await world.namesIn(behind)) === 13);
    expect(await world.namesIn(ahead)).toBe(13);
  });

  it('misses nothing of the batch that the others are fed while it joins them', async () => {
    const [ahead, behind] = [namesProjection('ahead'), namesProjection('behind')];
    await fill([ahead, behind]);
    const targetOf = async (projection: Projection): Promise<ProjectionTarget> => {
      const generation = (await world.readModels.pointers())[projection.name]!;
      const model: ReadModel = await world.readModels.open({ ...projection, generation });
      return createProjectionTarget(projection, model, (await model.leases.acquire('feed', 'test', 60_000))!);
    };
    const readAfter = (afterPosition: number) => world.store.readAll({ afterPosition, limit: 100 });
    const shared = await world.createOrgs(3);
    const [leading, late] = [await targetOf(ahead), await targetOf(behind)];
    await leading.feed(await readAfter(0));
    const gate = createGate();
    const held: ProjectionTarget = { ...leading, feed: (batch) => gate.passed.then(() => leading.feed(batch)) };
    const onFailure = (_: ProjectionTarget, error: Error) => {
      throw error;
    };
    const { store, readModels } = world;
    const deps = { store, readModels, clock: hurriedClock(), onFailure, onRecovery: () => undefined };
    // It reads by itself as far as the others were before the batch in hand.
    const fed = feedTargets({ ...deps, targets: [held, late], batchSize: 3 });

    const inHand = await world.createOrgs(1);
    const feeding = fed.onBatch(await readAfter(shared));
    const over = new AbortController();
    const catchingUp = fed.catchUp(over.signal);
    await eventually('it is where the others were', () => late.checkpoint() >= shared);
    gate.open();
    await feeding;
    const head = await world.createOrgs(1);
    await fed.onBatch(await readAfter(inHand));
    await eventually('it is where the others are', () => late.checkpoint() >= head);
    over.abort();
    await catchingUp;
    expect([await world.namesIn(ahead), await world.namesIn(behind)]).toEqual([5, 5]);
  });

  it('is looked for where it is, when its checkpoint was not where it was thought to be', async () => {
    const [ahead, idle] = [namesProjection('ahead'), { ...namesProjection('idle'), on: {} }];
    await fill([ahead, idle]);
    const targets = [await targetOf(ahead), await targetOf(idle)] as const;
    let isLost = true;
    const passOver: ReadModels['passOver'] = async (moves) => (isLost ? 0 : world.readModels.passOver(moves));
    const onFailure = (_: ProjectionTarget, error: Error) => {
      throw error;
    };
    const deps = {
      store: world.store,
      readModels: { ...world.readModels, passOver },
      clock: hurriedClock(),
      onFailure,
    };
    const fed = feedTargets({ ...deps, onRecovery: () => undefined, targets, batchSize: 3 });
    const head = await world.createOrgs(2);
    await fed.onBatch(await world.store.readAll({ afterPosition: 0, limit: 100 }));
    expect([targets[0].checkpoint() >= head, targets[1].checkpoint() < head]).toEqual([true, true]);
    isLost = false;
    const over = new AbortController();
    const catchingUp = fed.catchUp(over.signal);
    await eventually('it is brought along', async () => (await targets[1].model.checkpoint()) >= head);
    over.abort();
    await catchingUp;
  });
});

describe('read models whose store can write several at once', () => {
  /** As a store does that has one transaction for all. */
  const feedBoth = async (
    options: { readonly refuses?: boolean; readonly textLength?: number; readonly fault?: Error } = {},
  ) => {
    const { refuses = false, fault, ...names } = options;
    let folds = 0;
    const whenFolding = () => {
      folds += 1;
      if (fault !== undefined) throw fault;
    };
    const both = [namesProjection('one', { ...names, whenFolding }), namesProjection('two', names)];
    await fill(both);
    const targets = await Promise.all(both.map(targetOf));
    const together: string[][] = [];
    const writeTogether: ReadModels['writeTogether'] = async (writes) => {
      together.push(writes.map(({ name }) => name));
      if (refuses) return false;
      const modelOf = (name: string) => targets.find(({ projection }) => projection.name === name)!.model;
      for (const { name, ...write } of writes) await modelOf(name).write(write);
      return true;
    };
    const failed: string[] = [];
    const onFailure = ({ projection }: ProjectionTarget) => void failed.push(projection.name);
    const deps = { store: world.store, readModels: { ...world.readModels, writeTogether }, clock: hurriedClock() };
    const fed = feedTargets({ ...deps, onFailure, onRecovery: () => undefined, targets, batchSize: 1_000 });
    const feedOrgs = async (count: number, description = '') => {
      const afterPosition = await world.store.head();
      await world.createOrgs(count);
      const batch = await world.store.readAll({ afterPosition, limit: 1_000 });
      const events = batch.events.map((event) => ({ ...event, data: { ...event.data, description } }));
      await fed.onBatch({ ...batch, events });
    };
    return {
      feedOrgs,
      together,
      failed,
      folds: () => folds,
      namesIn: () => Promise.all(both.map((each) => world.namesIn(each))),
    };
  };

  it('are written so, and go on from there', async () => {
    const { feedOrgs, together, namesIn } = await feedBoth();
    await feedOrgs(3);
    await feedOrgs(2);
    const pair = ['one', 'two'];
    expect([together, await namesIn()]).toEqual([
      [pair, pair],
      [5, 5],
    ]);
  });

  it('are written each by itself when that is refused', async () => {
    const { feedOrgs, together, namesIn } = await feedBoth({ refuses: true });
    await feedOrgs(3);
    expect([together.length, await namesIn()]).toEqual([1, [3, 3]]);
  });

  it('are written each by itself when one cannot be folded, and it alone fails', async () => {
    const { feedOrgs, failed, namesIn } = await feedBoth({ fault: new Error('cannot fold this') });
    await feedOrgs(3);
    expect([failed, await namesIn()]).toEqual([['one'], [0, 3]]);
  });

  it('are folded once, each by itself, when the events are long', async () => {
    const { feedOrgs, together, folds, namesIn } = await feedBoth();
    await feedOrgs(3, 'x'.repeat(400_000));
    expect([together, folds(), await namesIn()]).toEqual([[], 3, [3, 3]]);
  });

  it('are written each by itself when they are too much together', async () => {
    const { feedOrgs, together, namesIn } = await feedBoth({ textLength: 3_000_000 });
    await feedOrgs(2);
    expect([together, await namesIn()]).toEqual([[], [2, 2]]);
  });
});
