import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { fillGenerations } from '../../../src/runtime/projector/filling/fill-generations.ts';
import { createLivePace } from '../../../src/runtime/projector/live-pace.ts';
import { createProjectionTarget, type ProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from './projection-world.ts';

const live = namesProjection('live');
const filled = namesProjection('filled');

const orgs = 200;
/** However many are asked for: so there are many steps. */
const readAtMost = 50;

let world: ProjectionWorld;
let target: ProjectionTarget;
let steps: string[];

beforeEach(async () => {
  world = await openProjectionWorld();
  steps = [];
  await fillGenerations([live], { ...depsOf(systemClock), givingWayTo: [] });
  const model = await world.readModels.open({ ...live, generation: 1_000 });
  const lease = await model.leases.acquire('feed', 'live', 60_000);
  target = await createProjectionTarget(live, model, lease!);
  await world.createOrgs(orgs);
});

afterEach(() => world.close());

const depsOf = (clock: Clock) => ({ store: world.store, readModels: world.readModels, clock, holder: 'test' });

const feed = async (limit: number): Promise<void> => {
  await target.feed(await world.store.readAll({ afterPosition: target.checkpoint(), limit }));
};

/** Fills while the pauses of the filling pass without time, and something is done in each and after each reading. */
async function fillBesides(
  inPause: () => Promise<void>,
  {
    givingWayTo = [live],
    afterRead = async () => {},
  }: { givingWayTo?: Projection[]; afterRead?: () => Promise<void> } = {},
): Promise<void> {
  const clock: Clock = {
    nowMs: systemClock.nowMs,
    sleep: async (ms, signal) => {
      if (ms > 1_000) return systemClock.sleep(ms, signal); // until leases are renewed
      steps.push('pause');
      await inPause();
    },
  };
  const store: EventStore = {
    ...world.store,
    readAll: async (options) => {
      steps.push(`read ${options.limit}`);
      const batch = await world.store.readAll({ ...options, limit: readAtMost });
      await afterRead();
      return batch;
    },
  };
  const deps = { ...depsOf(clock), store, givingWayTo };
  expect(await fillGenerations([filled], deps)).toMatchObject([{ kind: 'live' }]);
}

describe('filling beside live read models', () => {
  it('waits until they have seen what is there, and takes less at once', async () => {
    const head = await world.store.head();
    await fillBesides(() => feed(20));
    const waited = steps.indexOf('read 1000');
    expect(waited).toBeGreaterThanOrEqual(10); // a pause for each few, all of them before the first events are read
    expect(steps.slice(0, waited)).toEqual(Array(waited).fill('pause'));
    expect(target.checkpoint()).toBe(head);
    expect(steps.slice(waited)).not.toContain('pause');
    expect(steps.at(-1)).toBe('read 2000'); // as much as ever, once they have caught up
  });

  it('goes on in small steps while they get nearer but never there', async () => {
    let pauses = 0;
    await fillBesides(async () => {
      pauses += 1;
      if (pauses % 25 === 0) await feed(1);
    });
    expect(target.checkpoint()).toBeLessThan(await world.store.head());
    expect(steps.indexOf('read 1000')).toBe(50); // a quarter of a second
    expect(steps).toContain('read 125');
  });

  it('does not wait for read models that nobody feeds', async () => {
    await fillBesides(async () => undefined);
    expect(steps.filter((step) => step === 'pause')).toHaveLength(50);
    expect(await world.namesIn(filled)).toBe(orgs);
  });

  it('gives way to those that are fed, whatever stands still beside them or is not there yet', async () => {
    const [stuck, missing] = [namesProjection('stuck'), namesProjection('missing')];
    await fillGenerations([stuck], { ...depsOf(systemClock), givingWayTo: [] });
    await world.createOrgs(1); // which nobody feeds to it
    let reads = 0;
    const afterRead = async () => {
      reads += 1;
      if (reads === 2) await world.createOrgs(30); // so those that are fed fall behind once more
    };
    await fillBesides(() => feed(20), { givingWayTo: [stuck, missing, live], afterRead });
    const [, second, third] = steps.flatMap((step, index) => (step === 'pause' ? [] : [index]));
    const again = third! - second! - 1;
    expect(again).toBeGreaterThan(0);
    expect(steps.filter((step) => step === 'pause')).toHaveLength(50 + again); // 50 told that one stands still
  });
});

it('who lets live read models be a little behind waits until they are no further, and not for the rest', async () => {
  const head = await world.store.head();
  const clock: Clock = { ...systemClock, sleep: () => feed(20) };
  const { giveWay } = createLivePace({ ...depsOf(clock), live: [live], mayBeBehind: 50 });
  const never = new AbortController().signal;
  await giveWay(never);
  expect(target.checkpoint()).toBeGreaterThanOrEqual(head - 50);
  expect(target.checkpoint()).toBeLessThan(head - 20);
  const before = target.checkpoint();
  await giveWay(never);
  expect(target.checkpoint()).toBe(before);
});
