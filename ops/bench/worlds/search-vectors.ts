import type { Chance } from './seeded-data.ts';

export const benchSpace = 'bench-space';
const dimensions = 256;
const topics = 4_000;
/** Numbers that are drawn once and used from any place on: to draw them anew would take most of the time. */
const poolNumbers = 1 << 18;
const steps = 1 << 24;

function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return vector.map((value) => value / Math.sqrt(squares));
}

/**
 * Vectors that lie in clouds around many topics, of which the first axes say most: as those of a model do. They are harder to
 * tell apart by signs than vectors that lie anywhere.
 */
export function createBenchVectors(chance: Chance): () => Float32Array {
  const drawn = () => (2 * (chance.int(0, steps) + chance.int(0, steps) + chance.int(0, steps))) / steps - 3;
  const pool = Float32Array.from({ length: poolNumbers }, drawn);
  const weights = Float32Array.from({ length: dimensions }, (_, axis) => 1 / Math.sqrt(1 + axis / 24));
  const around = (centre: Float32Array, spread: number): Float32Array => {
    const from = chance.int(0, poolNumbers - dimensions);
    return unit(centre.map((value, axis) => value + pool[from + axis]! * weights[axis]! * spread));
  };
  const centres = Array.from({ length: topics }, () => around(new Float32Array(dimensions), 1));
  return () => around(chance.pick(centres), 0.08);
}
