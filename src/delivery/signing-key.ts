const keyBytes = 32;

/** The two ways in which a subscriber is given the same key (contract 13.3). */
export interface SpelledKey {
  /** Lower-case hex. */
  readonly signingKey: string;
  /** As libraries for Standard Webhooks take it. */
  readonly signingSecret: string;
}

export const spellSigningKey = (key: Uint8Array): SpelledKey => {
  if (key.length !== keyBytes) throw new RangeError(`a signing key has ${keyBytes} bytes, not ${key.length}`);
  const bytes = Buffer.from(key);
  return { signingKey: bytes.toString('hex'), signingSecret: `whsec_${bytes.toString('base64')}` };
};
