import { describe, expect, it } from 'vitest';
import { isUnchanged, lastModifiedOf } from '../../src/http/caching.ts';

const second = 1_000;
const minute = 60 * second;
const datedMs = Date.UTC(2026, 0, 1, 12);
const nowMs = datedMs + 60 * minute;

const isSame = (sentMs: number, changedMs: number): boolean => {
  const unless = { ifNoneMatch: '', ifModifiedSince: new Date(sentMs).toUTCString() };
  const lastModified = lastModifiedOf(datedMs + 300, changedMs, nowMs);
  return isUnchanged(unless, { etag: '"a"', lastModified }, () => nowMs);
};

describe('the date that a reader has', () => {
  it('proves what it was sent with, if nothing else had that date', () => {
    expect(isSame(datedMs, datedMs + 300)).toBe(true);
    expect(isSame(datedMs, datedMs + 5 * minute)).toBe(false);
    expect(isSame(datedMs - second, datedMs)).toBe(false);
  });

  it('proves what there was at a later time, when everybody had seen the last change by then', () => {
    const changedMs = datedMs + 5 * minute; // an older entry was taken down
    expect(isSame(changedMs + 11 * minute, changedMs)).toBe(true);
    expect(isSame(changedMs + 9 * minute, changedMs)).toBe(false);
    expect(isSame(changedMs - second, changedMs)).toBe(false);
  });

  it('proves nothing that has not come yet', () => {
    expect(isSame(nowMs, datedMs + 300)).toBe(true);
    expect(isSame(nowMs + second, datedMs + 300)).toBe(false);
  });
});
