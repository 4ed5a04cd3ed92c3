/**
 * Rows as the server sends them, with nothing but the body: as objects that the driver makes of them, small documents take
 * four times as long to be read.
 */
export const onlyBodies = { projection: { _id: 0, body: 1 }, raw: true } as const;

/** The length of the row comes first, then the kind of its only field, which is a text, and its name. */
const field = Buffer.from('\u0002body\u0000', 'latin1');
const fieldAt = 4;
const textLengthAt = fieldAt + field.length;
const textAt = textLengthAt + 4;

/** The body of a row of `onlyBodies`. */
export const bodyOf = (row: Uint8Array): string => {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  if (field.compare(bytes, fieldAt, textLengthAt) !== 0) throw new Error('a stored document has no body');
  return bytes.toString('utf8', textAt, textAt + bytes.readInt32LE(textLengthAt) - 1); // without the zero at its end
};
