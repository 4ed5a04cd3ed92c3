import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalogueReads } from '../../../src/catalogue/catalogue.ts';
import type { PieceCounts } from '../../../src/catalogue/lists/release-counts.ts';
import {
  openSampleRegistry,
  releaseStream,
  type SampleRegistry,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

const dayMs = 86_400_000;
const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
/** A date that is less than a minute ahead has come. */
const dueMs = nowMs + 60_000;

/** Days from now, of two sources that are neighbours. */
const dates = { s1: [-20, -2], s2: [-10, 5] };

let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry(catalogueReads);
  await registry.recordMany(Object.keys(dates).map((source) => sourceStream(source, null)));
  await registry.recordMany(
    Object.entries(dates).flatMap(([source, days]) =>
      days.map((day) => {
        const publishedAt = new Date(dueMs + day * dayMs).toISOString();
        return releaseStream(`${source}d${Math.abs(day)}`, { source, org: null }, { publishedAt });
      }),
    ),
  );
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

/** With releases since so long before it. */
const countsAt = (atMs: number, periodMs: number): PieceCounts => {
  const counted = registry.catalogue.releaseCounts().pieces({ sinceMs: atMs - periodMs, nowMs: atMs });
  expect(counted).toHaveLength(1);
  return counted[0]!;
};

const numbersOf = ({ releases, recentReleases }: PieceCounts) => [releases, recentReleases];

it('counts again only when a date is reached or leaves the period, and then to the millisecond', () => {
  // The oldest of the period is ten days before what is due: it leaves when the period begins after it.
  const periodMs = 11 * dayMs;
  const leavesMs = dueMs - 10 * dayMs + periodMs;
  const reachedMs = nowMs + 5 * dayMs;
  const first = countsAt(nowMs, periodMs);
  expect(numbersOf(first)).toEqual([3, 2]);
  expect(countsAt(leavesMs, periodMs)).toBe(first);
  const left = countsAt(leavesMs + 1, periodMs);
  expect(numbersOf(left)).toEqual([3, 1]);
  expect(countsAt(reachedMs - 1, periodMs)).toBe(left);
  const reached = countsAt(reachedMs, periodMs);
  expect(numbersOf(reached)).toEqual([4, 2]);
  expect(countsAt(reachedMs - 1, periodMs)).toBe(left); // of whoever began to ask before it
  expect(countsAt(nowMs, periodMs)).toBe(first);
});

it('keeps what it counted of a few periods', () => {
  const long = countsAt(nowMs, 30 * dayMs);
  const short = countsAt(nowMs, dayMs);
  expect([long, short].map(numbersOf)).toEqual([
    [3, 3],
    [3, 0],
  ]);
  expect(countsAt(nowMs + 1, 30 * dayMs)).toBe(long);
  expect(countsAt(nowMs + 1, dayMs)).toBe(short);
});
