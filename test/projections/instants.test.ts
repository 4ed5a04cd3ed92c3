import { describe, expect, it } from 'vitest';
import { type InstantsDocument, instantsProjection } from '../../projections/instants/instants.ts';
import { createInstantsBySource } from '../../src/catalogue/instants-by-source.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { foldBatch } from '../../src/runtime/projector/fold-batch.ts';
import { blog, idOf } from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, indexed, revised } from '../spec/events/release-events.ts';
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

describe('instants', () => {
  it('lie in a document for each UTC month, the undated in one of their own', () => {
    expect(
      after([first, indexed(blog, { publishedAt: march })], [second, indexed(blog, { publishedAt: april })]),
    ).toEqual({ '2026-03': { [first]: [marchMs, 0, fetchedMs] }, '2026-04': { [second]: [aprilMs, 0, fetchedMs] } });
    expect(after([first, indexed(blog, { prerelease: true })])).toEqual({ '-': { [first]: [null, 1, fetchedMs] } });
  });

  it('name source and month in the id', () => {
    const recorder = createRecorder();
    recorder.record(`release-${first}`, [indexed(blog, { publishedAt: march })]);
    expect([...foldProjection(instantsProjection, recorder.all()).keys()]).toEqual([`${blog}:2026-03`]);
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

  it('lie in documents of some hundreds at most, of however many releases, and each is found there', async () => {
    const random = createSeeded(1);
    const recorder = createRecorder();
    // Four ends of ids stand for the 3,844 of real ones, so that a few thousand releases fill all documents.
    const releaseIdOf = (number: number) =>
      `rel_${String(number).padStart(19, '0')}${['aa', 'ab', 'ba', 'bb'][number % 4]}`;
    const dates = [null, null, march, april];
    const now = new Map<string, string | null>();
    for (let number = 1; number <= 4_000; number += 1) {
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
    const changes = await foldBatch(instantsProjection, { get: async () => [] }, recorder.all());
    const docs = changes.flatMap((change) => (change.kind === 'put' ? [change.doc as InstantsDocument] : []));
    expect(Math.max(...docs.map(({ releases }) => releases.length))).toBe(384);
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
});
