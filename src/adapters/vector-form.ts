/** A vector as it is stored: whole numbers of -127 to 127, and what to multiply them with. */
export const scaleBytes = 4;

const storedBytes = (dimensions: number): number => scaleBytes + dimensions;

/** The vectors of the entries of one document, one behind the other. */
export function packVectors(vectors: readonly Float32Array[]): Buffer {
  const packed = Buffer.alloc(vectors.reduce((sum, { length }) => sum + storedBytes(length), 0));
  const numbers = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  let at = 0;
  for (const vector of vectors) {
    let largest = 0;
    for (let axis = 0; axis < vector.length; axis += 1) largest = Math.max(largest, Math.abs(vector[axis]!));
    const scale = largest / 127 || 1;
    packed.writeFloatLE(scale, at);
    for (let axis = 0; axis < vector.length; axis += 1) {
      numbers[at + scaleBytes + axis] = Math.round(vector[axis]! / scale);
    }
    at += storedBytes(vector.length);
  }
  return packed;
}

export function unpackVectors(packed: Buffer, dimensions: number): Float32Array[] {
  const numbers = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  return Array.from({ length: packed.length / storedBytes(dimensions) }, (_, entry) => {
    const at = entry * storedBytes(dimensions);
    const scale = packed.readFloatLE(at);
    const vector = new Float32Array(dimensions);
    for (let axis = 0; axis < dimensions; axis += 1) vector[axis] = scale * numbers[at + scaleBytes + axis]!;
    return vector;
  });
}

/** Of length 1; null when it points nowhere. */
export function unitOf(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0 || !Number.isFinite(squares)) return null;
  const length = Math.sqrt(squares);
  const unit = new Float32Array(vector.length);
  for (let axis = 0; axis < vector.length; axis += 1) unit[axis] = vector[axis]! / length;
  return unit;
}

/** What was rounded may make the product of two vectors of length 1 a little more than any cosine is. */
export const cosineOf = (product: number): number => Math.max(-1, Math.min(1, product));
