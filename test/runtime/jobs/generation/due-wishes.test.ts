import { describe, expect, it } from 'vitest';
import type { ReleaseEvent } from '../../../../src/domain/release/events.ts';
import type { Cause, DomainEvent, RecordedEvent } from '../../../../src/kernel/event.ts';
import { parseStream } from '../../../../src/kernel/stream-name.ts';
import { dueWishes } from '../../../../src/runtime/jobs/generation/due-wishes.ts';
import { testMetadata } from '../../../spec/given-when-then.ts';
import { indexedRelease, releaseId } from '../../../spec/events/indexed-release.ts';
import { orgId, sourceId } from '../../../spec/worlds/release-world.ts';

const nowMs = Date.UTC(2026, 2, 15);
const minuteMs = 60_000;

const recorded = (
  event: DomainEvent,
  { stream = `release-${releaseId}`, cause = 'ingest' as Cause } = {},
): RecordedEvent => ({
  ...event,
  id: '00000000-0000-4000-8000-000000000001',
  metadata: { ...testMetadata, cause, recordedAt: '2026-03-14T00:00:00.000Z' },
  stream: parseStream(stream),
  version: 1,
  position: 1,
});

const wishes = (event: RecordedEvent, enriches = false) =>
  dueWishes(event, { nowMs, enriches, orgIdOf: () => orgId }).map(({ kind, ownerId, month, dueMs, isUrgent }) => [
    [kind, ownerId, month].filter((part) => part !== null).join(' '),
    isUrgent ? 'at once' : (dueMs - nowMs) / minuteMs,
  ]);

const revised = (given: object, more: object = {}): ReleaseEvent => {
  const { derived } = indexedRelease().data;
  const data = { sourceId, orgId, revision: 2, given, derived, pending: false, previousPublishedAt: null, ...more };
  return { type: 'ReleaseRevised.v1', data };
};

const endOfMarch = (Date.UTC(2026, 3, 1) - 1 - nowMs) / minuteMs;

describe('what an event makes due', () => {
  it('a new release: the overview, the last days, and its month once that is over', () => {
    expect(wishes(recorded(indexedRelease({ publishedAt: '2026-03-10T00:00:00.000Z' })))).toEqual([
      [`overview ${orgId}`, 1],
      [`month ${sourceId} 2026-03`, endOfMarch + 1],
      [`rolling ${sourceId}`, 1],
    ]);
  });

  it('an older one: its month, if that is one of the last two years', () => {
    const monthOf = (publishedAt: string) => wishes(recorded(indexedRelease({ publishedAt }))).map(([what]) => what);
    expect(monthOf('2025-01-10T00:00:00.000Z')).toEqual([`overview ${orgId}`, `month ${sourceId} 2025-01`]);
    expect(monthOf('2024-03-01T00:00:00.000Z')).toContain(`month ${sourceId} 2024-03`);
    expect(monthOf('2024-02-28T00:00:00.000Z')).toEqual([`overview ${orgId}`]);
  });

  it('one without a date: the overview alone; one whose date lies ahead: nothing yet', () => {
    expect(wishes(recorded(indexedRelease({})))).toEqual([[`overview ${orgId}`, 1]]);
    const ahead = indexedRelease({ publishedAt: '2027-03-10T00:00:00.000Z' }, { pending: true });
    expect(wishes(recorded(ahead))).toEqual([]);
  });

  it('a revision: both its months; not so what enrichment writes', () => {
    const moved = revised(
      { publishedAt: '2026-03-01T00:00:00.000Z' },
      { previousPublishedAt: '2026-02-20T00:00:00.000Z' },
    );
    const what = [`month ${sourceId} 2026-03`, `month ${sourceId} 2026-02`, `rolling ${sourceId}`];
    expect(wishes(recorded(moved)).map(([wish]) => wish)).toEqual(what);
    expect(wishes(recorded(moved, { cause: 'enrich' }), true)).toEqual([]);
  });

  it('what takes a release from everybody, at once', () => {
    const publishedAt = '2026-02-10T00:00:00.000Z';
    const data = { sourceId, orgId, publishedAt, publishedDates: [publishedAt, null] };
    for (const type of ['ReleaseSuppressed.v1', 'CoverageLinked.v1', 'ReleaseErased.v1']) {
      expect(wishes(recorded({ type, data }))).toEqual([
        [`overview ${orgId}`, 'at once'],
        [`month ${sourceId} 2026-02`, 'at once'],
        [`rolling ${sourceId}`, 'at once'],
      ]);
    }
    expect(wishes(recorded({ type: 'SourceHidden.v1', data: {} }, { stream: `source-${sourceId}` }))).toEqual([
      [`overview ${orgId}`, 'at once'],
    ]);
    expect(wishes(recorded(revised({ prerelease: true })))[0]).toEqual([`overview ${orgId}`, 'at once']);
  });

  it('a new text of these days: its release is named, where a provider can', () => {
    const named = (event: DomainEvent) =>
      wishes(recorded(event), true).filter(([what]) => String(what).startsWith('release'));
    expect(named(indexedRelease({ publishedAt: '2026-03-10T00:00:00.000Z' }))).toEqual([[`release ${releaseId}`, 1]]);
    expect(named(indexedRelease({ publishedAt: '2026-01-10T00:00:00.000Z' }))).toEqual([]);
    expect(named(revised({ content: 'New.' }))).toEqual([[`release ${releaseId}`, 1]]);
    expect(named(revised({ title: 'New' }))).toEqual([]);
  });

  it('an org that is to have generated content from now on', () => {
    const change = (changed: object) =>
      wishes(recorded({ type: 'OrgChanged.v1', data: { changed } }, { stream: `org-${orgId}` }));
    expect(change({ autoGenerateContent: true })).toEqual([[`overview ${orgId}`, 1]]);
    expect(change({ overviewCadenceDays: null })).toEqual([[`overview ${orgId}`, 1]]);
    expect(change({ name: 'Other' })).toEqual([]);
  });
});
