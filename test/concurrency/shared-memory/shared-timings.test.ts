import { expect, it } from 'vitest';
import { createSharedCounts } from '../../../src/concurrency/shared-memory/shared-counts.ts';
import { createSharedTimings, timingBoundsSeconds } from '../../../src/concurrency/shared-memory/shared-timings.ts';

const places = (counts: readonly number[]) => counts.flatMap((count, place) => (count === 0 ? [] : [[place, count]]));

it('puts what took as long as a bound below it, and what took longer behind it', () => {
  const timings = createSharedTimings(1);
  const [bound = 0] = timingBoundsSeconds;
  for (const ms of [0, bound * 1_000, bound * 1_000 + 0.001, 3_600_000]) timings.add(0, ms);
  const { counts, sumSeconds } = timings.read(0);
  expect(places(counts)).toEqual([
    [0, 2],
    [1, 1],
    [timingBoundsSeconds.length, 1],
  ]);
  expect(sumSeconds).toBeCloseTo(3_600 + 2 * bound, 3);
});

it('keeps kinds apart, and has one memory for all threads', () => {
  const here = createSharedTimings(3);
  const elsewhere = createSharedTimings(3, here.memory);
  here.add(1, 4);
  elsewhere.add(1, 4);
  elsewhere.add(2, 4);
  expect([0, 1, 2].map((kind) => places(here.read(kind).counts))).toEqual([[], [[3, 2]], [[3, 1]]]);
  expect(here.read(1).sumSeconds).toBeCloseTo(0.008, 6);
});

it('does not go back when a clock seems to', () => {
  const timings = createSharedTimings(1);
  timings.add(0, -1);
  expect(timings.read(0)).toMatchObject({ sumSeconds: 0 });
});

it('counts what several threads count together', () => {
  const here = createSharedCounts(['good', 'bad']);
  const elsewhere = createSharedCounts(['good', 'bad'], here.memory);
  here.add('bad');
  elsewhere.add('bad');
  expect(here.read()).toEqual([
    { kind: 'good', count: 0 },
    { kind: 'bad', count: 2 },
  ]);
});
