/** One line each: a sentence and its fields. Never a secret, a token or a signing key. */
export interface Log {
  readonly info: (sentence: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (sentence: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly error: (sentence: string, fields?: Readonly<Record<string, unknown>>) => void;
}
