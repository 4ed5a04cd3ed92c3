export interface Random {
  /** At least 0, below 1. */
  readonly fraction: () => number;
  readonly bytes: (count: number) => Uint8Array;
}
