type Numbers = Int32Array | Float64Array;

export interface GrowingNumbers<Kind extends Numbers> {
  /** Another one after each `reserve`. */
  values: Kind;
  /** Makes room for so many, in steps that keep the copying small beside the filling. */
  readonly reserve: (length: number) => void;
}

export function createGrowingNumbers<Kind extends Numbers>(make: (length: number) => Kind): GrowingNumbers<Kind> {
  const grown: GrowingNumbers<Kind> = {
    values: make(1_024),
    reserve: (length) => {
      if (length <= grown.values.length) return;
      const larger = make(Math.ceil(Math.max(length, grown.values.length * 1.25)));
      larger.set(grown.values);
      grown.values = larger;
    },
  };
  return grown;
}
