import { createHash } from 'node:crypto';

/** Tells one text from another where the text itself is not told. */
export interface TextDigest {
  /** Hex SHA-256. */
  readonly hash: string;
  /** UTF-16 length. */
  readonly chars: number;
}

/** Of no text there is none. */
export const textDigest = (text: string | null): TextDigest | null =>
  text === null || text === '' ? null : { hash: createHash('sha256').update(text).digest('hex'), chars: text.length };
