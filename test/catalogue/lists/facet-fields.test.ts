import { describe, expect, it } from 'vitest';
import { facetFields } from '../../../src/catalogue/lists/facet-fields.ts';

describe('the fields of facets', () => {
  it('have room for each value and for none, and overlap nowhere', () => {
    expect(facetFields({ a: 1, b: 7, c: 8, d: 15, e: 16 })).toEqual({
      a: { shift: 0, bits: 1 },
      b: { shift: 1, bits: 3 },
      c: { shift: 4, bits: 4 },
      d: { shift: 8, bits: 4 },
      e: { shift: 12, bits: 5 },
    });
  });

  it('are refused when a number has no room for them', () => {
    expect(facetFields({ a: 2 ** 15 - 1, b: 2 ** 15 - 1 }).b).toEqual({ shift: 15, bits: 15 });
    expect(() => facetFields({ a: 2 ** 15 - 1, b: 2 ** 15 })).toThrow(RangeError);
  });
});
