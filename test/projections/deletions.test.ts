import { describe, expect, it } from 'vitest';
import { deletionsProjection } from '../../projections/deletions/deletions.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import {
  acme,
  blog,
  idOf,
  orgCreated,
  orgDeleted,
  orgPurged,
  sourceCreated,
  sourceDeleted,
  sourcePurged,
  widget,
  productCreated,
} from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, indexed } from '../spec/events/release-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

const release = idOf('rel', 'R');
const restored: DomainEvent = { type: 'SourceRestored.v1', data: { restoredAt: '2026-02-21T00:00:00.000Z' } };
const completed: DomainEvent = { type: 'PurgeCompleted.v1', data: { completedAt: '2026-02-21T00:00:00.000Z' } };
const written: DomainEvent = { type: 'PlaybookWritten.v1', data: { content: 'Words', updatedAt: '2026-02-21' } };
const removed: DomainEvent = { type: 'PlaybookRemoved.v1', data: { removedAt: '2026-02-21' } };

const after = (...appends: [stream: string, event: DomainEvent][]) => {
  const recorder = createRecorder();
  for (const [stream, event] of appends) recorder.record(stream, [event]);
  return [...foldProjection(deletionsProjection, recorder.all()).values()];
};

const source = `source-${blog}`;
const org = `org-${acme}`;

describe('deletions', () => {
  it('are due when the entity cannot be restored any more, and forgotten when it is', () => {
    const deleted: [string, DomainEvent][] = [
      [source, sourceCreated()],
      [source, sourceDeleted],
    ];
    expect(after(...deleted)).toMatchObject([
      { id: blog, kind: 'source', state: 'deleted', dueMs: Date.parse('2026-03-22T00:00:00.001Z') },
    ]);
    expect(after(...deleted, [source, restored])).toEqual([]);
  });

  it('are due at once for what is purged, and never again once that is completed', () => {
    expect(after([source, sourceCreated()], [source, sourcePurged])).toMatchObject([
      { id: blog, orgId: acme, state: 'purged', dueMs: 0, position: 20 },
    ]);
    expect(after([source, sourcePurged], [source, completed])).toMatchObject([{ id: blog, dueMs: null }]);
  });

  it('tell of what was stored below something purged, until that is gone', () => {
    const stray: [string, DomainEvent][] = [
      [source, sourcePurged],
      [`release-${release}`, indexed(blog)],
    ];
    expect(after(...stray).slice(1)).toMatchObject([
      { kind: 'release', subjectId: release, state: 'stray', dueMs: 0, position: 20 },
    ]);
    expect(after(...stray, [`release-${release}`, erased(blog)])).toHaveLength(1);
    expect(after([source, sourceCreated()], [source, sourceDeleted], stray[1]!)).toHaveLength(1);
    expect(after([`release-${release}`, indexed(blog)], [source, sourcePurged])).toHaveLength(1);
  });

  it('tell of parts and texts of an org that came too late', () => {
    const late: [string, DomainEvent][] = [
      [org, orgCreated()],
      [org, orgDeleted],
      [org, orgPurged],
      [source, sourceCreated()],
      [`product-${widget}`, productCreated()],
      [`playbook-${acme}`, written],
    ];
    expect(after(...late).map(({ kind, subjectId, state }) => [kind, subjectId, state])).toEqual([
      ['org', acme, 'purged'],
      ['source', blog, 'stray'],
      ['product', widget, 'stray'],
      ['playbook', acme, 'stray'],
    ]);
    const rest = after(...late, [source, sourcePurged], [`playbook-${acme}`, removed]);
    expect(rest.map(({ kind, state }) => `${state} ${kind}`).sort()).toEqual([
      'purged org',
      'purged source',
      'stray product',
    ]);
  });

  it('of one entity are of one group, with what came too late below it', () => {
    const { groupOf } = deletionsProjection;
    const [purged, stray] = after([source, sourcePurged], [`release-${release}`, indexed(blog)]);
    expect(groupOf?.(stray!.id)).toBe(groupOf?.(purged!.id));
  });
});
