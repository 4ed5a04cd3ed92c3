import { describe, expect, it } from 'vitest';
import type { InstantsDocument } from '../../projections/instants/instants-document.ts';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { createInstantsBySource } from '../../src/catalogue/instants/instants-by-source.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import { foldBatch } from '../../src/runtime/projector/fold-batch.ts';
import { blog, idOf } from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, indexed, linked, revised, suppressed, unlinked, unsuppressed } from '../spec/events/release-events.ts';
import { createSeeded } from '../spec/seeded.ts';

const first = idOf('rel', 'R');
const second = idOf('rel', 'Q');
const march = '2026-03-31T23:59:59.999Z';
const april = '2026-04-01T00:00:00.000Z';
const fetchedMs = Date.parse('2026-02-20T08:00:00.000Z');
const [marchMs, aprilMs] = [Date.parse(march), Date.parse(april)];

/** Which instants lie in which month, without the bits that only the fold needs. */
const after = (...appends: [releaseId: string, ...events: DomainEvent[]][]) => {
  const recorder = createRecorder();
  for (const [releaseId, ...events] of appends) recorder.record(`release-${releaseId}`, events);
  const docs = [...foldProjection(instantsProjection, recorder.all()).values()];
  return Object.fromEntries(
    docs.map(({ month, releases }) => [
      month,
      Object.fromEntries(releases.map(([id, ...instant]) => [id, instant.slice(0, 3)])),
    ]),
  );
};

/** Releases of one source that come, move and go, and the date that each has in the end. */
function history(releases: number) {
  const random = createSeeded(1);
  const recorder = createRecorder();
  const releaseIdOf = (number: number) => derivedId('rel', String(number));
  const dates = [null, null, march, april];
  const now = new Map<string, string | null>();
  for (let number = 1; number <= releases; number += 1) {
    const releaseId = releaseIdOf(number);
    const publishedAt = random.pick(dates);
    now.set(releaseId, publishedAt);
    recorder.record(`release-${releaseId}`, [indexed(blog, publishedAt === null ? {} : { publishedAt })]);
    if (random.chance(70)) continue;
    const changed = releaseIdOf(random.int(1, number));
    const previousPublishedAt = now.get(changed);
    if (previousPublishedAt === undefined) continue;
    const moved = random.pick(dates);
    const isErased = random.chance(50);
    if (isErased) now.delete(changed);
    else now.set(changed, moved);
    const event = isErased
      ? erased(blog, { publishedDates: dates })
      : revised(blog, { publishedAt: moved }, { previousPublishedAt });
    recorder.record(`release-${changed}`, [event]);
  }
  return { events: recorder.all(), now };
}

describe('instants', () => {
  it('lie in documents of their UTC month, the undated in some of their own', () => {
    expect(
      after([first, indexed(blog, { publishedAt: march })], [second, indexed(blog, { publishedAt: april })]),
    ).toEqual({ '2026-03': { [first]: [marchMs, 0, fetchedMs] }, '2026-04': { [second]: [aprilMs, 0, fetchedMs] } });
    expect(after([first, indexed(blog, { prerelease: true })])).toEqual({ '-': { [first]: [null, 1, fetchedMs] } });
  });

  it('name source, month and the end of their ids in the id', () => {
    const recorder = createRecorder();
    recorder.record(`release-${first}`, [indexed(blog, { publishedAt: march })]);
    expect([...foldProjection(instantsProjection, recorder.all()).keys()]).toEqual([
      `${blog}:2026-03:${first.slice(-2)}`,
    ]);
  });

  it('move with the date, and a month without any is gone', () => {
    const moved = revised(blog, { publishedAt: april }, { previousPublishedAt: march });
    expect(after([first, indexed(blog, { publishedAt: march }), moved])).toEqual({
      '2026-04': { [first]: [aprilMs, 0, fetchedMs] },
    });
  });

  it('keep a given date and mark through a revision that does not name them', () => {
    const given = indexed(blog, { publishedAt: march, prerelease: true });
    const derived = { publishedAt: april, prerelease: false };
    const other = revised(blog, { title: 'x' }, { previousPublishedAt: march, derived });
    expect(after([first, given, other])).toEqual({ '2026-03': { [first]: [marchMs, 1, fetchedMs] } });
  });

  it('fall back to the derived date and mark when the given ones are taken back', () => {
    const given = indexed(blog, { publishedAt: march, prerelease: true });
    const derived = { publishedAt: april, prerelease: false };
    const back = revised(blog, { publishedAt: null, prerelease: null }, { previousPublishedAt: march, derived });
    const then = revised(blog, { title: 'x' }, { previousPublishedAt: april, derived: { prerelease: true } });
    expect(after([first, given, back])).toEqual({ '2026-04': { [first]: [aprilMs, 0, fetchedMs] } });
    expect(after([first, given, back, then])['-']).toEqual({ [first]: [null, 1, fetchedMs] });
  });

  it('carry the score: a given one is kept, and the derived one returns when it is taken back', () => {
    const scoreAfter = (...events: DomainEvent[]) => {
      const recorder = createRecorder();
      recorder.record(`release-${first}`, events);
      return [...foldProjection(instantsProjection, recorder.all()).values()][0]?.releases[0]?.[5];
    };
    const previousPublishedAt = march;
    const given = indexed(blog, { publishedAt: march, importance: 4 });
    const other = revised(blog, { title: 'x' }, { previousPublishedAt, derived: { importance: 2 } });
    const back = revised(blog, { importance: null }, { previousPublishedAt, derived: { importance: 2 } });
    const then = revised(blog, { title: 'y' }, { previousPublishedAt, derived: { importance: 3 } });
    expect([scoreAfter(given), scoreAfter(given, other)]).toEqual([4, 4]);
    expect([scoreAfter(given, back), scoreAfter(given, back, then)]).toEqual([2, 3]);
    expect(scoreAfter(indexed(blog, { publishedAt: march }))).toBeNull();
  });

  it('carry the version, which stays through a revision that does not name it and goes when it is taken back', () => {
    const versionAfter = (...events: DomainEvent[]) => {
      const recorder = createRecorder();
      recorder.record(`release-${first}`, events);
      return [...foldProjection(instantsProjection, recorder.all()).values()][0]?.releases[0]?.[6];
    };
    const previousPublishedAt = march;
    const given = indexed(blog, { publishedAt: march, version: '1.0.0' });
    const other = revised(blog, { title: 'x' }, { previousPublishedAt });
    const changed = revised(blog, { version: '1.0.1' }, { previousPublishedAt });
    const back = revised(blog, { version: null }, { previousPublishedAt });
    expect([versionAfter(given), versionAfter(given, other)]).toEqual(['1.0.0', '1.0.0']);
    expect([versionAfter(given, changed), versionAfter(given, back)]).toEqual(['1.0.1', null]);
    expect(versionAfter(indexed(blog, { publishedAt: march }))).toBeNull();
  });

  it('stay in their place with another lane when the release is taken down or linked, and come back as they were', () => {
    const laneAfter = (...events: DomainEvent[]) =>
      after([first, indexed(blog, { publishedAt: march, prerelease: true }), ...events])['2026-03']?.[first]?.[1];
    const [down, up] = [suppressed(blog, march), unsuppressed(blog, march)];
    const [link, unlink] = [linked(blog, march, second), unlinked(blog, march, second)];
    expect([laneAfter(down), laneAfter(link), laneAfter(link, down)]).toEqual([5, 3, 7]);
    const stable = revised(blog, { prerelease: false }, { previousPublishedAt: march });
    expect(laneAfter(link, down, stable)).toBe(6);
    expect([laneAfter(down, up), laneAfter(link, unlink), laneAfter(link, down, up)]).toEqual([1, 1, 3]);
    expect(after([first, down, link])).toEqual({});
  });

  it('go with the release when it is erased, and an unknown one changes nothing', () => {
    const gone = erased(blog, { publishedDates: [march] });
    const other = indexed(blog, { publishedAt: march });
    expect(after([first, indexed(blog, { publishedAt: march }), gone], [second, other])).toEqual({
      '2026-03': { [second]: [marchMs, 0, fetchedMs] },
    });
    expect(
      after([second, other], [first, gone, revised(blog, { title: 'x' }, { previousPublishedAt: march })]),
    ).toEqual({ '2026-03': { [second]: [marchMs, 0, fetchedMs] } });
    expect(after([first, gone])).toEqual({});
  });

  it('go with the release when the events that moved it were truncated before they were folded', () => {
    const gone = erased(blog, { publishedDates: [march, april] });
    expect(after([first, indexed(blog, { publishedAt: march }), gone])).toEqual({});
  });

  it('lie in many small documents, of however many releases, and each is found there', async () => {
    const { events, now } = history(4_000);
    const changes = await foldBatch(instantsProjection, { get: async () => [] }, events);
    const docs = changes.flatMap((change) => (change.kind === 'put' ? [change.doc as InstantsDocument] : []));
    const longest = Math.max(...docs.map(({ releases }) => releases.length));
    // About 2,000 undated ones over 3,844 documents, and 1,000 of each month over as many.
    expect(longest).toBeLessThanOrEqual(8);
    expect(new Map(docs.flatMap(({ releases }) => releases.map(([id, ms]) => [id, ms])))).toEqual(
      new Map([...now].map(([id, publishedAt]) => [id, publishedAt === null ? null : Date.parse(publishedAt)])),
    );
    const bySource = createInstantsBySource();
    for (const doc of docs) bySource.apply(doc);
    const { published, undatedCount } = bySource.instantsOf(blog);
    const expected = [...now.values()].flatMap((date) => (date === null ? [] : [Date.parse(date)])).sort();
    expect([...published]).toEqual(expected);
    expect(undatedCount).toBe(now.size - expected.length);
  });

  it('are the same documents after a rebuild from a log whose erased releases were truncated', () => {
    const { events } = history(1_000);
    const isGone = new Set(events.filter(({ type }) => type === 'ReleaseErased.v1').map(({ stream }) => stream.id));
    const left = events.filter(({ type, stream }) => type === 'ReleaseErased.v1' || !isGone.has(stream.id));
    expect(isGone.size).toBeGreaterThan(50);
    expect(foldProjection(instantsProjection, left)).toEqual(foldProjection(instantsProjection, events));
  });
});
