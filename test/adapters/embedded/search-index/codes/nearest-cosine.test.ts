import { describe, expect, it } from 'vitest';
import { createNearestCosine } from '../../../../../src/adapters/embedded/search-index/codes/nearest-cosine.ts';
import { packVectors, unitOf, unpackVectors } from '../../../../../src/adapters/vector-form.ts';
import { createSeeded, type Seeded } from '../../../../spec/seeded.ts';

const unitVector = (random: Seeded, dimensions: number): Float32Array =>
  unitOf(Float32Array.from({ length: dimensions }, () => random.int(-1_000, 1_000) + 0.5))!;

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, axis) => sum + value * b[axis]!, 0);

describe('the cosine of the nearest entry', () => {
  it('is that of the stored numbers, for one or several vectors of any length', () => {
    const random = createSeeded(21);
    const cosine = createNearestCosine();
    for (const dimensions of [256, 1_536, 32, 300, 7, 8, 9, 1, 3]) {
      for (const count of [3, 1, 8]) {
        const queries = Array.from({ length: count }, () => unitVector(random, dimensions));
        cosine.compareWith(queries);
        for (const entries of [1, 2, 5, 200]) {
          const packed = packVectors(Array.from({ length: entries }, () => unitVector(random, dimensions)));
          const cosines = unpackVectors(packed, dimensions).flatMap((one) => queries.map((query) => dot(one, query)));
          expect(cosine.of(packed, [...queries.keys()])).toBeCloseTo(Math.max(...cosines), 5);
        }
      }
    }
  });

  it('is never more than 1 or less than -1, however the stored numbers were rounded', () => {
    const random = createSeeded(23);
    const cosine = createNearestCosine();
    for (const dimensions of [256, 32, 9, 1]) {
      const vectors = Array.from({ length: 50 }, () => unitVector(random, dimensions));
      for (const vector of vectors) {
        cosine.compareWith([vector]);
        expect(cosine.of(packVectors([vector]), [0])).toBeLessThanOrEqual(1);
        expect(cosine.of(packVectors([vector.map((value) => -value)]), [0])).toBeGreaterThanOrEqual(-1);
      }
    }
  });

  it('is about 1 for the same vector and about -1 for its opposite', () => {
    const vector = unitVector(createSeeded(22), 256);
    const cosine = createNearestCosine();
    cosine.compareWith([vector]);
    expect(cosine.of(packVectors([vector]), [0])).toBeCloseTo(1, 3);
    expect(cosine.of(packVectors([vector.map((value) => -value)]), [0])).toBeCloseTo(-1, 3);
  });
});
