import { describe, expect, it } from 'vitest';
import { bodiesProjection } from '../../projections/bodies/bodies.ts';
import { pendingProjection } from '../../projections/pending/pending.ts';
import { releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { blog, idOf } from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import {
  claimed,
  erased,
  indexed,
  linked,
  noDerived,
  released,
  revised,
  suppressed,
  unlinked,
  unsuppressed,
} from '../spec/events/release-events.ts';

const id = idOf('rel', 'R');
const canonical = idOf('rel', 'C');
const march = '2026-03-01T00:00:00.000Z';
const april = '2026-04-01T00:00:00.000Z';

const happened = (...events: DomainEvent[]) => {
  const recorder = createRecorder();
  recorder.record(`release-${id}`, events);
  return recorder.all();
};

describe('release-detail', () => {
  const after = (...events: DomainEvent[]) => foldProjection(releaseDetailProjection, happened(...events)).get(id);

  it('keeps given and derived values apart and counts revisions', () => {
    const first = indexed(blog, { version: '1.0', summary: 'mine' });
    const second = revised(blog, { summary: null, title: 'Other' }, { derived: { summary: 'derived' } });
    expect(after(first, second)).toEqual({
      id,
      sourceId: blog,
      orgId: null,
      identity: { kind: 'title', value: 'x\n-' },
      given: { title: 'Other', content: '', version: '1.0' },
      derived: { ...noDerived, summary: 'derived' },
      fetchedAt: '2026-02-20T08:00:00.000Z',
      revision: 2,
      suppression: null,
      coverage: null,
      claims: [],
      updatedAt: '2026-02-01T00:00:00.000Z',
    });
  });

  it('tells of a suppression, of its link, and of claims that are not over', () => {
    expect(after(indexed(blog), suppressed(blog, null, 'Spam'))?.suppression).toEqual({ reason: 'Spam' });
    expect(after(indexed(blog), suppressed(blog, null), unsuppressed(blog, null))?.suppression).toBeNull();
    expect(after(indexed(blog), linked(blog, null, canonical))?.coverage).toEqual({
      canonicalId: canonical,
      reason: null,
      decidedBy: 'human:test',
      decidedAt: '2026-02-21T08:00:00.000Z',
    });
    expect(after(indexed(blog), linked(blog, null, canonical), unlinked(blog, null, canonical))?.coverage).toBeNull();
    const twice = [claimed('rel_x', 1), claimed('rel_x', 2), released('rel_x', 1)];
    expect(after(indexed(blog), ...twice)?.claims).toEqual([{ coverageId: 'rel_x', claim: 2 }]);
  });

  it('is gone when the release is erased, and erasing an unknown one is nothing', () => {
    expect(after(indexed(blog), erased(blog))).toBeUndefined();
    expect(after(erased(blog))).toBeUndefined();
    expect(after(revised(blog, { title: 'x' }))).toBeUndefined();
  });
});

describe('release-feed', () => {
  const after = (...events: DomainEvent[]) => foldProjection(releaseFeedProjection, happened(...events)).get(id);

  it('holds no long text, and its place by the effective values', () => {
    const given = { content: 'long', migrationNotes: 'also long', publishedAt: march };
    const row = after(indexed(blog, given, { derived: { contentHash: 'x', migrationNotes: 'y', prerelease: true } }));
    const { contentHash: _hash, migrationNotes: _notes, ...derived } = noDerived;
    expect(row).toEqual({
      id,
      sourceId: blog,
      orgId: null,
      lane: 'prerelease',
      publishedMs: Date.parse(march),
      fetchedMs: Date.parse('2026-02-20T08:00:00.000Z'),
      changedMs: Date.parse('2026-02-01T00:00:00.000Z'),
      importance: null,
      suppressed: false,
      coverageOf: null,
      claims: [],
      given: { title: 'A release', publishedAt: march },
      derived: { ...derived, prerelease: true },
    });
  });

  it('moves when a date or the prerelease mark is given, taken back, or derived anew', () => {
    const first = indexed(blog, { publishedAt: march, prerelease: true });
    const place = (...events: DomainEvent[]) => {
      const row = after(...events);
      return row && [row.publishedMs, row.lane];
    };
    expect(place(first)).toEqual([Date.parse(march), 'prerelease']);
    expect(place(first, revised(blog, { title: 'x' }))).toEqual([Date.parse(march), 'prerelease']);
    expect(place(first, revised(blog, { publishedAt: null, prerelease: null }))).toEqual([null, 'stable']);
    const derived = { publishedAt: april, prerelease: true };
    expect(place(indexed(blog), revised(blog, { title: 'x' }, { derived }))).toEqual([Date.parse(april), 'prerelease']);
  });

  it('changes the lane with what becomes of it, whatever is revised meanwhile', () => {
    const laneAfter = (...events: DomainEvent[]) => after(indexed(blog, { prerelease: true }), ...events)?.lane;
    const revision = revised(blog, { prerelease: false });
    const down = suppressed(blog, null);
    const link = linked(blog, null, canonical);
    expect([laneAfter(down), laneAfter(down, revision)]).toEqual(['suppressed', 'suppressed']);
    expect([laneAfter(link), laneAfter(link, revision)]).toEqual(['both', 'coverage']);
    expect(laneAfter(link, down)).toBe('suppressed');
    expect(laneAfter(link, down, revision, unsuppressed(blog, null))).toBe('coverage');
    expect(laneAfter(link, unlinked(blog, null, canonical))).toBe('prerelease');
  });

  it('carries its score as readers see it: given, taken back, or derived anew', () => {
    const scoreOf = (...events: DomainEvent[]) => after(...events)?.importance;
    const scored = indexed(blog, { importance: 4 });
    expect(scoreOf(scored)).toBe(4);
    expect(scoreOf(scored, revised(blog, { title: 'x' }, { derived: { importance: 2 } }))).toBe(4);
    expect(scoreOf(scored, revised(blog, { importance: null }, { derived: { importance: 2 } }))).toBe(2);
    expect(scoreOf(scored, revised(blog, { importance: null }))).toBeNull();
  });

  it('never takes a long text in by a revision', () => {
    const row = after(indexed(blog), revised(blog, { content: 'text', migrationNotes: 'notes' }));
    expect(row?.given).toEqual({ title: 'A release' });
  });

  it('is gone when the release is erased', () => {
    expect(after(indexed(blog), erased(blog))).toBeUndefined();
    expect(after(erased(blog))).toBeUndefined();
  });
});

describe('pending', () => {
  const after = (...events: DomainEvent[]) => foldProjection(pendingProjection, happened(...events)).get(id);
  const waiting = indexed(blog, { publishedAt: march }, { pending: true });
  const dated = { type: 'ReleaseDated.v1', data: { sourceId: blog, publishedAt: march } };

  it('has a row only while the date lies ahead', () => {
    expect(after(indexed(blog, { publishedAt: march }))).toBeUndefined();
    expect(after(waiting)).toMatchObject({ id, sourceId: blog, publishedMs: Date.parse(march) });
    expect(after(waiting, dated)).toBeUndefined();
    expect(after(waiting, erased(blog))).toBeUndefined();
    expect(after(waiting, revised(blog, { title: 'x' }, { pending: false }))).toBeUndefined();
  });

  it('follows the date through revisions that name only what they change', () => {
    const onwards = { pending: true, previousPublishedAt: march };
    const dueOf = (...events: DomainEvent[]) => after(...events)?.publishedMs;
    expect(dueOf(waiting, revised(blog, { title: 'x' }, onwards))).toBe(Date.parse(march));
    expect(dueOf(waiting, revised(blog, { publishedAt: april }, onwards))).toBe(Date.parse(april));
    const derived = { publishedAt: april };
    expect(dueOf(waiting, revised(blog, { publishedAt: null }, { ...onwards, derived }))).toBe(Date.parse(april));
    expect(dueOf(indexed(blog), revised(blog, { title: 'April' }, { pending: true, derived }))).toBe(Date.parse(april));
    const byTitle = indexed(blog, {}, { pending: true, derived: { publishedAt: march } });
    expect(dueOf(byTitle, revised(blog, { title: 'April' }, { ...onwards, derived }))).toBe(Date.parse(april));
  });
});

describe('bodies', () => {
  const body = `${id}-abc`;
  const part = (number: number, text: string) => ({
    type: 'BodyPartStored.v1',
    data: { part: number, parts: 2, text },
  });

  it('keeps each part, and none of an erased release', () => {
    const recorder = createRecorder();
    recorder.record(`body-${body}`, [part(0, 'one'), part(1, 'two')]);
    recorder.record('body-other-abc', [part(0, 'other')]);
    expect([...foldProjection(bodiesProjection, recorder.all()).values()]).toEqual([
      { id: `${body}#0`, body, text: 'one' },
      { id: `${body}#1`, body, text: 'two' },
      { id: 'other-abc#0', body: 'other-abc', text: 'other' },
    ]);
    recorder.record(`release-${id}`, [erased(blog, { bodyStreams: [`body-${body}`] })]);
    expect([...foldProjection(bodiesProjection, recorder.all()).keys()]).toEqual(['other-abc#0']);
  });
});
