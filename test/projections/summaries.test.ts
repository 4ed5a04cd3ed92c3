import { describe, expect, it } from 'vitest';
import { summariesProjection } from '../../projections/summaries/summaries.ts';
import { summaryIdsOfDates } from '../../src/domain/summary/generated-summaries.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { blog, idOf } from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, linked, revised, suppressed } from '../spec/events/release-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

const at = '2026-03-01T00:00:00.000Z';
const february = '2026-02-10T00:00:00.000Z';
const [rolling = '', monthly = ''] = summaryIdsOfDates(blog, [february]);
const [, january = ''] = summaryIdsOfDates(blog, ['2026-01-10T00:00:00.000Z']);

const subjects = {
  [rolling]: { type: 'rolling', year: null, month: null, windowDays: 30 },
  [monthly]: { type: 'monthly', year: 2026, month: 2, windowDays: null },
  [january]: { type: 'monthly', year: 2026, month: 1, windowDays: null },
};

/** The summaries that are left of those of the last days, of February and of January. */
const leftAfter = (event: DomainEvent, cause: 'generate' | 'edit' = 'generate'): string[] => {
  const recorder = createRecorder();
  for (const [id, subject] of Object.entries(subjects)) {
    const data = { sourceId: blog, ...subject, summary: 'Rockets.', releaseCount: 1, generatedAt: at };
    recorder.record(`summary-${id}`, [{ type: 'SummaryWritten.v1', data }], { cause });
  }
  recorder.record(`release-${idOf('rel', 'A')}`, [event]);
  return [...foldProjection(summariesProjection, recorder.all()).keys()].sort();
};

const all = Object.keys(subjects).sort();
const isSeen = { previousPublishedAt: february };

describe('a generated summary', () => {
  const withdrawals: Readonly<Record<string, DomainEvent>> = {
    'is taken down': suppressed(blog, february),
    'only covers another': linked(blog, february, idOf('rel', 'B')),
    'is erased': erased(blog, { publishedDates: [february] }),
    'is put off': revised(blog, { publishedAt: '2027-01-01T00:00:00.000Z' }, { ...isSeen, pending: true }),
    'is a prerelease after all': revised(blog, { prerelease: true }, isSeen),
  };

  it.each(Object.entries(withdrawals))('of its days goes when a release %s', (_, event) => {
    expect(leftAfter(event)).toEqual([january]);
  });

  it('stays when a release is changed that everybody still sees', () => {
    expect(leftAfter(revised(blog, { title: 'Rocket' }, isSeen))).toEqual(all);
  });
});

it('keeps what somebody wrote about a release that is taken down', () => {
  expect(leftAfter(suppressed(blog, february), 'edit')).toEqual(all);
});
