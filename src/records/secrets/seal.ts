import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

/** Encrypts what is kept but must not lie readable on a disk: AES-256-GCM, a fresh nonce for each text. */
export interface Seal {
  readonly close: (text: string) => string;
  /** Throws when the text was not sealed with this key. */
  readonly open: (sealed: string) => string;
}

const nonceBytes = 12;
const tagBytes = 16;

export function createSeal(key: Uint8Array, random: Random): Seal {
  if (key.length !== 32) throw new Error('a sealing key has 32 bytes');
  return {
    close: (text) => {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}
