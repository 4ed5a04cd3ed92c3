const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// Seven digits are the most that stay exact in a double (62^7 < 2^53), so a BigInt is divided once per seven.
const chunkDigits = 7;
const chunkSize = 62 ** chunkDigits;
const chunkSizeBig = BigInt(chunkSize);

/** The bytes as one big-endian number, modulo 62^length, in exactly `length` digits. */
export const base62FromHash = (bytes: Uint8Array, length: number): string => {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  let rest = BigInt(`0x0${hex}`);
  let text = '';
  while (text.length < length) {
    let chunk = Number(rest % chunkSizeBig);
    rest /= chunkSizeBig;
    const end = Math.min(length, text.length + chunkDigits);
    while (text.length < end) {
      text = digits.charAt(chunk % 62) + text;
      chunk = Math.floor(chunk / 62);
    }
  }
  return text;
};
