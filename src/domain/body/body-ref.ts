/** Names a text that lies in a body stream. */
export interface BodyRef {
  /** Hex SHA-256 of the text. */
  readonly sha256: string;
  /** UTF-16 length. */
  readonly chars: number;
  readonly parts: number;
}

export type StoredText = string | BodyRef;

export const isBodyRef = (text: StoredText): text is BodyRef => typeof text !== 'string';
