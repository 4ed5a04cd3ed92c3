import { describe, expect, it } from 'vitest';
import { instantsProjection } from '../../projections/instants/instants.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { blog, idOf } from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, indexed, revised } from '../spec/events/release-events.ts';

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
});
