/** Some bits of a number that hold which one of some values it is, 0 for none. */
export interface FacetField {
  readonly shift: number;
  readonly bits: number;
}

/** JavaScript computes bits in numbers of 32, of which the highest is a sign. */
const facetBitsMax = 30;

/** A field for each, one above the other, of as many bits as the count of its values takes. */
export const facetFields = <Name extends string>(counts: Readonly<Record<Name, number>>): Record<Name, FacetField> => {
  let shift = 0;
  const fields = Object.entries<number>(counts).map(([name, count]) => {
    const bits = 32 - Math.clz32(count);
    const field: FacetField = { shift, bits };
    shift += bits;
    return [name, field] as const;
  });
  if (shift > facetBitsMax)
    throw new RangeError(`Facets take ${shift} bits, and a number has ${facetBitsMax} for them.`);
  return Object.fromEntries(fields) as Record<Name, FacetField>;
};
