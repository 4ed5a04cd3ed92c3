import { textDigest } from '../../domain/text-digest.ts';
import { cutText } from '../../kernel/text-rules.ts';

/** A text that gets a vector of its own. */
export interface EntryText {
  readonly text: string;
  /** Of the text: half of its hex SHA-256, which no two texts share either. */
  readonly textHash: string;
}

/** No model reads further, and a word may be as long as the whole text. */
export const entryCharsMax = 2_000;

export const hashedText = (text: string): EntryText => ({ text, textHash: textDigest(text)!.hash.slice(0, 32) });

/** A text as far as it is read. */
export const entryText = (text: string): EntryText => hashedText(cutText(text, entryCharsMax));
