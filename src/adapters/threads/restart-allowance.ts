export interface RestartAllowance {
  /** Uses one restart, or says that none is left in this window. */
  readonly take: (nowMs: number) => boolean;
}

/** At most `restartsMax` restarts in any `windowMs`: more than that is not bad luck but a fault. */
export function createRestartAllowance(restartsMax: number, windowMs: number): RestartAllowance {
  let takenAtMs: number[] = [];
  return {
    take: (nowMs) => {
      takenAtMs = takenAtMs.filter((atMs) => nowMs - atMs < windowMs);
      if (takenAtMs.length >= restartsMax) return false;
      takenAtMs.push(nowMs);
      return true;
    },
  };
}
