import { allProjections } from '../../../projections/all-projections.ts';
import type { Registry } from '../../../src/compose/registry.ts';
import { eventually } from '../eventually.ts';

/**
 * Filled read models can be read at once, and are fed a moment later. On busy servers the first write would wait longer
 * than an answer may: that is no test's own subject.
 */
export const untilFed = ({ readModels }: Registry): Promise<void> => {
  /** Whoever has filled them holds the lease too, for a moment after they are live. */
  let looksHeld = 0;
  return eventually(
    'the read models are fed',
    async () => {
      const { name, indexes } = allProjections.at(-1)!; // leases are taken in their order
      const generation = (await readModels.pointers())[name];
      if (generation === undefined) return false;
      const { leases } = await readModels.open({ name, generation, indexes });
      const taken = await leases.acquire('feed', 'test', 1);
      if (taken !== null) await leases.release(taken);
      looksHeld = taken === null ? looksHeld + 1 : 0;
      return looksHeld === 3;
    },
    { withinMs: 60_000, everyMs: 50 },
  );
};
