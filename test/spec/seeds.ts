import { randomInt } from 'node:crypto';

/**
 * The seeds of a test: the first ones, always the same, and one that nobody has tried. SEED runs one alone, SEEDS that
 * many of the first. The name of each test says its seed.
 */
export function seedsToRun(count: number): number[] {
  const { SEED, SEEDS } = process.env;
  if (SEED !== undefined) return [Number(SEED)];
  const first = Array.from({ length: Number(SEEDS ?? count) }, (_, index) => index + 1);
  return [...first, randomInt(1_000_000, 2 ** 31)];
}
