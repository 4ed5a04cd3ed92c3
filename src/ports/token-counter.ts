/** Counts cl100k_base tokens, off the thread that decides. */
export interface TokenCounter {
  /** One count for each text, in order. */
  readonly countMany: (texts: readonly string[]) => Promise<number[]>;
  readonly close: () => Promise<void>;
}
