import { describe, expect, it } from 'vitest';
import { dateRelease } from '../../../commands/release/date-release.ts';
import type { ReleaseAnnounced, ReleaseEvent } from '../../../src/domain/release/events.ts';
import { given, stateAfter } from '../../spec/given-when-then.ts';
import { indexedRelease, releaseId } from '../../spec/events/indexed-release.ts';
import { orgDeleted, orgHidden, sourceDeleted, sourceHidden } from '../../spec/events/entity-events.ts';
import { linked, suppressed, unlinked, unsuppressed } from '../../spec/events/release-events.ts';
import { parentsAfter, releaseErased, sourceId, webBaseUrl } from '../../spec/worlds/release-world.ts';

const publishedAt = '2026-05-01T00:00:00.000Z';
const owed = indexedRelease({ publishedAt }, { pending: true, announcement: 'due' });
const silent = indexedRelease({ publishedAt }, { pending: true, announcement: 'none' });
const input = { releaseId, webBaseUrl };
const due = { facts: parentsAfter(), id: releaseId, now: '2026-04-30T23:59:00.000Z' };

describe('DateRelease', () => {
  it('dates and announces from 60 s before the date', () => {
    const events = given(dateRelease, [owed]).when(input, due).events();
    expect(events.map(({ type }) => type)).toEqual(['ReleaseDated.v1', 'ReleaseAnnounced.v1']);
    expect(events[0]?.data).toEqual({ sourceId, publishedAt });
    expect((events[1] as ReleaseAnnounced).data).toMatchObject({
      tsMs: Date.parse(due.now),
      release: { id: releaseId, publishedAt, fetchedAt: owed.data.fetchedAt },
    });
  });

  it('waits 1 ms before that', () => {
    given(dateRelease, [owed])
      .when(input, { ...due, now: '2026-04-30T23:58:59.999Z' })
      .thenNothing();
  });

  it('only dates when no announcement is owed', () => {
    given(dateRelease, [silent]).when(input, due).thenTypes('ReleaseDated.v1');
  });

  it.each([
    ['hidden source', parentsAfter({ source: [sourceHidden] })],
    ['deleted source', parentsAfter({ source: [sourceDeleted] })],
    ['hidden org', parentsAfter({ org: [orgHidden] })],
    ['deleted org', parentsAfter({ org: [orgDeleted] })],
  ])('waives the announcement below a %s, for good', (_, facts) => {
    const events = given(dateRelease, [owed])
      .when(input, { ...due, facts })
      .events();
    expect(events.map(({ type }) => type)).toEqual(['ReleaseDated.v1', 'AnnouncementWaived.v1']);
    given(dateRelease, [owed, ...events])
      .when(input, due)
      .thenNothing();
  });

  it.each([
    ['suppressed', suppressed(sourceId, publishedAt)],
    ['on the coverage side', linked(sourceId, publishedAt, `rel_${'C'.repeat(21)}`)],
  ])('waives the announcement of one that is %s, for good', (_, event) => {
    const past = [owed, event];
    const events = given(dateRelease, past).when(input, due).events();
    expect(events.map(({ type }) => type)).toEqual(['ReleaseDated.v1', 'AnnouncementWaived.v1']);
    const back = [unsuppressed(sourceId, publishedAt), unlinked(sourceId, publishedAt, `rel_${'C'.repeat(21)}`)];
    given(dateRelease, [...past, ...events, ...back])
      .when(input, due)
      .thenNothing();
    given(dateRelease, [...past, ...back])
      .when(input, due)
      .thenTypes('ReleaseDated.v1', 'ReleaseAnnounced.v1');
  });

  it('has nothing to do for a release that is dated, never waited, erased or unknown', () => {
    const dated = given(dateRelease, [owed]).when(input, due).events();
    for (const past of [[owed, ...dated], [indexedRelease()], [owed, releaseErased], []]) {
      given(dateRelease, past).when(input, due).thenNothing();
    }
  });

  it('asks for parents only when it may need them', () => {
    const asked = (past: ReleaseEvent[]) =>
      Object.keys(dateRelease.facts?.(input, stateAfter(dateRelease.model, past), {}) ?? {});
    expect(asked([owed])).toEqual(['source']);
    expect(asked([indexedRelease()])).toEqual([]);
  });
});
