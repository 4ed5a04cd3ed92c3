import { describe, expect, it } from 'vitest';
import { createSlidingCounts, type SlidingCounts } from '../../../src/http/rate-limits/sliding-counts.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

const startMs = Date.UTC(2030, 0, 1);
const groups = 64;

const takeMany = (counts: SlidingCounts, client: number, many: number, nowMs: number) =>
  Array.from({ length: many }, () => counts.take(client, nowMs));

const letInOf = (counts: SlidingCounts, client: number, many: number, nowMs: number): number =>
  takeMany(counts, client, many, nowMs).filter(({ isRefused }) => !isRefused).length;

describe('requests of a client', () => {
  it('are let in up to the limit, and say how many are left', () => {
    const counts = createSlidingCounts(3, groups);
    expect(takeMany(counts, 7, 5, startMs).map(({ isRefused, left }) => [isRefused, left])).toEqual([
      [false, 2],
      [false, 1],
      [false, 0],
      [true, 0],
      [true, 0],
    ]);
    expect(counts.take(8, startMs).isRefused).toBe(false);
  });

  it('are let in again as the earlier ones become a minute old, and not before', () => {
    const counts = createSlidingCounts(10, groups);
    letInOf(counts, 7, 6, startMs);
    letInOf(counts, 7, 4, startMs + 40_000);
    expect(letInOf(counts, 7, 10, startMs + 59_999)).toBe(0);
    expect(letInOf(counts, 7, 10, startMs + 60_000)).toBe(6);
    expect(letInOf(counts, 7, 10, startMs + 99_999)).toBe(0);
    expect(letInOf(counts, 7, 10, startMs + 100_000)).toBe(4);
  });

  it('at exactly the announced rate are never refused', () => {
    const counts = createSlidingCounts(120, groups);
    const turns = Array.from({ length: 1_000 }, (_, turn) => counts.take(7, startMs + turn * 500));
    expect(turns.findIndex(({ isRefused }) => isRefused)).toBe(-1);
  });

  it.each(seedsToRun(10))('are as many as all requests together say, with seed %i', (seed) => {
    const seeded = createSeeded(seed);
    const limit = seeded.int(1, 30);
    const counts = createSlidingCounts(limit, groups);
    const letIn: number[] = [];
    let nowMs = startMs;
    for (let turn = 0; turn < 1_000; turn += 1) {
      nowMs += seeded.chance(5) ? seeded.int(0, 90_000) : seeded.int(0, 2_500);
      const second = Math.floor(nowMs / 1_000);
      const within = letIn.filter((each) => each > second - 60);
      const isRefused = within.length >= limit;
      const leaves = isRefused ? within[within.length - limit]! : (within[0] ?? second);
      expect(counts.take(7, nowMs)).toEqual({
        isRefused,
        left: isRefused ? 0 : limit - within.length - 1,
        seconds: leaves + 60 - second,
      });
      if (!isRefused) letIn.push(second);
    }
  });

  it('begin anew when the clock was set back by more than a minute', () => {
    const counts = createSlidingCounts(3, groups);
    letInOf(counts, 7, 3, startMs);
    expect(counts.take(7, startMs - 30_000).isRefused).toBe(true);
    expect(counts.take(7, startMs - 60_000).isRefused).toBe(false);
  });
});

describe('requests that were let in elsewhere', () => {
  it('count as old as they are', () => {
    const counts = createSlidingCounts(10, groups);
    counts.add(7, { count: 9, ageMs: 50_000 }, startMs);
    expect(letInOf(counts, 7, 10, startMs)).toBe(1);
    expect(letInOf(counts, 7, 10, startMs + 9_999)).toBe(0);
    expect(letInOf(counts, 7, 10, startMs + 10_000)).toBe(9);
  });

  it('count beyond the limit too, and what is over already does not', () => {
    const counts = createSlidingCounts(10, groups);
    counts.add(7, { count: 25, ageMs: 0 }, startMs);
    counts.add(7, { count: 25, ageMs: 60_000 }, startMs);
    counts.add(7, { count: 5, ageMs: -5_000 }, startMs + 30_000); // from a clock that is ahead
    expect(counts.take(7, startMs + 30_000)).toEqual({ isRefused: true, left: 0, seconds: 30 });
    expect(letInOf(counts, 7, 10, startMs + 60_000)).toBe(5);
  });
});

describe('more clients than there are places', () => {
  const million = 1_000_000;
  /** As they come within a minute. */
  const momentOf = (turn: number): number => startMs + Math.floor((turn * 59_000) / million);

  it('do not reset one that is refused, and are let in themselves', () => {
    const counts = createSlidingCounts(120, 8_192);
    const refused = Array.from({ length: 500 }, (_, index) => 2 ** 40 + index * 7_919);
    for (const client of refused) letInOf(counts, client, 120, startMs);
    let letIn = 0;
    let reset = 0;
    for (let turn = 0; turn < million; turn += 1) {
      if (!counts.take(turn * 48_271, momentOf(turn)).isRefused) letIn += 1;
      if (!counts.take(refused[turn % refused.length]!, momentOf(turn)).isRefused) reset += 1;
    }
    expect({ letIn, reset }).toEqual({ letIn: million, reset: 0 });
  });

  it('are refused where all places are held by such as are refused, and these do not wait longer for it', () => {
    const counts = createSlidingCounts(5, 1);
    for (let client = 0; client < 8; client += 1) letInOf(counts, client, 5, startMs);
    counts.add(100, { count: 50, ageMs: 0 }, startMs + 30_000);
    for (let client = 8; client < 1_000; client += 1) {
      expect(counts.take(client, startMs + 30_000).isRefused).toBe(true);
    }
    for (let client = 0; client < 8; client += 1) {
      expect(counts.take(client, startMs + 30_000)).toMatchObject({ isRefused: true, seconds: 30 });
      expect(letInOf(counts, client, 10, startMs + 60_000)).toBe(5);
    }
  });

  it('are counted too high rather than too low', () => {
    const counts = createSlidingCounts(5, 1);
    for (let client = 0; client < 8; client += 1) letInOf(counts, client, 3, startMs);
    expect(letInOf(counts, 8, 5, startMs)).toBe(2);
  });
});
