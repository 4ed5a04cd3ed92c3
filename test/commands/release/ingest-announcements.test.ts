import { describe, expect, it } from 'vitest';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import type {
  ReleaseAnnounced,
  ReleaseEvent,
  ReleaseIndexed,
  ReleaseRevised,
} from '../../../src/domain/release/events.ts';
import type { ReleaseParents } from '../../../src/domain/release/parents.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import { givenBatch } from '../../spec/given-batch.ts';
import { testNow } from '../../spec/given-when-then.ts';
import { orgHidden, productHidden, sourceHidden } from '../../spec/events/entity-events.ts';
import { parentsAfter, sourceId, standaloneSource, webBaseUrl } from '../../spec/worlds/release-world.ts';

const nowMs = Date.parse(testNow);
const at = (offsetMs: number): string => toTimestamp(nowMs + offsetMs);
const dayMs = 86_400_000;

interface Sending {
  readonly facts?: ReleaseParents;
  readonly now?: string;
  readonly past?: readonly ReleaseEvent[];
  readonly emit?: boolean;
  readonly backfillDays?: number | null;
}

const send = (item: object, { facts = parentsAfter(), now = testNow, past = [], ...options }: Sending = {}) => {
  const input = { sourceId, webBaseUrl, items: [{ title: 'One', version: '1.0.0', ...item }], ...options };
  const [stream = ''] = ingestReleases.items(ingestReleases.input.parse(input), facts).map((each) => each.stream);
  return givenBatch(ingestReleases, { [stream]: past })
    .when(input, { facts, now })
    .decided();
};

const typesOf = ({ events }: { events: readonly ReleaseEvent[] }): string[] =>
  events.map(({ type }) => type.replace('.v1', ''));
const planOf = ({ events }: { events: readonly ReleaseEvent[] }) => {
  const { pending, announcement } = (events[0] as ReleaseIndexed).data;
  return { pending, announcement };
};

describe('a new release is announced', () => {
  it.each([
    ['with parents that show', parentsAfter()],
    ['with a standalone source', standaloneSource],
    ['with a hidden product', parentsAfter({ product: [productHidden] })],
  ])('%s', (_, facts) => {
    const decided = send({ publishedAt: at(-400 * dayMs) }, { facts });
    expect(typesOf(decided)).toEqual(['ReleaseIndexed', 'ReleaseAnnounced']);
    expect(planOf(decided)).toEqual({ pending: false, announcement: 'now' });
    const { release, tsMs } = (decided.events[1] as ReleaseAnnounced).data;
    expect(release).toMatchObject({ id: decided.results[0]?.id, title: 'One', sourceId, fetchedAt: testNow });
    expect(tsMs).toBe(nowMs);
  });

  it('undated too', () => {
    expect(typesOf(send({}))).toEqual(['ReleaseIndexed', 'ReleaseAnnounced']);
  });
});

describe('a new release is not announced, and never will be,', () => {
  it.each([
    ['below a hidden source', { facts: parentsAfter({ source: [sourceHidden] }) }],
    ['below a hidden org', { facts: parentsAfter({ org: [orgHidden] }) }],
    ['when nothing shall be emitted', { emit: false }],
  ])('%s', (_, sending) => {
    const decided = send({}, sending);
    expect(typesOf(decided)).toEqual(['ReleaseIndexed']);
    expect(planOf(decided)).toEqual({ pending: false, announcement: 'none' });
  });
});

describe('in a first fill', () => {
  it.each([
    ['dated at the edge of the last 7 days', at(-7 * dayMs), 'now'],
    ['dated 1 ms before', at(-7 * dayMs - 1), 'none'],
    ['undated', null, 'none'],
    ['dated ahead', at(dayMs), 'due'],
  ])('a release %s', (_, publishedAt, announcement) => {
    expect(planOf(send({ publishedAt }, { backfillDays: 7 })).announcement).toBe(announcement);
  });

  it('the date of the title counts as well', () => {
    expect(planOf(send({ title: 'News of 2026-02-27' }, { backfillDays: 7 })).announcement).toBe('now');
  });

  it('no limit announces all', () => {
    expect(planOf(send({ publishedAt: '1999-01-01' }, { backfillDays: null })).announcement).toBe('now');
  });
});

describe('a date ahead', () => {
  it('has come up to 60 s before, and is waited for 1 ms later', () => {
    expect(planOf(send({ publishedAt: at(60_000) }))).toEqual({ pending: false, announcement: 'now' });
    const ahead = send({ publishedAt: at(60_001) });
    expect(planOf(ahead)).toEqual({ pending: true, announcement: 'due' });
    expect(typesOf(ahead)).toEqual(['ReleaseIndexed']);
  });

  it('owes an announcement below hidden parents too, since they may show by then', () => {
    const decided = send({ publishedAt: at(dayMs) }, { facts: parentsAfter({ source: [sourceHidden] }) });
    expect(planOf(decided)).toEqual({ pending: true, announcement: 'due' });
  });

  it('owes none when nothing shall be emitted', () => {
    expect(planOf(send({ publishedAt: at(dayMs) }, { emit: false }))).toEqual({ pending: true, announcement: 'none' });
  });
});

describe('a pending release that is sent again', () => {
  const pending = send({ publishedAt: at(dayMs) }).events;

  it('is dated and announced when its new date has come', () => {
    const decided = send({ title: 'Earlier', publishedAt: at(0) }, { past: pending, now: at(1000) });
    expect(typesOf(decided)).toEqual(['ReleaseRevised', 'ReleaseDated', 'ReleaseAnnounced']);
    expect((decided.events[0] as ReleaseRevised).data).toMatchObject({ previousPublishedAt: at(dayMs), pending: true });
    expect(decided.events[1]?.data).toEqual({ sourceId, publishedAt: at(0) });
    expect((decided.events[2] as ReleaseAnnounced).data).toMatchObject({
      tsMs: nowMs + 1000,
      release: { title: 'Earlier', publishedAt: at(0), fetchedAt: testNow },
    });
    const all = [...pending, ...decided.events];
    expect(typesOf(send({ title: 'Again', publishedAt: at(0) }, { past: all }))).toEqual(['ReleaseRevised']);
  });

  it('is dated when another value changes after the date has come', () => {
    expect(typesOf(send({ title: 'Late' }, { past: pending, now: at(2 * dayMs) }))).toEqual([
      'ReleaseRevised',
      'ReleaseDated',
      'ReleaseAnnounced',
    ]);
  });

  it('is dated without a date to wait for when that is taken back', () => {
    const decided = send({ publishedAt: null }, { past: pending });
    expect(decided.events[1]).toEqual({ type: 'ReleaseDated.v1', data: { sourceId, publishedAt: null } });
  });

  it.each([
    ['source', parentsAfter({ source: [sourceHidden] })],
    ['org', parentsAfter({ org: [orgHidden] })],
  ])('gives its announcement up below a hidden %s', (_, facts) => {
    const decided = send({ publishedAt: at(0) }, { past: pending, facts });
    expect(typesOf(decided)).toEqual(['ReleaseRevised', 'ReleaseDated', 'AnnouncementWaived']);
  });

  it('is dated silently when no announcement is owed', () => {
    const silent = send({ publishedAt: at(dayMs) }, { emit: false }).events;
    expect(typesOf(send({ publishedAt: at(0) }, { past: silent }))).toEqual(['ReleaseRevised', 'ReleaseDated']);
  });

  it('goes on waiting for another date ahead', () => {
    const decided = send({ publishedAt: at(60_001) }, { past: pending });
    expect(typesOf(decided)).toEqual(['ReleaseRevised']);
    expect((decided.events[0] as ReleaseRevised).data.pending).toBe(true);
  });

  it('is left alone when nothing differs, though its date has come', () => {
    const decided = send({ publishedAt: at(dayMs) }, { past: pending, now: at(2 * dayMs) });
    expect(decided.results[0]?.result).toBe('unchanged');
    expect(decided.events).toEqual([]);
  });
});

it('a release that showed waits again for a date ahead, and is not announced twice', () => {
  const shown = send({}).events;
  const ahead = send({ publishedAt: at(dayMs) }, { past: shown });
  expect((ahead.events[0] as ReleaseRevised).data.pending).toBe(true);
  const back = send({ publishedAt: at(0) }, { past: [...shown, ...ahead.events] });
  expect(typesOf(back)).toEqual(['ReleaseRevised', 'ReleaseDated']);
});
