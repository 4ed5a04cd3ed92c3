import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type LookupWorld,
  openLookupWorld,
  threeReleases as releases,
  wholeLookup,
} from '../spec/worlds/lookup-world.ts';

let world: LookupWorld;

beforeAll(async () => {
  world = await openLookupWorld();
});
afterAll(() => world.close());

describe('a lookup whose process is killed', () => {
  it('is done to its end by the next one, wherever the kill came, and nothing is there twice', async () => {
    const numbered = (number: number) => `killed-at-${number}-step`;
    world.github.put('unharmed/kit', { releases });
    const unharmed = await world.startProcess();
    const answered = await unharmed.lookUp('unharmed/kit');
    await unharmed.close();
    expect(answered.body).toMatchObject({ status: 'indexed', ...wholeLookup('unharmed') });
    const steps = unharmed.steps();
    expect(steps).toBeGreaterThanOrEqual(20);

    const killed = async (dieAt: number) => {
      const owner = numbered(dieAt);
      world.github.put(`${owner}/kit`, { releases });
      const mortal = await world.startProcess(dieAt);
      expect((await mortal.lookUp(`${owner}/kit`)).status).toBe(500);
      await mortal.close();
      const { body } = await world.service.post('/v1/lookups', { provider: 'github', coordinate: `${owner}/kit` });
      expect(body, owner).toMatchObject(wholeLookup(owner));
      expect(['indexed', 'existing'], owner).toContain(body.status);
      expect(await world.madeFor(owner), owner).toEqual([1, 1]);
    };
    for (let from = 1; from <= steps; from += 10) {
      const some = Array.from({ length: Math.min(10, steps + 1 - from) }, (_, index) => from + index);
      await Promise.all(some.map(killed));
    }
  });
});
