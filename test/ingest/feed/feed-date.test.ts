import { describe, expect, it } from 'vitest';
import { readFeedDate } from '../../../src/ingest/feed/feed-date.ts';

const ten = '2026-03-01T10:00:00.000Z';
const midnight = '2026-03-01T00:00:00.000Z';

describe('readFeedDate', () => {
  it.each([
    ['Sun, 01 Mar 2026 10:00:00 GMT', ten],
    ['Sun, 01 Mar 2026 10:00:00 +0000', ten],
    ['Sun, 01 Mar 2026 10:00:00', ten],
    ['Sun, 1 Mar 26 05:00 EST', ten],
    ['sun,01 mar 2026 03:00:00 MST', ten],
    ['Sunday, 1 March 2026 11:00:00 CET', ten],
    ['1 Mar 2026 12:30:00 +02:30', ten],
    ['01 Mar 2026 10:00:00 Z', ten],
    ['01 Mar 2026 10:00:00 UT', ten],
    ['01-Mar-26 10:00:00 UTC', ten],
    ['Mon, 01 Mar 2026 10:00:00 GMT', ten], // it was a Sunday
    ['Sun, 01 Mar 2026 11:00:00 +0100 (CET)', ten],
    ['Sun Mar 01 2026 11:00:00 GMT+0100 (Central European Standard Time)', ten],
    ['Sun Mar  1 10:00:00 2026', ten],
    ['Sun Mar  1 02:00:00 PST 2026', ten],
    ['March 1, 2026 10:00 AM', ten],
    ['Mar 1st, 2026, 10:00 p.m. UTC', '2026-03-01T22:00:00.000Z'],
    ['March 1, 2026', midnight],
    ['1 Sept 2025', '2025-09-01T00:00:00.000Z'],
    ['Thu, 01 Jan 98 00:00:00 GMT', '1998-01-01T00:00:00.000Z'],
    ['2026-03-01T10:00:00Z', ten],
    ['2026-03-01T10:00:00', ten],
    ['2026-03-01T10:00Z', ten],
    ['2026-03-01 10:00:00', ten],
    ['2026-03-01 11:00:00 +0100', ten],
    ['2026-03-01T05:00:00-05:00', ten],
    ['2026-03-01T05:00:00-05', ten],
    ['2026-03-01T10:00:00.123456Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01T10:00:00,5Z', '2026-03-01T10:00:00.500Z'],
    ['2026-03-01 10:00:00 UTC', ten],
    ['20260301T100000Z', ten],
    ['2026-03-01', midnight],
    ['2026/03/01', midnight],
    ['20260301', midnight],
    ['2026-02-28T24:00:00Z', midnight],
    ['2026-03-01T09:59:60Z', '2026-03-01T09:59:59.000Z'],
    ['  2026-03-01\n', midnight],
    ['2026-3-1', midnight],
    ['2026/3/1 10:00', ten],
    ['13.03.2026', '2026-03-13T00:00:00.000Z'],
    ['03/13/2026 10:00:00 UTC', '2026-03-13T10:00:00.000Z'],
    ['Fri 13-3-2026', '2026-03-13T00:00:00.000Z'],
    ['Sunday, March 1, 2026 - 10:00am', ten],
    ['2026-03-01 - 10:00', ten],
    ['2026年3月1日', midnight],
    ['2026년 3월 1일 10:00', ten],
    ['1 Mar 2026 10:00:00 IST', midnight], // India, Israel or Ireland
    ['Sun, 01 Mar 2026 10:00:00 BST', midnight],
    ['1 Mar 2026 10:00:00 A', midnight],
    ['2026-03-01 10:00 Europe/Paris', midnight],
  ])('%s', (text, timestamp) => {
    expect(readFeedDate(text)).toBe(timestamp);
  });

  it.each([
    ['', 'yesterday', '0', '1772359200', 'now'],
    ['03/04/2026', '01.03.2026', '2026-03', '2026', '2026-W09-7'],
    ['Dim, 01 mars 2026 10:00:00 +0100', '1. März 2026', '1 марта 2026'],
    ['2026-02-30', '30 Feb 2026', '2026-13-01', '31 Apr 2026 10:00:00 GMT'],
    ['2026-03-01T25:00:00Z', '2026-03-01T10:61:00Z', '1 Mar 2026 13:00 PM', '1 Mar 2026 10:00:00 +2500'],
    ['13/13/2026', '31.02.2026', '13.03/2026', '2026-3/1', '1 Mar 2026 25:00:00 IST'],
    ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 'Thu, 01 Jan 1970 00:00:00 GMT', '0000-00-00 00:00:00'],
    ['Sun, 01 Mar 2026 10:00:00 GMT and more', 'x'.repeat(1_000_000), ' '.repeat(50) + '1'.repeat(90)],
  ])('is none: %s, %s, …', (...texts) => {
    for (const text of texts) expect(readFeedDate(text), text.slice(0, 100)).toBeNull();
  });
});
