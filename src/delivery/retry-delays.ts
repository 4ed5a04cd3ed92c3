/** How long to wait after a failed attempt, and the topic that holds messages that long. */
export interface RetryDelay {
  /** As it is spelled in the settings and at the end of its topic's name: `5s`, `2h`. */
  readonly name: string;
  readonly delayMs: number;
}

/** Of contract 13.7: nine attempts within 31 h 35 min 35 s. */
export const defaultRetryDelays = '5s,30s,5m,30m,2h,5h,10h,14h';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** Messages on a topic are kept for a week; a wait must be well within it. */
const delayMsMax = 24 * 3_600_000;

export const retryDelay = (name: string): RetryDelay | null => {
  const [, count, unit = ''] = /^([1-9]\d{0,5})(ms|s|m|h)$/.exec(name) ?? [];
  const delayMs = Number(count) * (unitsMs[unit] ?? Number.NaN);
  return delayMs <= delayMsMax ? { name, delayMs } : null;
};

export const retryDelays = (names: readonly string[]): RetryDelay[] =>
  names.map((name) => {
    const delay = retryDelay(name);
    if (delay === null) throw new RangeError(`${name} is no delay`);
    return delay;
  });

export const isRetrySchedule = (names: readonly string[]): boolean => {
  const delaysMs = names.map((name) => retryDelay(name)?.delayMs ?? Number.NaN);
  return (
    names.length > 0 &&
    delaysMs.every((delayMs, index) => index === 0 || delayMs > (delaysMs[index - 1] ?? 0)) &&
    !delaysMs.some(Number.isNaN)
  );
};
