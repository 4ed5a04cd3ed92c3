import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';
import type { Instant, InstantsDocument } from '../../projections/instants/instants-document.ts';
import {
  avgReleasesPerWeek,
  medianGapDays,
  newestFetchedMs,
  newestPublishedMs,
  oldestPublishedMs,
  recentReleaseCount,
  releaseCount,
  sparkline,
} from '../../src/catalogue/numbers.ts';
import { dayMs } from '../../src/kernel/dates.ts';
import { createInstantsBySource } from '../../src/catalogue/instants/instants-by-source.ts';
import type { SourceInstants } from '../../src/catalogue/instants/source-instants.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const stable = 0;
const coverage = 2;
const suppressed = 4;

interface Release {
  readonly publishedMs: number | null;
  readonly fetchedMs: number;
  readonly laneCode: number;
}

/** As the catalogue keeps them: by month, every third one in a chunk beside the others of its month, then joined. */
const instantsOf = (releases: readonly Release[]): SourceInstants => {
  const documents = new Map<string, InstantsDocument & { releases: Instant[] }>();
  releases.forEach(({ publishedMs, laneCode, fetchedMs }, index) => {
    const month = publishedMs === null ? '-' : new Date(publishedMs).toISOString().slice(0, 7);
    const chunk = `${month}:${index % 3 === 2 ? 'r' : 's'}`;
    const document = documents.get(chunk) ?? { id: `s:${chunk}`, sourceId: 's', month, releases: [] };
    document.releases.push([`r${index}`, publishedMs, laneCode, fetchedMs, 0, null, null]);
    documents.set(chunk, document);
  });
  const bySource = createInstantsBySource();
  for (const document of documents.values()) bySource.apply(document);
  return bySource.instantsOf('s');
};

const released = (...published: (number | null)[]) => [
  instantsOf(published.map((publishedMs) => ({ publishedMs, fetchedMs: nowMs, laneCode: stable }))),
];

describe('counts', () => {
  it('take the undated into totals only', () => {
    expect(releaseCount(released(null, nowMs, nowMs - 400 * dayMs), nowMs)).toBe(3);
    expect(recentReleaseCount(released(null, nowMs), nowMs)).toBe(1);
  });

  it('reach back exactly 30 × 24 hours and ahead exactly 60 seconds', () => {
    const edge = nowMs - 30 * dayMs;
    expect(recentReleaseCount(released(edge, edge - 1), nowMs)).toBe(1);
    const ahead = released(nowMs + 60_000, nowMs + 60_001);
    expect([releaseCount(ahead, nowMs), recentReleaseCount(ahead, nowMs)]).toEqual([1, 1]);
    expect(releaseCount(ahead, nowMs + 1)).toBe(2);
  });

  it.each([coverage, suppressed])('leave coverage and what is taken down out (%i)', (laneCode) => {
    for (const publishedMs of [nowMs, null]) {
      expect(releaseCount([instantsOf([{ publishedMs, fetchedMs: nowMs, laneCode }])], nowMs)).toBe(0);
    }
  });
});

describe('avgReleasesPerWeek', () => {
  it('is 0 without dated releases', () => {
    expect(avgReleasesPerWeek(released(), nowMs)).toBe(0);
    expect(avgReleasesPerWeek(released(null), nowMs)).toBe(0);
  });

  it('looks at 90 days, or at the age of the oldest release, but never at less than a week', () => {
    expect(avgReleasesPerWeek(released(nowMs - 14 * dayMs, nowMs), nowMs)).toBe(1);
    expect(avgReleasesPerWeek(released(nowMs - dayMs, nowMs, nowMs), nowMs)).toBe(3);
    const edge = nowMs - 90 * dayMs;
    expect(avgReleasesPerWeek(released(nowMs - 200 * dayMs, edge - 1, edge, nowMs), nowMs)).toBe(0.2);
    expect(avgReleasesPerWeek(released(nowMs + 30_000), nowMs)).toBe(1);
  });
});

describe('sparkline', () => {
  it('has today last and the day 29 days ago first', () => {
    const today = Date.parse('2026-03-15T00:00:00.000Z');
    const line = sparkline(released(today, today - 1, today - 29 * dayMs, today - 29 * dayMs - 1), nowMs);
    expect(line).toHaveLength(30);
    expect([line[29], line[28], line[0]]).toEqual([1, 1, 1]);
    expect(line.reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  it('does not show tomorrow in the last minute of a day', () => {
    const midnight = Date.parse('2026-03-16T00:00:00.000Z');
    expect(sparkline(released(midnight), midnight - 1)[29]).toBe(0);
    expect(sparkline(released(midnight), midnight)[29]).toBe(1);
  });
});

describe('medianGapDays', () => {
  it('needs three releases of the last 180 days', () => {
    expect(medianGapDays(released(nowMs, nowMs - dayMs), nowMs)).toBe(null);
    expect(medianGapDays(released(nowMs, nowMs - dayMs, nowMs - 180 * dayMs - 1), nowMs)).toBe(null);
    expect(medianGapDays(released(nowMs, nowMs - dayMs, nowMs - 180 * dayMs), nowMs)).toBe(90);
  });

  it('is the middle gap, or between the two middle ones', () => {
    const ago = (...days: number[]) => released(...days.map((day) => nowMs - day * dayMs));
    expect(medianGapDays(ago(0, 1, 4, 14), nowMs)).toBe(3);
    expect(medianGapDays(ago(0, 1.26, 3), nowMs)).toBe(1.5);
  });
});

it('every number equals a naive computation, whatever the releases', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = xoroshiro128plus(seed);
    const upTo = (max: number) => uniformInt(random, 0, max);
    const source = (): Release[] =>
      Array.from({ length: upTo(20) }, () => ({
        // Around the edges of every window, to the millisecond.
        publishedMs:
          upTo(9) === 0
            ? null
            : nowMs - ([0, 29, 30, 90, 180, 400][upTo(5)] as number) * dayMs + upTo(120_002) - 60_001,
        fetchedMs: nowMs - upTo(1000),
        laneCode: upTo(3),
      }));
    const sources = [source(), source()];
    const list = sources.map(instantsOf);
    const counted = sources
      .flat()
      .filter(({ publishedMs, laneCode }) => laneCode < 2 && (publishedMs === null || publishedMs <= nowMs + 60_000));
    const dates = counted.flatMap(({ publishedMs }) => publishedMs ?? []).sort((a, b) => a - b);
    const fetched = counted.map(({ fetchedMs }) => fetchedMs);
    const actual = {
      count: releaseCount(list, nowMs),
      recent: recentReleaseCount(list, nowMs),
      oldest: oldestPublishedMs(list, nowMs),
      newest: newestPublishedMs(list, nowMs),
      added: newestFetchedMs(list, nowMs),
      today: sparkline(list, nowMs)[29],
    };
    expect(actual, `seed ${seed}`).toEqual({
      count: counted.length,
      recent: dates.filter((ms) => ms >= nowMs - 30 * dayMs).length,
      oldest: dates[0] ?? null,
      newest: dates.at(-1) ?? null,
      added: fetched.length === 0 ? null : Math.max(...fetched),
      today: dates.filter((ms) => Math.floor(ms / dayMs) === Math.floor(nowMs / dayMs)).length,
    });
  }
});
