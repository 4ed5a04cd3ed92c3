import { describe, expect, it } from 'vitest';
import { createNearestCosine } from '../../../../../src/adapters/embedded/search-index/codes/nearest-cosine.ts';
import { packVectors, unitOf, unpackVectors } from '../../../../../src/adapters/vector-form.ts';
import { createSeeded, type Seeded } from '../../../../spec/seeded.ts';

const unitVector = (random: Seeded, dimensions: number): Float32Array =>
  unitOf(Float32Array.from({ length: dimensions }, () => random.int(-1_000, 1_000) + 0.5))!;

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, axis) => sum + value * b[axis]!, 0);

describe('the cosine of the nearest entry', () => {
  it('is that of the stored numbers, for vectors of any length, one after the other', () => {
    const random = createSeeded(21);
    const cosine = createNearestCosine();
    for (const dimensions of [256, 1_536, 32, 300, 7, 8, 9, 1, 3]) {
      const query = unitVector(random, dimensions);
      cosine.compareWith(query);
      for (const entries of [1, 2, 5, 200]) {
        const packed = packVectors(Array.from({ length: entries }, () => unitVector(random, dimensions)));
        const expected = Math.max(...unpackVectors(packed, dimensions).map((vector) => dot(vector, query)));
        expect(cosine.of(packed)).toBeCloseTo(expected, 5);
      }
    }
  });

  it('is about 1 for the same vector and about -1 for its opposite', () => {
    const vector = unitVector(createSeeded(22), 256);
    const cosine = createNearestCosine();
    cosine.compareWith(vector);
    expect(cosine.of(packVectors([vector]))).toBeCloseTo(1, 3);
    expect(cosine.of(packVectors([vector.map((value) => -value)]))).toBeCloseTo(-1, 3);
  });
});
