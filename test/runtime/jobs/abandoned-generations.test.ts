import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Projection } from '../../../src/kernel/projection.ts';
import { startAbandonedGenerations } from '../../../src/runtime/jobs/abandoned-generations.ts';
import { fillGenerations } from '../../../src/runtime/projector/filling/fill-generations.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from '../projector/projection-world.ts';

const dayMs = 24 * 3_600_000;
const leaseMs = 15_000;
let clock: FakeClock;
let world: ProjectionWorld;

beforeEach(async () => {
  clock = createFakeClock();
  world = await openProjectionWorld(clock);
  await fillGenerations([namesProjection('names')], { ...world, clock, holder: 'setup' });
});
afterEach(() => world.close());

const begin = async (generation: number) => {
  const { leases } = await world.readModels.open({ ...namesProjection('names'), generation });
  expect(await leases.acquire('feed', 'killed', leaseMs)).not.toBeNull();
};

/** What one look by a process with these folds leaves. */
const leftBy = async (projection: Projection): Promise<number[]> => {
  let isAsleep = false;
  const sleep: FakeClock['sleep'] = (...given) => {
    isAsleep = true;
    return clock.sleep(...given);
  };
  const deps = { readModels: world.readModels, projections: [projection], log: createKeptLog() };
  const job = startAbandonedGenerations({ ...deps, clock: { ...clock, sleep } });
  await eventually('the look is over', () => isAsleep);
  await job.close();
  return world.readModels.generations('names');
};

describe('a generation that was filled and left', () => {
  it('is dropped a day after the last work on it, whoever made it', async () => {
    await begin(1_001);
    await begin(2_000);
    clock.advance(dayMs + leaseMs - 1);
    expect(await leftBy(namesProjection('names'))).toEqual([1_000, 1_001, 2_000]);
    await begin(2_000);
    clock.advance(1);
    expect(await leftBy(namesProjection('names'))).toEqual([1_000, 2_000]);
    clock.advance(dayMs + leaseMs);
    expect(await leftBy(namesProjection('names'))).toEqual([1_000]);
  });

  it('is kept for the process that will go on with it', async () => {
    await begin(2_000);
    clock.advance(2 * dayMs);
    expect(await leftBy(namesProjection('names', { generation: 2 }))).toEqual([1_000, 2_000]);
  });

  it('is dropped, too, where it was live and lies above what somebody went back to', async () => {
    await begin(2_000);
    await world.readModels.switchPointers([{ name: 'names', expected: 1_000, generation: 2_000 }]);
    await world.readModels.switchPointers([{ name: 'names', expected: 2_000, generation: 1_000 }]);
    clock.advance(dayMs + leaseMs);
    expect(await leftBy(namesProjection('names'))).toEqual([1_000]);
    expect(await world.readModels.pastGenerations('names')).toEqual([]);
  });
});
