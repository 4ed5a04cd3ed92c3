import { describe, expect, test } from 'vitest';
import { writeSummary } from '../../../commands/summary/write-summary.ts';
import { org } from '../../../src/domain/org/state.ts';
import { source } from '../../../src/domain/source/state.ts';
import type { SummaryWritten } from '../../../src/domain/summary/events.ts';
import { orgCreated, orgDeleted, sourceCreated, sourceDeleted } from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';

const sourceId = 'src_AAAAAAAAAAAAAAAAAAAAA';
const live = { source: stateAfter(source, [sourceCreated()]), org: stateAfter(org, [orgCreated()]) };
const monthly = { type: 'monthly', summary: 'Rockets got faster.', releaseCount: 3, year: 2026, month: 2 };
const rolling = { type: 'rolling', summary: 'Quiet days.', releaseCount: 0 };
const written: SummaryWritten = {
  type: 'SummaryWritten.v1',
  data: {
    sourceId,
    type: 'monthly',
    year: 2026,
    month: 2,
    windowDays: null,
    summary: 'Rockets got faster.',
    releaseCount: 3,
    generatedAt: testNow,
  },
};
const when = (fields: object, past: readonly SummaryWritten[] = []) =>
  given(writeSummary, past).when({ sourceId, fields }, { facts: live });
const streamOf = (fields: object, id = sourceId) =>
  writeSummary.stream(writeSummary.input.parse({ sourceId: id, fields }), () => '');
const accepts = (fields: object) => writeSummary.input.safeParse({ sourceId, fields }).success;

describe('a summary', () => {
  test('is written once, and the same again is nothing new', () => {
    when(monthly).then([written]);
    when(monthly, [written]).thenNothing();
    when({ ...monthly, releaseCount: 4 }, [written]).thenTypes('SummaryWritten.v1');
    when({ ...monthly, summary: 'Slower.' }, [written]).thenTypes('SummaryWritten.v1');
  });

  test('has a stream of its own for each source, month and number of days', () => {
    const other = 'src_BBBBBBBBBBBBBBBBBBBBB';
    const streams = [
      streamOf(monthly),
      streamOf({ ...monthly, month: 3 }),
      streamOf({ ...monthly, year: 2027 }),
      streamOf(rolling),
      streamOf({ ...rolling, windowDays: 30 }),
      streamOf({ ...rolling, windowDays: 7 }),
      streamOf(monthly, other),
    ];
    expect(new Set(streams).size).toBe(streams.length);
    expect(streamOf({ ...monthly, summary: 'Another text', releaseCount: 9 })).toBe(streams[0]);
    expect(streams[0]).toMatch(/^summary-sum_[0-9A-Za-z]{21}$/);
  });

  test('is of a month that is named in full, or of days', () => {
    const { month: _, ...yearOnly } = monthly;
    const refused = [
      yearOnly,
      { ...monthly, windowDays: 30 },
      { ...rolling, year: 2026 },
      { ...rolling, windowDays: 0 },
      { ...rolling, windowDays: 366 },
      { ...monthly, month: 13 },
      { ...monthly, year: 1969 },
      { ...monthly, summary: ' ' },
      { ...monthly, summary: 'x'.repeat(20_001) },
      { ...monthly, releaseCount: -1 },
    ];
    for (const fields of refused) expect(accepts(fields), JSON.stringify(fields).slice(0, 200)).toBe(false);
    for (const fields of [
      { ...rolling, windowDays: 365 },
      { ...monthly, summary: 'x'.repeat(20_000) },
    ]) {
      expect(accepts(fields)).toBe(true);
    }
  });

  test('needs a source that is there, and its org', () => {
    const gone = { ...live, source: stateAfter(source, [sourceCreated(), sourceDeleted]) };
    const orphan = { ...live, org: stateAfter(org, [orgCreated(), orgDeleted]) };
    for (const facts of [gone, orphan, { source: source.initial }]) {
      given(writeSummary).when({ sourceId, fields: monthly }, { facts }).thenFails('not_found', { entity: 'source' });
    }
  });
});
