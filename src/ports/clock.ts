/** Time, and waiting for it. */
export interface Clock {
  readonly nowMs: () => number;
  /** Resolves early when the signal fires. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
