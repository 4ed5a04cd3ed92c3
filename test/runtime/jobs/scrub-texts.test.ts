import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { LiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { fillGenerations } from '../../../src/runtime/projector/filling/fill-generations.ts';
import { createScrubTexts } from '../../../src/runtime/jobs/scrub-texts.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from '../projector/projection-world.ts';

const [texts, numbers] = [namesProjection('texts'), namesProjection('numbers')];
let clock: FakeClock;
let world: ProjectionWorld;

beforeEach(async () => {
  clock = createFakeClock();
  world = await openProjectionWorld(clock);
});
afterEach(() => world.close());

const fill = (...projections: Projection[]) => fillGenerations(projections, { ...world, clock, holder: 'setup' });

const openHeld = async (projection: Projection, generation: number, ttlMs: number) => {
  const { leases } = await world.readModels.open({ ...projection, generation });
  expect(await leases.acquire('feed', 'another', ttlMs)).not.toBeNull();
};

const scrubOf = (over: Partial<LiveReadModels> = {}, holding: readonly Projection[] = [texts]) => {
  const live = { ...createLiveReadModels(world.readModels, [texts], clock), ...over };
  return createScrubTexts({ live, readModels: world.readModels, holding, scrubSearch: async () => {} });
};

describe('what is left of erased texts in read models', () => {
  it('goes when those that hold texts have passed the erasure, and for no other one is waited', async () => {
    await fill(texts);
    const waited: number[] = [];
    const waitFor: LiveReadModels['waitFor'] = async (reads, position) => {
      waited.push(position);
      return !reads.includes(numbers); // which stands still
    };
    await scrubOf({ waitFor }).scrub(7);
    await expect(scrubOf({ waitFor }, [texts, numbers]).scrub(8)).rejects.toThrow('has not passed');
    expect(waited).toEqual([7, 8]);
  });

  it('goes with generations that nobody works on, and not with those that somebody fills or reads', async () => {
    await fill(texts, numbers);
    await openHeld(texts, 1_001, 1);
    await openHeld(texts, 2_000, 1);
    await openHeld(numbers, 1_001, 1);
    clock.advance(59_000);
    await openHeld(texts, 3_000, 15_000);
    await scrubOf().scrub(0);
    expect(await world.readModels.generations('texts')).toEqual([1_000, 1_001, 2_000, 3_000]);
    clock.advance(1_001);
    await scrubOf().scrub(0);
    expect(await world.readModels.generations('texts')).toEqual([1_000, 3_000]);
    expect(await world.readModels.generations('numbers')).toEqual([1_000, 1_001]); // which hold none
  });

  it('is left to the processes of a newer version once its read models are live', async () => {
    await fill(texts);
    const old = scrubOf();
    expect(await old.isPossible()).toBe(true);
    await fill(namesProjection('texts', { generation: 2 }));
    expect(await old.isPossible()).toBe(false);
    await expect(old.scrub(0)).rejects.toThrow('another version');
  });
});
