/** The cosine of the angle between two vectors of any length. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) throw new Error(`${one.length} numbers cannot be compared with ${other.length}`);
  let [product, squares, otherSquares] = [0, 0, 0];
  for (let axis = 0; axis < one.length; axis += 1) {
    product += one[axis]! * other[axis]!;
    squares += one[axis]! ** 2;
    otherSquares += other[axis]! ** 2;
  }
  return product / Math.sqrt(squares * otherSquares);
}
