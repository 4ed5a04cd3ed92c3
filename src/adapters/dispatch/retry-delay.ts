/** Long enough to outlast a hiccup, short enough that five attempts are over within two seconds. */
const firstMs = 100;

/** Before the next attempt, after this many have failed: 100, 200, 400, 800 ms and so on, at most 5 s. */
export const retryDelayMs = (failures: number): number => Math.min(firstMs * 2 ** (failures - 1), 5_000);
