import { describe, expect, it } from 'vitest';
import { entityHistoryProjection } from '../../projections/entity-history/entity-history.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import {
  acme,
  blog,
  orgCreated,
  orgPurged,
  productCreated,
  sourceCreated,
  sourcePurged,
  widget,
} from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

const [org, product, source] = [`org-${acme}`, `product-${widget}`, `source-${blog}`];
const written: DomainEvent = { type: 'PlaybookWritten.v1', data: { content: 'Some words', updatedAt: '2026-02-21' } };
const removed: DomainEvent = { type: 'PlaybookRemoved.v1', data: { removedAt: '2026-02-22' } };

const after = (...appends: [stream: string, event: DomainEvent][]) => {
  const recorder = createRecorder();
  for (const [stream, event] of appends) recorder.record(stream, [event]);
  return [...foldProjection(entityHistoryProjection, recorder.all()).values()];
};

const idsAfter = (...appends: [stream: string, event: DomainEvent][]) => after(...appends).map(({ id }) => id);

describe('the history of entities', () => {
  it('has a document for each change, under the org, and one for what the entity is', () => {
    const found = after(
      [org, orgCreated({ name: 'Acme' })],
      [org, { type: 'OrgChanged.v1', data: { changed: { name: 'New' } } }],
    );
    expect(found).toHaveLength(3);
    expect(found.at(-1)).toMatchObject({
      id: `${acme}#20`,
      orgId: acme,
      position: 20,
      type: 'org.changed',
      changes: [{ field: 'name', from: 'Acme', to: 'New' }],
    });
    expect(found.filter(({ orgId }) => orgId === null)).toMatchObject([{ id: acme, entity: { name: 'New' } }]);
  });

  it('keeps nothing of what is purged, nor of what is written about it later', () => {
    expect(idsAfter([org, orgCreated()], [source, sourceCreated()], [source, sourcePurged])).toEqual([
      acme,
      `${acme}#10`,
    ]);
    expect(
      idsAfter(
        [org, orgCreated()],
        [`playbook-${acme}`, written],
        [org, orgPurged],
        [`playbook-${acme}`, written],
        [`playbook-${acme}`, removed],
      ),
    ).toEqual([]);
  });

  it('names long texts and holds none', () => {
    const found = after([org, orgCreated()], [product, productCreated()], [`playbook-${acme}`, written]);
    expect(JSON.stringify(found)).not.toContain('Some words');
    expect(found.at(-1)).toMatchObject({
      type: 'playbook.written',
      changes: [{ field: 'playbook', to: { chars: 10 } }],
    });
  });

  it('leaves out sources that stand alone', () => {
    expect(idsAfter([source, sourceCreated({ orgId: null })])).toEqual([]);
  });
});
