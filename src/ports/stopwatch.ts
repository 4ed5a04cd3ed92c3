/** Milliseconds with fractions that only go forward: for how long something took, never for when it was. */
export type Stopwatch = () => number;
