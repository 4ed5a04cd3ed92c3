import type { Seeded } from '../seeded.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const startOfDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

const startOfMonth = (ms: number): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
};

/** Moments at which a window of contract 2.12 or a visibility of 2.9 begins or ends, and their neighbours. */
const edges = (nowMs: number): number[] => [
  nowMs,
  nowMs - 30 * dayMs,
  nowMs - 90 * dayMs,
  nowMs - 180 * dayMs,
  startOfDay(nowMs),
  startOfDay(nowMs) - 29 * dayMs,
  startOfMonth(nowMs),
  startOfMonth(startOfMonth(nowMs) - 1),
  nowMs + minuteMs,
];

/** The date of a release, most often one that is easily got wrong. */
export const randomDate = (random: Seeded, nowMs: number, used: readonly string[]): string => {
  const kind = random.int(1, 100);
  if (kind <= 20 && used.length > 0) return random.pick(used);
  if (kind <= 50) return new Date(random.pick(edges(nowMs)) + random.pick([-1, 0, 0, 0, 1])).toISOString();
  if (kind <= 60) return new Date(nowMs + random.int(2, 3 * 24 * 60) * minuteMs).toISOString();
  if (kind <= 65) return new Date(nowMs + random.int(4, 60) * dayMs).toISOString();
  const past = new Date(nowMs - random.int(0, random.pick([3, 40, 200, 700]) * 24 * 60) * minuteMs).toISOString();
  return random.chance(30) ? past.slice(0, 10) : past;
};

/** How far the clock is moved on. */
export const randomPause = (random: Seeded): number =>
  random.pick([
    1,
    minuteMs,
    minuteMs + 1,
    random.int(1, 90) * minuteMs,
    random.int(1, 20) * dayMs,
    random.int(1, 40) * 36 * minuteMs,
    random.int(25, 75) * dayMs,
  ]);
