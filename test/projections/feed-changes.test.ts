import { describe, expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { type FeedChange, feedChangesProjection } from '../../projections/feed-changes/feed-changes.ts';
import { releaseFeedReads } from '../../queries/feed/release-feed-answer.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { Projection } from '../../src/kernel/projection.ts';
import { acme, blog, idOf, orgCreated, sourceCreated, sourcePurged } from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, indexed } from '../spec/events/release-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

const release = idOf('rel', 'R');
const source = `source-${blog}`;
const org = `org-${acme}`;

type Append = readonly [stream: string, event: DomainEvent];

const fold = (appends: readonly Append[]) => {
  const recorder = createRecorder();
  for (const [stream, event] of appends) recorder.record(stream, [event]);
  return { events: recorder.all(), docs: foldProjection(feedChangesProjection, recorder.all()) };
};

/** Whether the last event changed the feeds of the source. */
const changesFeeds = (last: Append): boolean => {
  const before: Append[] = [
    [org, orgCreated()],
    [source, sourceCreated()],
    [`release-${release}`, indexed(blog)],
  ];
  const { events, docs } = fold([...before, last]);
  const { changedMs } = docs.get(blog) as FeedChange;
  expect([null, Date.parse(events.at(-1)!.metadata.recordedAt)]).toContain(changedMs);
  return changedMs !== null;
};

const revised = (given: object, prerelease = false): Append => {
  const { derived } = indexed(blog).data as { derived: object };
  const data = { sourceId: blog, orgId: acme, revision: 2, given, derived: { ...derived, prerelease } };
  return [
    `release-${release}`,
    { type: 'ReleaseRevised.v1', data: { ...data, pending: false, previousPublishedAt: null } },
  ];
};

describe('the feeds of a source', () => {
  it('are changed by a revision only where it may take the release to another place', () => {
    expect(changesFeeds(revised({ content: 'Anew' }))).toBe(false);
    expect(changesFeeds(revised({ title: 'January 2026' }))).toBe(true);
    expect(changesFeeds(revised({ publishedAt: null }))).toBe(true);
    expect(changesFeeds(revised({ version: '2.0.0' }))).toBe(true);
    expect(changesFeeds(revised({ content: 'Anew' }, true))).toBe(true);
  });

  it('are changed by what they show of the source, and by nothing else of it', () => {
    expect(changesFeeds([source, { type: 'SourceChanged.v1', data: { changed: { name: 'Anew' } } }])).toBe(true);
    expect(changesFeeds([source, { type: 'SourceChanged.v1', data: { changed: { kind: 'sdk' } } }])).toBe(false);
  });

  it('are the same after a rebuild, when the events before a purge are gone', () => {
    const { events, docs } = fold([
      [source, sourceCreated()],
      revised({ title: 'January 2026' }),
      [source, sourcePurged],
      [`release-${release}`, erased(blog)],
    ]);
    expect(foldProjection(feedChangesProjection, events.slice(2))).toEqual(docs);
    expect(docs.get(blog)).toMatchObject({ orgId: acme });
  });
});

describe('the read model that tells when feeds changed', () => {
  it('is written before all that feeds are read from: nothing is gone before it is known when', () => {
    const placeOf = (projection: Projection): number => allProjections.indexOf(projection);
    const others = [...catalogueReads, ...releaseFeedReads].map(placeOf);
    expect(Math.min(...others)).toBeGreaterThan(placeOf(feedChangesProjection));
    expect(placeOf(feedChangesProjection)).toBeGreaterThanOrEqual(0);
  });
});
