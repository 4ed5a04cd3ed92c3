import { describe, expect, it } from 'vitest';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { retireOldGenerations } from '../../../src/runtime/projector/retire-generations.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';

const graceMs = 1_000;
const isFedNowhere = () => false;

/** Generations of one read model, as a store lists and drops them. */
const setUp = (...generations: number[]) => {
  const stored = new Set(generations);
  const readModels = {
    generations: async () => [...stored],
    drop: async (_name: string, generation: number) => void stored.delete(generation),
  } as Pick<ReadModels, 'generations' | 'drop'> as ReadModels;
  const clock = createFakeClock();
  const retired = retireOldGenerations({ readModels, clock, graceMs });
  const inGrace = async (live: number) =>
    (await retired.inGrace({ org: live }, ['org'])).map(({ generation }) => generation);
  return { stored, clock, retired, inGrace };
};

describe('generations that are no longer live', () => {
  it('are fed for the time of grace and dropped a while after it', async () => {
    const { stored, clock, retired, inGrace } = setUp(1000, 1001);
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
    const { stored, clock, retired, inGrace } = setUp(1000, 1001);
    await inGrace(1000);
    await inGrace(1001);
    clock.advance(2 * graceMs);
    await retired.dropExpired((name, generation) => name === 'org' && generation === 1000);
    expect([...stored]).toEqual([1000, 1001]);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1001]);
  });

  it('are dropped at once when an earlier process left them, but not what is being filled', async () => {
    const { stored, clock, retired, inGrace } = setUp(1000, 1001, 1002);
    expect(await inGrace(1001)).toEqual([]);
    clock.advance(graceMs);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1001, 1002]);
  });

  it('are kept when they become live again', async () => {
    const { stored, clock, retired, inGrace } = setUp(1000, 1001);
    await inGrace(1000);
    await inGrace(1001);
    expect(await inGrace(1000)).toEqual([1001]);
    clock.advance(2 * graceMs);
    await retired.dropExpired(isFedNowhere);
    expect([...stored]).toEqual([1000]);
  });
});
