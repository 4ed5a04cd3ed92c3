import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Chance that a seed repeats exactly. */
export interface Seeded {
  /** Both ends included. */
  readonly int: (min: number, max: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly chance: (percent: number) => boolean;
}

export function createSeeded(seed: number): Seeded {
  const generator = xoroshiro128plus(seed);
  const int = (min: number, max: number) => {
    if (min > max) throw new RangeError(`there is nothing from ${min} to ${max}`); // the library would look for it for ever
    return uniformInt(generator, min, max);
  };
  return {
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    chance: (percent) => int(1, 100) <= percent,
  };
}
