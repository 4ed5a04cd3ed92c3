import { describe, expect, it } from 'vitest';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { retireOldGenerations } from '../../../src/runtime/projector/retire-generations.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';

const graceMs = 1_000;
const isFedNowhere = () => false;

/** Generations of one read model, as a store lists and drops them. */
const setUp = (generations: readonly number[], past: readonly number[] = []) => {
  const stored = new Set(generations);
  let live = 0;
  const readModels = {
    pastGenerations: async () => [...past],
    pointers: async () => ({ org: live }),
    drop: async (_name: string, generation: number) => void stored.delete(generation),
  } as Pick<ReadModels, 'pastGenerations' | 'pointers' | 'drop'> as ReadModels;
  const clock = createFakeClock();
  const retired = retireOldGenerations({ readModels, clock, graceMs });
  const inGrace = async (nowLive: number) => {
    live = nowLive;
    return (await retired.inGrace({ org: live }, ['org'])).map(({ generation }) => generation);
  };
  const becomeLive = (generation: number) => {
    live = generation;
  };
  return { stored, clock, retired, inGrace, becomeLive };
};

describe('generations that are no longer live', () => {
  it('are fed for the time of grace and dropped a while after it', async () => {
    const { stored, clock, retired, inGrace } = setUp([1000, 1001]);
    expect(await inGrace(1000)).toEqual([]);
    expect(await inGrace(1001)).toEqual([1000]);
    clock.advance(graceMs - 1);
    expect(await inGrace(1001)).toEqual([1000]);
    clock.advance(1);
    expect(await inGrace(1001)).toEqual([]);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1000, 1001]);
    clock.advance(graceMs / 10);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1001]);
  });

  it('are not dropped while they are being fed here', async () => {
    const { stored, clock, retired, inGrace } = setUp([1000, 1001]);
    await inGrace(1000);
    await inGrace(1001);
    clock.advance(2 * graceMs);
    await retired.dropExpired((name, generation) => name === 'org' && generation === 1000);
    expect([...stored]).toEqual([1000, 1001]);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1001]);
  });

  it('are dropped at once when an earlier process left them, but not what is being filled to go on or back', async () => {
    const { stored, clock, retired, inGrace } = setUp([1000, 1001, 2000, 3000], [1000]);
    expect(await inGrace(2000)).toEqual([]);
    clock.advance(graceMs);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1001, 2000, 3000]);
  });

  it('are left alone above the live one: somebody who went back may go on again', async () => {
    const { stored, clock, retired, inGrace } = setUp([1001, 2000], [2000]);
    expect(await inGrace(1001)).toEqual([]);
    clock.advance(graceMs);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1001, 2000]);
  });

  it('are kept when they became live again after the last look', async () => {
    const { stored, clock, retired, inGrace, becomeLive } = setUp([1000, 1001]);
    await inGrace(1000);
    await inGrace(1001);
    clock.advance(2 * graceMs);
    becomeLive(1000);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1000, 1001]);
  });

  it('are kept when they become live again', async () => {
    const { stored, clock, retired, inGrace } = setUp([1000, 1001]);
    await inGrace(1000);
    await inGrace(1001);
    expect(await inGrace(1000)).toEqual([1001]);
    clock.advance(2 * graceMs);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1000]);
  });
});
