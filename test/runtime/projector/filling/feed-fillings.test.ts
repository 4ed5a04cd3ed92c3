import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../../src/kernel/projection.ts';
import type { EventStore } from '../../../../src/ports/event-store.ts';
import type { ReadModel, ReadModels } from '../../../../src/ports/read-models.ts';
import { fillGenerations } from '../../../../src/runtime/projector/filling/fill-generations.ts';
import { namesProjection, opening, openProjectionWorld, type ProjectionWorld } from '../projection-world.ts';

let world: ProjectionWorld;

beforeEach(async () => {
  world = await openProjectionWorld();
});

afterEach(() => world.close());

/** Five events at once, so that it takes several batches. */
const inSmallBatches = (): EventStore => ({
  ...world.store,
  readAll: (options) => world.store.readAll({ ...options, limit: 5 }),
});

const fill = (projections: readonly Projection[], readModels: ReadModels) =>
  fillGenerations(projections, { store: inSmallBatches(), readModels, clock: systemClock, holder: 'test' });

/** Calls this with each write before it is done. */
const watching = (onWrite: (name: string) => Promise<void> | void): ReadModels =>
  opening(world.readModels, (model) => ({
    write: async (write: Parameters<ReadModel['write']>[0]) => {
      await onWrite(model.declaration.name);
      return model.write(write);
    },
  }));

const checkpointOf = async ({ name, indexes }: Projection): Promise<number> => {
  const generation = (await world.readModels.pointers())[name]!;
  return (await world.readModels.open({ name, generation, indexes })).checkpoint();
};

/** Its folds look at products, and there are none. */
const productNames = (): Projection => {
  const { on, ...declared } = namesProjection('product-names');
  return { ...declared, on: { 'ProductCreated.v1': on['OrgCreated.v1'] } };
};

describe('read models that are filled together', () => {
  it('hold what is folded of a batch for few of them at once', async () => {
    await world.createOrgs(8);
    let [held, heldMax] = [0, 0];
    const readModels = watching(async () => {
      held += 1;
      heldMax = Math.max(heldMax, held);
      await setImmediate();
      held -= 1;
    });
    const many = Array.from({ length: 6 }, (_, index) => namesProjection(`names-${index}`));
    const outcomes = await fill(many, readModels);
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('live'));
    expect(heldMax).toBe(2);
  });

  it('are passed over together by what concerns none of them', async () => {
    await world.createOrgs(12);
    const [names, products] = [namesProjection('names'), productNames()];
    const written = new Set<string>();
    const readModels = watching((name) => void written.add(name));
    expect(await fill([names, products], readModels)).toMatchObject([{ kind: 'live' }, { kind: 'live' }]);
    expect([...written]).toEqual(['names']);
    expect(await checkpointOf(products)).toBe(await world.store.head());
    expect(await world.namesIn(names)).toBe(12);
  });

  it('find their place where they cannot be passed over', async () => {
    await world.createOrgs(12);
    const [names, products] = [namesProjection('names'), productNames()];
    const readModels: ReadModels = { ...world.readModels, passOver: async () => 0 };
    expect(await fill([names, products], readModels)).toMatchObject([{ kind: 'live' }, { kind: 'live' }]);
    expect([await checkpointOf(names), await checkpointOf(products)]).toEqual(Array(2).fill(await world.store.head()));
  });

  it('are fed one by one where passing over fails, so that one that is broken ends alone', async () => {
    await world.createOrgs(12);
    const [names, products] = [namesProjection('names'), productNames()];
    const passOver: ReadModels['passOver'] = () => Promise.reject(new Error('the file of one cannot be read'));
    const readModels = opening({ ...world.readModels, passOver }, (model) =>
      model.declaration.name === names.name ? {} : { write: () => Promise.reject(new Error('it cannot be read')) },
    );
    const outcomes = await fill([names, products], readModels);
    expect(outcomes.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
      { name: names.name, kind: 'live' },
      { name: products.name, kind: 'failed', error: { message: 'it cannot be read' } },
    ]);
  });
});
