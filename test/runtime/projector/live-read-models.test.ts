import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import { fillGenerations } from '../../../src/runtime/projector/fill-generations.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
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
