import { describe, expect, it } from 'vitest';
import { overviewStep, retryDelayMs, summaryStep } from '../../src/generation/cadence.ts';

const dayMs = 86_400_000;
const at = (day: number) => Date.UTC(2030, 0, day);
const own = (day: number) => ({ isGenerated: true, writtenMs: at(day), lastContributingMs: at(day) });

describe('an overview', () => {
  const step = (
    written: Parameters<typeof overviewStep>[0],
    newest: number,
    now: number,
    cadenceDays: number | null = null,
  ) => overviewStep(written, { newestMs: at(newest), cadenceDays, nowMs: at(now) });

  it('is written where there is none', () => {
    expect(step(null, 1, 1)).toEqual({ kind: 'write' });
  });

  it('is rewritten after seven days, or as many as the org says', () => {
    expect(step(own(1), 2, 7)).toEqual({ kind: 'later', dueMs: at(8) });
    expect(step(own(1), 2, 8)).toEqual({ kind: 'write' });
    expect(step(own(1), 2, 3, 2)).toEqual({ kind: 'write' });
    expect(step(own(1), 2, 20, 90)).toEqual({ kind: 'later', dueMs: at(1) + 90 * dayMs });
  });

  it('that somebody wrote stays until there are newer releases than it tells of, and as long as any other', () => {
    const written = { isGenerated: false, writtenMs: at(5), lastContributingMs: at(3) };
    expect(step(written, 3, 30)).toEqual({ kind: 'nothing' });
    expect(step(written, 4, 11)).toEqual({ kind: 'later', dueMs: at(12) });
    expect(step(written, 4, 12)).toEqual({ kind: 'write' });
    expect(step({ ...written, lastContributingMs: null }, 5, 30)).toEqual({ kind: 'nothing' });
    expect(step({ ...written, lastContributingMs: null }, 6, 30)).toEqual({ kind: 'write' });
  });
});

describe('a summary', () => {
  const step = (
    written: Parameters<typeof summaryStep>[0],
    newest: number,
    nowMs: number,
    cadenceDays: number | null = null,
  ) => summaryStep(written, { newestFetchedMs: at(newest), cadenceDays, nowMs });

  it('is rewritten after seven days, or as many as the org says for its overview', () => {
    expect(step(null, 1, at(1))).toEqual({ kind: 'write' });
    expect(step(own(1), 1, at(8) - 1)).toEqual({ kind: 'later', dueMs: at(8) });
    expect(step(own(1), 1, at(8))).toEqual({ kind: 'write' });
    expect(step(own(1), 1, at(3), 2)).toEqual({ kind: 'write' });
    expect(step(own(1), 1, at(20), 90)).toEqual({ kind: 'later', dueMs: at(1) + 90 * dayMs });
  });

  it('that somebody wrote stays until a release came after it', () => {
    const written = { isGenerated: false, writtenMs: at(5) };
    expect(step(written, 5, at(30))).toEqual({ kind: 'nothing' });
    expect(step(written, 6, at(30))).toEqual({ kind: 'write' });
  });
});

describe('a provider that fails', () => {
  it('is left alone for longer and longer, up to a day, and as long as it asks for', () => {
    const minutes = [1, 2, 3, 4, 20, 2_000].map((failures) => retryDelayMs(failures, null) / 60_000);
    expect(minutes).toEqual([5, 10, 20, 40, 1_440, 1_440]);
    expect(retryDelayMs(1, 3_600_000)).toBe(3_600_000);
    expect(retryDelayMs(1, 1_000)).toBe(300_000);
  });
});
