import { createHash } from 'node:crypto';
import { base62Digits } from '../kernel/ids.ts';
import type { Random } from '../ports/random.ts';

/** A machine token (contract 12): its text is shown once, everything else may be stored. */
export interface NewToken {
  readonly token: string;
  readonly lookup: string;
  readonly secretSha256: string;
  /** Prefix and six characters, for people to tell tokens apart. */
  readonly start: string;
}

// 4 × 62: bytes from here on would make the first digits more likely than the others.
const fairBytesEnd = 248;

function randomText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) {
      if (byte < fairBytesEnd) text += base62Digits.charAt(byte % base62Digits.length);
    }
  }
  return text;
}

export const createTokenText = (random: Random): string => `relk_${randomText(random, 12)}_${randomText(random, 32)}`;

export function newTokenOf(token: string): NewToken {
  const [prefix = '', lookup = '', secret = ''] = token.split('_');
  return {
    token,
    lookup,
    secretSha256: createHash('sha256').update(secret).digest('hex'),
    start: `${prefix}_${lookup.slice(0, 6)}`,
  };
}
