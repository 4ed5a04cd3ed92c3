import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../../src/kernel/projection.ts';
import type { EventStore } from '../../../../src/ports/event-store.ts';
import { fillGenerations } from '../../../../src/runtime/projector/filling/fill-generations.ts';
import { eventually } from '../../../spec/eventually.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { namesProjection, opening, openProjectionWorld, type ProjectionWorld } from '../projection-world.ts';

let world: ProjectionWorld;

beforeEach(async () => {
  world = await openProjectionWorld();
});

afterEach(() => world.close());

const fill = (projections: readonly Projection[], store: EventStore = world.store) =>
  fillGenerations(projections, { store, readModels: world.readModels, clock: systemClock, holder: 'test' });

const kinds = async (projections: readonly Projection[]) =>
  Object.fromEntries((await fill(projections)).map(({ name, kind }) => [name, kind]));

/** Reads little at once and counts how often. */
const counted = () => {
  const reads = { count: 0 };
  const store: EventStore = {
    ...world.store,
    readAll: (options) => {
      reads.count += 1;
      return world.store.readAll({ ...options, limit: 5 });
    },
  };
  return { reads, store };
};

/** As by a process that wakes up after its lease had long run out, and others had taken the generation for abandoned. */
const droppedBeforeTheSwitch = (name: string) => ({
  ...world.readModels,
  switchPointers: async (all: Parameters<typeof world.readModels.switchPointers>[0]) => {
    const { generation } = all.find((one) => one.name === name) ?? {};
    if (generation !== undefined) await world.readModels.drop(name, generation);
    return world.readModels.switchPointers(all);
  },
});

describe('filling read models', () => {
  it('goes live with what was written while the indexes were built', async () => {
    await world.createOrgs(3);
    const names = namesProjection('names');
    const readModels = opening(world.readModels, ({ completeIndexes }) => ({
      completeIndexes: async () => {
        await completeIndexes();
        await world.createOrgs(2);
      },
    }));
    await fillGenerations([names], { store: world.store, readModels, clock: systemClock, holder: 'test' });
    expect(await world.namesIn(names)).toBe(5);
  });

  it('keeps its leases, however long it takes', async () => {
    const clock = createFakeClock();
    const slow = await openProjectionWorld(clock);
    onTestFinished(slow.close);
    await slow.createOrgs(1);
    const names = namesProjection('names');
    let renewals = 0;
    const readModels = opening(slow.readModels, ({ leases }) => ({
      leases: { ...leases, renew: (...given) => leases.renew(...given).finally(() => (renewals += 1)) },
    }));
    const takenOver: boolean[] = [];
    const store: EventStore = {
      ...slow.store,
      readAll: async (options) => {
        const { leases } = await slow.readModels.open({ ...names, generation: 1_000 });
        for (let round = 1; round <= 5; round += 1) {
          const before = renewals;
          clock.advance(5_000);
          await eventually('it was renewed', () => renewals > before);
          takenOver.push((await leases.acquire('feed', 'another', 1)) !== null);
        }
        return slow.store.readAll(options);
      },
    };
    const [outcome] = await fillGenerations([names], { store, readModels, clock, holder: 'test' });
    expect(outcome).toMatchObject({ kind: 'live' });
    expect(takenOver).toEqual(Array(10).fill(false)); // while it fills, and while it verifies
  });

  it('reads the log once, however many there are', async () => {
    await world.createOrgs(50);
    const alone = counted();
    await fill([namesProjection('alone')], alone.store);
    const together = counted();
    const many = Array.from({ length: 8 }, (_, index) => namesProjection(`names-${index}`));
    await fill(many, together.store);
    expect(together.reads.count).toBe(alone.reads.count);
    for (const projection of many) expect(await world.namesIn(projection)).toBe(50);
  });

  it('goes on from the checkpoint of each when some had been begun', async () => {
    await world.createOrgs(10);
    const begun = namesProjection('begun');
    const stopped = new AbortController();
    const { store } = counted();
    const deps = { readModels: world.readModels, clock: systemClock, signal: stopped.signal };
    const filling = fillGenerations([begun], { ...deps, store, holder: 'gone', onProgress: () => stopped.abort() });
    await expect(filling).rejects.toThrow();
    expect(await world.readModels.pointers()).toEqual({});
    const folded: string[] = [];
    const again = namesProjection('begun', { whenFolding: (name) => folded.push(name) });
    const other = namesProjection('other');
    expect(await kinds([again, other])).toEqual({ begun: 'live', other: 'live' });
    expect(folded).toHaveLength(5 + 10); // the rest, and then all of them once more to verify
    expect([await world.namesIn(again), await world.namesIn(other)]).toEqual([10, 10]);
  });

  it('lets one drop out that cannot be filled, and the others go live', async () => {
    await world.createOrgs(10);
    let isMended = false;
    const broken = namesProjection('broken', {
      whenFolding: (name) => {
        if (!isMended && name === 'Org 7') throw new Error('cannot fold this');
      },
    });
    const well = namesProjection('well');
    expect(await kinds([broken, well])).toEqual({ broken: 'failed', well: 'live' });
    isMended = true;
    const refolded: string[] = [];
    const mended = namesProjection('broken', { whenFolding: (name) => refolded.push(name) });
    expect(await kinds([mended])).toEqual({ broken: 'live' });
    expect(refolded.slice(0, -10)).toEqual(['Org 7', 'Org 8', 'Org 9', 'Org 10']); // those before it were kept
    expect(await world.namesIn(mended)).toBe(10);
  });

  it('switches a rollout of several together, and none of them while one cannot be filled', async () => {
    await world.createOrgs(3);
    const old = [namesProjection('a'), namesProjection('b')];
    await fill(old);
    const before = await world.readModels.pointers();
    let isMended = false;
    const young = [
      namesProjection('a', { generation: 2 }),
      namesProjection('b', {
        generation: 2,
        whenFolding: () => {
          if (!isMended) throw new Error('not yet');
        },
      }),
      namesProjection('new'),
    ];
    expect(await kinds(young)).toEqual({ a: 'waiting', b: 'failed', new: 'live' });
    expect(await world.readModels.pointers()).toMatchObject(before);
    isMended = true;
    const switches: number[] = [];
    const watched = {
      ...world.readModels,
      switchPointers: (all: Parameters<typeof world.readModels.switchPointers>[0]) => {
        switches.push(all.length);
        return world.readModels.switchPointers(all);
      },
    };
    const deps = { store: world.store, readModels: watched, clock: systemClock, holder: 'test' };
    const outcomes = await fillGenerations(young.slice(0, 2), deps);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['live', 'live']);
    expect(switches).toEqual([2]);
  });

  it('switches nothing of a rollout while another process fills a part of it', async () => {
    await world.createOrgs(3);
    await fill([namesProjection('a'), namesProjection('b')]);
    const before = await world.readModels.pointers();
    const young = [namesProjection('a', { generation: 2 }), namesProjection('b', { generation: 2 })];
    const model = await world.readModels.open({ ...young[0]!, generation: 2_000 });
    const lease = await model.leases.acquire('feed', 'another', 60_000);
    expect(await kinds(young)).toEqual({ a: 'overtaken', b: 'waiting' });
    expect(await world.readModels.pointers()).toEqual(before);
    await model.leases.release(lease!);
    expect(await kinds(young)).toEqual({ a: 'live', b: 'live' });
  });

  it('lets one drop out that cannot even be opened', async () => {
    await world.createOrgs(3);
    const [a, b] = [namesProjection('a'), namesProjection('b')];
    await world.readModels.open({ name: 'a', generation: 1_000, indexes: { byOther: ['other'] } });
    expect(await kinds([a, b])).toEqual({ a: 'failed', b: 'live' });
  });

  it('leaves what another one fills to it', async () => {
    await world.createOrgs(3);
    const [a, b] = [namesProjection('a'), namesProjection('b')];
    const model = await world.readModels.open({ ...a, generation: 1_000 });
    expect(await model.leases.acquire('feed', 'another', 60_000)).not.toBeNull();
    expect(await kinds([a, b])).toEqual({ a: 'overtaken', b: 'live' });
    expect(await world.namesIn(a)).toBe(0);
  });

  it('cannot be taken for unfinished by another one that looks just before the switch', async () => {
    await world.createOrgs(3);
    const names = namesProjection('names');
    const deps = { store: world.store, clock: systemClock };
    const before: string[] = [];
    const readModels = {
      ...world.readModels,
      switchPointers: async (all: Parameters<typeof world.readModels.switchPointers>[0]) => {
        const [second] = await fillGenerations([names], { ...deps, readModels: world.readModels, holder: 'second' });
        before.push(second!.kind);
        return world.readModels.switchPointers(all);
      },
    };
    expect(await fillGenerations([names], { ...deps, readModels, holder: 'first' })).toMatchObject([{ kind: 'live' }]);
    expect(before).toEqual(['overtaken']);
  });

  it('leaves alone what went live between its look and its lease', async () => {
    await world.createOrgs(3);
    const names = namesProjection('names');
    const deps = { store: world.store, clock: systemClock };
    const late = {
      ...world.readModels,
      generations: async (name: string) => {
        const seen = await world.readModels.generations(name);
        await fillGenerations([names], { ...deps, readModels: world.readModels, holder: 'first' });
        return seen.length === 0 ? [1_000] : seen;
      },
    };
    const { reads, store } = counted();
    const outcomes = await fillGenerations([names], { ...deps, store, readModels: late, holder: 'second' });
    expect(outcomes).toMatchObject([{ kind: 'overtaken', generation: 1_000 }]);
    expect(reads.count).toBe(0); // nor did it hold the lease for as long as that takes
    const live = await world.readModels.open({ ...names, generation: 1_000 });
    expect(await live.leases.acquire('feed', 'projector', 60_000)).not.toBeNull();
  });

  it('is not made anew where only what is missing was asked for', async () => {
    await world.createOrgs(3);
    const names = namesProjection('names');
    const deps = { store: world.store, readModels: world.readModels, clock: systemClock, holder: 'test' };
    await fillGenerations([names], deps);
    expect(await fillGenerations([names], { ...deps, missingOnly: true })).toMatchObject([{ kind: 'overtaken' }]);
    expect(await world.readModels.generations('names')).toEqual([1_000]);
  });

  it('has seen what was written until the switch before its leases are let go, and then its files are scrubbed', async () => {
    await world.createOrgs(3);
    const names = namesProjection('names');
    const seen: number[] = [];
    const readModels = {
      ...world.readModels,
      switchPointers: async (all: Parameters<typeof world.readModels.switchPointers>[0]) => {
        await world.createOrgs(2);
        return world.readModels.switchPointers(all);
      },
      scrub: async () => {
        seen.push(await world.namesIn(names));
        const live = await world.readModels.open({ ...names, generation: 1_000 });
        expect(await live.leases.acquire('feed', 'projector', 60_000)).not.toBeNull(); // nobody waits for the scrubbing
        return world.readModels.scrub();
      },
    };
    await fillGenerations([names], { store: world.store, readModels, clock: systemClock, holder: 'test' });
    expect(seen).toEqual([5]);
  });

  it('does not go live over a generation that came meanwhile', async () => {
    await world.createOrgs(3);
    const [a, b] = [namesProjection('a'), namesProjection('b')];
    await world.readModels.open({ ...a, generation: 5_000 });
    const racing = {
      ...world.readModels,
      switchPointers: async (all: Parameters<typeof world.readModels.switchPointers>[0]) => {
        await world.readModels.switchPointers([{ name: 'a', expected: null, generation: 5_000 }]);
        return world.readModels.switchPointers(all);
      },
    };
    const deps = { store: world.store, readModels: racing, clock: systemClock, holder: 'test' };
    const outcomes = await fillGenerations([a, b], deps);
    expect(outcomes.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'overtaken'],
      ['b', 'live'],
    ]);
    expect(await world.readModels.pointers()).toEqual({ a: 5_000, b: 1_000 });
  });

  it('does not go live when it was dropped since its leases were last renewed, and the others do', async () => {
    await world.createOrgs(3);
    const [a, b] = [namesProjection('a'), namesProjection('b')];
    const deps = { store: world.store, readModels: droppedBeforeTheSwitch('a'), clock: systemClock, holder: 'test' };
    const outcomes = await fillGenerations([a, b], deps);
    expect(outcomes).toMatchObject([
      { name: 'a', kind: 'overtaken', sentence: expect.stringContaining('dropped by another process') },
      { name: 'b', kind: 'live' },
    ]);
    expect(await world.readModels.pointers()).toEqual({ b: 1_000 });
    expect(await kinds([a])).toEqual({ a: 'live' });
    expect(await world.namesIn(a)).toBe(3);
  });

  it('of a rollout none goes live when one was dropped', async () => {
    await world.createOrgs(3);
    await fill([namesProjection('a'), namesProjection('b')]);
    const before = await world.readModels.pointers();
    const young = [namesProjection('a', { generation: 2 }), namesProjection('b', { generation: 2 })];
    const deps = { store: world.store, readModels: droppedBeforeTheSwitch('a'), clock: systemClock, holder: 'test' };
    const outcomes = await fillGenerations(young, deps);
    expect(outcomes.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'overtaken'],
      ['b', 'waiting'],
    ]);
    expect(await world.readModels.pointers()).toEqual(before);
    expect(await kinds(young)).toEqual({ a: 'live', b: 'live' });
  });
});
