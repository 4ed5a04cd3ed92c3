import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import { fillGenerations } from '../../../src/runtime/projector/fill-generations.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from './projection-world.ts';

let world: ProjectionWorld;
beforeEach(async () => {
  world = await openProjectionWorld();
});
afterEach(() => world.close());

it('waits for the slowest of the read models that are asked for, and for no other', async () => {
  const [fast, slow] = [namesProjection('fast'), namesProjection('slow')];
  const filledTo = await world.createOrgs(2);
  await fillGenerations([fast, slow], { ...world, clock: systemClock, holder: 'setup' });
  const head = await world.createOrgs(2);
  const live = createLiveReadModels(world.readModels, [fast, slow], systemClock);
  const feed = async (projection: Projection): Promise<void> => {
    const model = (await live.current())!.of(projection);
    const lease = await model.leases.acquire('feed', 'test', 60_000);
    const target = await createProjectionTarget(projection, model, lease!);
    await target.feed(await world.store.readAll({ afterPosition: target.checkpoint(), limit: 100 }));
  };

  await feed(fast);
  expect(await live.lowestPosition([fast, slow])).toBe(filledTo);
  expect(await live.waitFor([fast, slow], head, 0)).toBe(false);
  expect(await live.waitFor([fast], head, 0)).toBe(true);
  await feed(slow);
  expect(await live.waitFor([fast, slow], head, 0)).toBe(true);
});

describe('after a switch to other folds', () => {
  const handOverMs = 30_000;
  const [old, young] = [namesProjection('names'), namesProjection('names', { generation: 2 })];
  const fill = (projection: Projection) =>
    fillGenerations([projection], { ...world, clock: systemClock, holder: 'setup' });

  const setUp = async () => {
    const clock = createFakeClock();
    await world.createOrgs(2);
    await fill(old);
    const live = createLiveReadModels(world.readModels, [old], clock, { handOverMs });
    const strict = createLiveReadModels(world.readModels, [old], clock);
    const served = await live.current();
    expect(await strict.current()).not.toBeNull();
    return { clock, live, strict, served };
  };

  it('what was live is served on for a while, whole, and then no longer', async () => {
    const { clock, live, strict, served } = await setUp();
    clock.advance(handOverMs - 1);
    expect(await live.current()).toBe(served);
    await fill(young);
    expect(await strict.current()).toBeNull();
    clock.advance(handOverMs - 1);
    expect(await live.current()).toBe(served);
    clock.advance(1);
    expect(await live.current()).toBeNull();
  });

  it('it is not served on when it was last seen live too long ago, or is gone', async () => {
    const { clock, live } = await setUp();
    clock.advance(handOverMs);
    await fill(young);
    expect(await live.current()).toBeNull();

    const other = createLiveReadModels(world.readModels, [young], clock, { handOverMs });
    const { of } = (await other.current())!;
    await fill(namesProjection('names', { generation: 3 }));
    expect(await other.current()).not.toBeNull();
    await world.readModels.drop('names', of(young).declaration.generation);
    expect(await other.current()).toBeNull();
  });
});
