import { createSeeded, type Seeded } from './seeded.ts';

/** Chance of which each step has its own, so that a step that is left out changes nothing for the others. */
export function createSteppedChance(seed: number) {
  let chance = createSeeded(seed);
  const random: Seeded = {
    int: (...given) => chance.int(...given),
    pick: (list) => chance.pick(list),
    chance: (percent) => chance.chance(percent),
  };
  return {
    random,
    beginStep: (step: number): void => {
      chance = createSeeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(step, 0x85ebca6b));
    },
  };
}
