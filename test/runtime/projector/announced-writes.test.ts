import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadModels, ReadModelWrite } from '../../../src/ports/read-models.ts';
import { announcedWrites } from '../../../src/runtime/projector/announced-writes.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from './projection-world.ts';

const projection = namesProjection('names');
let world: ProjectionWorld;
let heard: string[];

beforeEach(async () => {
  world = await openProjectionWorld();
  heard = [];
});
afterEach(() => world.close());

/** A store that takes its time: what happens there is heard too. */
const slow = (readModels: ReadModels, lateFailure?: Error): ReadModels => ({
  ...readModels,
  open: async (declaration) => {
    const model = await readModels.open(declaration);
    const write = async (changes: ReadModelWrite<never>) => {
      await new Promise((resolve) => setImmediate(resolve));
      const outcome = await model.write(changes);
      heard.push(outcome);
      if (lateFailure) throw lateFailure;
      return outcome;
    };
    return { ...model, write } as never;
  },
  switchPointers: async (switches) => {
    await new Promise((resolve) => setImmediate(resolve));
    heard.push('switched');
    return readModels.switchPointers(switches);
  },
  passOver: async (moves) => {
    await new Promise((resolve) => setImmediate(resolve));
    const moved = await readModels.passOver(moves);
    heard.push('passed');
    return moved;
  },
  writeTogether: async () => {
    await new Promise((resolve) => setImmediate(resolve));
    heard.push('written together');
    return true;
  },
});

async function writeOnce(readModels: ReadModels): Promise<unknown> {
  const model = await readModels.open({ ...projection, generation: 1 });
  const lease = await model.leases.acquire('feed', 'test', 60_000);
  return model.write({ changes: [], position: 1, lease: lease! });
}

describe('read models that tell of their writes', () => {
  it('do so when a write can be read, and not before', async () => {
    const readModels = announcedWrites(slow(world.readModels), () => heard.push('told'));
    expect(await writeOnce(readModels)).toBe('written');
    expect(heard).toEqual(['written', 'told']);
    await readModels.switchPointers([{ name: 'names', expected: null, generation: 1 }]);
    expect(heard).toEqual(['written', 'told', 'switched', 'told']);
    await readModels.passOver([{ name: 'names', generation: 1, from: 1, position: 2 }]);
    expect(heard.slice(4)).toEqual(['passed', 'told']);
    await readModels.writeTogether!([]);
    expect(heard.slice(6)).toEqual(['written together', 'told']);
  });

  it('tell of one whose answer was lost too', async () => {
    const readModels = announcedWrites(slow(world.readModels, new Error('away')), () => heard.push('told'));
    await expect(writeOnce(readModels)).rejects.toThrow('away');
    expect(heard).toEqual(['written', 'told']);
  });
});
