import { describe, expect, it } from 'vitest';
import { createForeignWrites } from '../../../src/http/ready/foreign-writes.ts';
import { defineProjection } from '../../../src/kernel/projection.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';

const projection = defineProjection({ name: 'names', generation: 1, indexes: {}, on: {} });

function setUp() {
  let nowMs = 1_000_000;
  let position = 5;
  let own = 0;
  let foreignWrites = 0;
  const setOf = (): ReadModelSet =>
    ({
      of: () => ({ declaration: { ...projection, generation: 1001 }, checkpoint: async () => position }),
    }) as unknown as ReadModelSet;
  let models: ReadModelSet | null = setOf();
  const foreign = createForeignWrites({
    live: { current: async () => models },
    projections: [projection],
    ownPosition: () => own,
    onForeignWrite: () => {
      foreignWrites += 1;
    },
    clock: { nowMs: () => nowMs, sleep: async () => undefined },
  });
  return {
    foreign,
    foreignWrites: () => foreignWrites,
    pass: (ms: number) => {
      nowMs += ms;
    },
    write: (to: number, isOwn: boolean) => {
      position = to;
      if (isOwn) own = to;
    },
    setModels: (to: 'others' | null) => {
      models = to === null ? null : setOf();
    },
  };
}

describe('what others write', () => {
  it('is known for less than a second after a look', async () => {
    const { foreign, pass } = setUp();
    expect(foreign.isKnown(1_000_000)).toBe(false);
    await foreign.look();
    pass(300);
    expect(foreign.isKnown(1_000_300)).toBe(true);
    expect(foreign.isKnown(1_000_899)).toBe(true);
    expect(foreign.isKnown(1_000_900)).toBe(false);
    expect(foreign.isKnown(999_999)).toBe(false);
  });

  it('is told from what this process writes', async () => {
    const { foreign, foreignWrites, write } = setUp();
    await foreign.look();
    const before = foreignWrites();
    write(6, true);
    await foreign.look();
    expect(foreignWrites()).toBe(before);
    write(7, false);
    await foreign.look();
    expect(foreignWrites()).toBe(before + 1);
    await foreign.look();
    expect(foreignWrites()).toBe(before + 1);
  });

  it('may be other generations, or none', async () => {
    const { foreign, foreignWrites, setModels } = setUp();
    await foreign.look();
    const before = foreignWrites();
    setModels('others');
    await foreign.look();
    expect(foreignWrites()).toBe(before + 1);
    setModels(null);
    await foreign.look();
    expect(foreignWrites()).toBe(before + 2);
  });

  it('is no reason to forget anything once a look has found it', async () => {
    const { foreign, write } = setUp();
    expect(foreign.isOwn([projection], 1)).toBe(false);
    write(9, false);
    await foreign.look();
    expect(foreign.isOwn([projection], 9)).toBe(true);
    expect(foreign.isOwn([projection], 10)).toBe(false);
    write(10, true);
    expect(foreign.isOwn([projection], 10)).toBe(true);
  });
});
