/** The binary notation of certificates: a tag, the length of what follows, and that. */
export const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const lengthBytes = length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
};

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
export const integer = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes));
export const bitString = (bytes: Uint8Array): Buffer => der(0x03, Buffer.of(0), bytes); // no unused bits
export const octetString = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
/** `YYMMDDhhmmssZ` */
export const utcTime = (time: Date): Buffer =>
  der(0x17, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

/** The first two numbers share a byte; each other one is written in groups of seven bits. */
export const objectId = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
};
