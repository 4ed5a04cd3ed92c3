import { describe, expect, it } from 'vitest';
import { candidatesPerList, fuseHits, type RankedList } from '../../../src/search/ranking/fused-hits.ts';
import { recencyFactor } from '../../../src/search/ranking/recency.ts';
import { dayMs } from '../../../src/kernel/dates.ts';

const nowMs = Date.UTC(2026, 2, 1);
const list = (kind: RankedList['kind'], ...ids: string[]): RankedList => ({
  kind,
  hits: ids.map((id) => ({ id, score: 1 })),
});
const allUndated = { nowMs, dateOf: () => null };

describe('fused hits', () => {
  it('add one divided by 60 and the place of each list', () => {
    const [first, second] = fuseHits([list('release', 'a', 'b'), list('release', 'b')], allUndated);
    expect([first?.id, second?.id]).toEqual(['b', 'a']);
    expect(first?.score).toBeCloseTo(0.9 * (1 / 62 + 1 / 61), 12);
    expect(second?.score).toBeCloseTo(0.9 * (1 / 61), 12);
  });

  it('do not take a chunk for a release of the same id', () => {
    const fused = fuseHits([list('release', 'x'), list('chunk', 'x')], allUndated);
    expect(fused.map(({ kind }) => kind).sort()).toEqual(['chunk', 'release']);
  });

  it('are ordered by score, then the newest first and the undated last, then by id', () => {
    const dates: Record<string, number | null> = { old: 0, new: nowMs, b: null, a: null };
    const lists = ['old', 'new', 'b', 'a'].map((id) => list('release', id));
    const same = fuseHits(lists, { nowMs, dateOf: (_, id) => dates[id] });
    expect(same.map(({ id }) => id)).toEqual(['new', 'a', 'b', 'old']);
    const equal = fuseHits(lists, { nowMs: 0, dateOf: (_, id) => (id === 'b' || id === 'a' ? null : 0) });
    expect(equal.slice(0, 2).map(({ id }) => id)).toEqual(['new', 'old']);
  });

  it('leave out what is not to be shown', () => {
    const fused = fuseHits([list('release', 'a', 'b')], { nowMs, dateOf: (_, id) => (id === 'a' ? undefined : null) });
    expect(fused.map(({ id }) => id)).toEqual(['b']);
  });

  it('come from three times as many candidates as are shown', () => {
    expect(candidatesPerList(40, 20)).toBe(180);
  });
});

describe('recency', () => {
  it('halves every 120 days towards 0.8, and is 0.9 without a date', () => {
    expect(recencyFactor(nowMs, nowMs)).toBe(1);
    expect(recencyFactor(nowMs - 120 * dayMs, nowMs)).toBeCloseTo(0.9, 12);
    expect(recencyFactor(nowMs - 240 * dayMs, nowMs)).toBeCloseTo(0.85, 12);
    expect(recencyFactor(0, nowMs)).toBeCloseTo(0.8, 6);
    expect(recencyFactor(null, nowMs)).toBe(0.9);
  });

  it('is the same for a minute, so that an answer is', () => {
    const [published, minuteMs] = [nowMs - 3 * dayMs, 60_000];
    const factors = [0, 1, minuteMs - 1, minuteMs].map((passedMs) => recencyFactor(published, nowMs + passedMs));
    expect(new Set(factors.slice(0, 3)).size).toBe(1);
    expect(factors[3]).toBeLessThan(factors[0]!);
  });

  it('is never above 1, whenever within the minute something was published', () => {
    for (const passedMs of [1, 59_999]) expect(recencyFactor(nowMs + passedMs, nowMs + passedMs)).toBe(1);
  });
});
