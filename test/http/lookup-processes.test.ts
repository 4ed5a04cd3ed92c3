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

describe('processes that look up the same at once', () => {
  it('make one org and one source, and all of them get it', async () => {
    world.github.put('rush/kit', { releases });
    const processes = await Promise.all(Array.from({ length: 5 }, () => world.startProcess()));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => processes[index % processes.length]!.lookUp('rush/kit')),
    );
    await Promise.all(processes.map(({ close }) => close()));
    for (const { body } of answers) expect(body).toMatchObject(wholeLookup('rush'));
    expect(new Set(answers.map(({ body }) => body.source.id)).size).toBe(1);
    expect(await world.madeFor('rush')).toEqual([1, 1]);
  });

  it('of different repositories of one owner make one org', async () => {
    const processes = await Promise.all(Array.from({ length: 3 }, () => world.startProcess()));
    const names = ['kit', 'box', 'jar'].map((name) => `crowd/${name}`);
    for (const name of names) world.github.put(name, { releases });
    const answers = await Promise.all(names.map((name, index) => processes[index]!.lookUp(name)));
    await Promise.all(processes.map(({ close }) => close()));
    expect(answers.map(({ body }) => [body.status, body.relatedOrg.slug])).toEqual(
      names.map(() => ['indexed', 'crowd']),
    );
    expect(await world.madeFor('crowd')).toEqual([1, 1]);
  });
});
