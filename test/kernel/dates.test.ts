import { describe, expect, it } from 'vitest';
import {
  checkBounds,
  parseAsOf,
  parseDateBound,
  parsePublishedAt,
  toTimestamp,
  utcDayMs,
} from '../../src/kernel/dates.ts';
import { DomainError } from '../../src/kernel/errors.ts';

const now = '2026-03-31T10:20:30.456Z';
const nowMs = Date.parse(now);

const bound = (text: string, as: 'since' | 'until' = 'since', at = now): string =>
  toTimestamp(parseDateBound(text, { as, nowMs: Date.parse(at), parameter: as }));

const failure = (run: () => unknown): DomainError => {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('parseDateBound', () => {
  it('takes a day from its first to its last millisecond', () => {
    expect(bound('2026-03-01', 'since')).toBe('2026-03-01T00:00:00.000Z');
    expect(bound('2026-03-01', 'until')).toBe('2026-03-01T23:59:59.999Z');
    expect(bound('2024-02-29', 'until')).toBe('2024-02-29T23:59:59.999Z');
    expect(bound('1970-01-01')).toBe('1970-01-01T00:00:00.000Z');
    expect(bound('9999-12-31', 'until')).toBe('9999-12-31T23:59:59.999Z');
  });

  it.each([
    ['2026-03-01T12:30:45Z', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01T12:30:45.1Z', '2026-03-01T12:30:45.100Z'],
    ['2026-03-01T12:30:45.678999Z', '2026-03-01T12:30:45.678Z'],
    ['2026-03-01T12:30:45+02', '2026-03-01T10:30:45.000Z'],
    ['2026-03-01T12:30:45+0230', '2026-03-01T10:00:45.000Z'],
    ['2026-03-01T12:30:45-02:30', '2026-03-01T15:00:45.000Z'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
    ['2026-03-01T12:30Z', '2026-03-01T12:30:00.000Z'],
    ['2026-03-01t12:30:45z', '2026-03-01T12:30:45.000Z'],
  ])('%s is that instant on both sides', (text, instant) => {
    expect(bound(text, 'since')).toBe(instant);
    expect(bound(text, 'until')).toBe(instant);
  });

  it.each([
    ['0d', now],
    ['1d', '2026-03-30T10:20:30.456Z'],
    ['7D', '2026-03-24T10:20:30.456Z'],
    ['30d', '2026-03-01T10:20:30.456Z'],
    ['0w', now],
    ['2w', '2026-03-17T10:20:30.456Z'],
    ['1W', '2026-03-24T10:20:30.456Z'],
    ['0m', now],
    ['1m', '2026-02-28T10:20:30.456Z'],
    ['1M', '2026-02-28T10:20:30.456Z'],
    ['2m', '2026-01-31T10:20:30.456Z'],
    ['3m', '2025-12-31T10:20:30.456Z'],
    ['25m', '2024-02-29T10:20:30.456Z'],
    ['1y', '2025-03-31T10:20:30.456Z'],
    ['2Y', '2024-03-31T10:20:30.456Z'],
  ])('%s is %s', (text, instant) => {
    expect(bound(text)).toBe(instant);
  });

  it('goes to the last day of a shorter month', () => {
    expect(bound('1m', 'since', '2024-03-31T00:00:00.000Z')).toBe('2024-02-29T00:00:00.000Z');
    expect(bound('1y', 'since', '2024-02-29T23:59:59.999Z')).toBe('2023-02-28T23:59:59.999Z');
    expect(bound('4y', 'since', '2024-02-29T23:59:59.999Z')).toBe('2020-02-29T23:59:59.999Z');
    expect(bound('1m', 'since', '2026-01-01T00:00:00.000Z')).toBe('2025-12-01T00:00:00.000Z');
  });

  it('reaches back to the beginning at most', () => {
    for (const text of ['9999w', '9999y', '9999m', '57y']) expect(bound(text)).toBe('1970-01-01T00:00:00.000Z');
    expect(bound('9999d')).toBe(toTimestamp(nowMs - 9999 * 86_400_000));
  });

  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2025-02-29',
    '2026-03-01T25:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:60Z',
    '2026-02-30T12:00:00Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+02:60',
    '2026-03-01T12:30:45',
    '2026-03-01T12:30:45.Z',
    '2026-03-01 12:30:45Z',
    '2026-03-01T12Z',
    '2026-03-01T12:30:45+2',
    '2026-03-01Z',
    '2026/03/01',
    '7',
    '1.5d',
    '-7d',
    '+7d',
    'd',
    '7h',
    '7 d',
    '10000d',
    '1969-12-31',
    '1969-12-31T23:59:59Z',
    '0026-03-01',
    '1970-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01',
    '+12026-03-01',
    '20260301',
    '2026-3-1',
    '2026-03-01\n',
    ' 2026-03-01',
    'yesterday',
    '',
  ])('%j is refused', (text) => {
    const error = failure(() => bound(text, 'until'));
    expect(error.code).toBe('invalid_parameter');
    expect(error.details).toMatchObject({ parameter: 'until', reason: expect.any(String) });
  });
});

describe('parseAsOf', () => {
  const nowMs = Date.UTC(2026, 2, 1, 12, 30);
  const asOf = (text: string) => parseAsOf(text, { nowMs, parameter: 'asOf' });

  it.each([
    ['2026-02-28', Date.UTC(2026, 2, 1) - 1],
    ['1970-01-01', Date.UTC(1970, 0, 2) - 1],
    ['2026-03-01', nowMs],
    ['2026-03-01T12:30:00Z', nowMs],
    ['2026-03-01T12:30:00.5+02:00', Date.UTC(2026, 2, 1, 10, 30, 0, 500)],
  ])('%j is a moment that lies behind', (text, ms) => {
    expect(asOf(text)).toBe(ms);
  });

  it.each(['2026-03-02', '2026-03-01T12:30:00.001Z', '2026-02-30', '2026-03-01T12:30:00', '7d', 'now', ''])(
    '%j is refused',
    (text) => {
      const error = failure(() => asOf(text));
      expect([error.code, error.details]).toMatchObject(['invalid_parameter', { parameter: 'asOf' }]);
    },
  );
});

describe('parsePublishedAt', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    [' 2026-03-01 ', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T12:30:45Z', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01T12:30:45.5+02:00', '2026-03-01T10:30:45.500Z'],
    ['2026-03-01T12:30:45.123Z', '2026-03-01T12:30:45.123Z'],
    ['2026-02-30', null],
    ['2026-03-01T12:30:45', null],
    ['7d', null],
    ['1969-12-31', null],
    ['March 1, 2026', null],
    ['', null],
  ])('%j is %j', (text, timestamp) => {
    expect(parsePublishedAt(text)).toBe(timestamp);
  });
});

describe('checkBounds', () => {
  it('refuses a since later than its until', () => {
    const error = failure(() => checkBounds(2, 1));
    expect([error.code, error.details]).toEqual(['conflicting_parameters', { parameters: ['since', 'until'] }]);
    expect(failure(() => checkBounds(2, 1, ['from', 'to'])).details).toEqual({ parameters: ['from', 'to'] });
  });

  it('accepts equal and open bounds', () => {
    for (const [since, until] of [
      [1, 1],
      [1, 2],
      [undefined, 1],
      [5, undefined],
      [null, 0],
      [undefined, null],
    ] as const) {
      expect(() => checkBounds(since, until)).not.toThrow();
    }
  });
});

describe('utcDayMs', () => {
  it('knows which days exist', () => {
    expect(utcDayMs(2024, 2, 29)).toBe(Date.UTC(2024, 1, 29));
    for (const [year, month, day] of [
      [2025, 2, 29],
      [2025, 13, 1],
      [2025, 0, 1],
      [1969, 12, 31],
      [2025, 4, 31],
    ] as const) {
      expect(utcDayMs(year, month, day)).toBeNull();
    }
  });
});
