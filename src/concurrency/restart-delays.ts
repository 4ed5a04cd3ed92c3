export interface RestartDelays {
  /** How long to wait before what has served for so long is started again. */
  readonly next: (servedMs: number) => number;
}

/** Twice as long each time, up to a bound; from the beginning once something has served for long enough. */
export function createRestartDelays(options: {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly steadyMs: number;
}): RestartDelays {
  const { firstMs, maxMs, steadyMs } = options;
  let nextMs = firstMs;
  return {
    next: (servedMs) => {
      const delayMs = servedMs >= steadyMs ? firstMs : nextMs;
      nextMs = Math.min(maxMs, delayMs * 2);
      return delayMs;
    },
  };
}
