import { describe, expect, it } from 'vitest';
import { entityHistoryProjection } from '../../projections/entity-history/entity-history.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { productProjection } from '../../projections/product/product.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import {
  acme,
  blog,
  orgCreated,
  orgPurged,
  productCreated,
  sourceCreated,
  sourceHidden,
  sourcePurged,
  sourceUnhidden,
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

it('is filled anew with the folds that it is made of: who raises the generation of one raises its own too', () => {
  const folded = [orgProjection, productProjection, sourceProjection, entityHistoryProjection];
  expect(
    folded.map(({ name, generation }) => `${name} ${generation}`),
    'entity-history keeps what the folds of org, product and source make: when one of these is raised, raise it as well',
  ).toEqual(['org 5', 'product 2', 'source 5', 'entity-history 4']);
});

describe('the history of entities', () => {
  it('has a document for each change, under the org, and one for what the entity is', () => {
    const found = after(
      [org, orgCreated({ name: 'Acme' })],
      [org, { type: 'OrgChanged.v1', data: { changed: { name: 'New' } } }],
    );
    expect(found).toHaveLength(3);
    expect(found.at(-1)).toMatchObject({
      id: `${acme}#org.2`,
      orgId: acme,
      position: 20,
      type: 'org.changed',
      changes: [{ field: 'name', from: 'Acme', to: 'New' }],
    });
    expect(found.filter(({ orgId }) => orgId === null)).toMatchObject([{ id: acme, entity: { name: 'New' } }]);
  });

  it('tells of a dropped overview no more than the log that is left of it', () => {
    const recorder = createRecorder();
    const overview = (content: string) => ({ type: 'OverviewWritten.v1', data: { content, updatedAt: '2026-02-21' } });
    const dropped = { type: 'OverviewRemoved.v1', data: { removedAt: '2026-02-22' } };
    recorder.record(org, [orgCreated()]);
    for (const event of [
      overview('Some words'),
      overview('Others'),
      dropped,
      overview('New ones'),
      dropped,
      overview('Last'),
    ]) {
      recorder.record(`overview-${acme}`, [event]);
    }
    const all = recorder.all();
    const documents = (events: typeof all) => [...foldProjection(entityHistoryProjection, events).values()];
    const left = all.filter(({ stream, version }) => stream.category !== 'overview' || version >= 5);
    expect(documents(all)).toEqual(documents(left));
    expect(documents(all).map(({ id }) => id)).toEqual([acme, `${acme}#org.1`, `${acme}#overview.6`]);
  });

  it('keeps nothing of what is purged, nor of what is written about it later', () => {
    expect(idsAfter([org, orgCreated()], [source, sourceCreated()], [source, sourcePurged])).toEqual([
      acme,
      `${acme}#org.1`,
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

  it('keeps for admins what was done while the entity was hidden, or by the command that hid it', () => {
    const recorder = createRecorder();
    const renamed = (name: string): DomainEvent => ({ type: 'SourceChanged.v1', data: { changed: { name } } });
    recorder.record(org, [orgCreated()], { commandId: 'create-org' });
    recorder.record(source, [sourceCreated(), sourceHidden], { commandId: 'create-hidden' });
    recorder.record(source, [renamed('New')], { commandId: 'change-hidden' });
    recorder.record(source, [sourceUnhidden], { commandId: 'show' });
    recorder.record(source, [renamed('Newer')], { commandId: 'change-shown' });
    recorder.record(source, [sourceHidden], { commandId: 'hide' });
    recorder.record(`playbook-${blog}`, [written], { commandId: 'write' });
    const found = [...foldProjection(entityHistoryProjection, recorder.all()).values()];
    const told = found.flatMap((doc) => ('commandId' in doc ? [[doc.commandId, doc.type, doc.audience]] : []));
    expect(told).toEqual([
      ['create-org', 'org.created', 'all'],
      ['create-hidden', 'source.created', 'admin'],
      ['create-hidden', 'source.hidden', 'admin'],
      ['change-hidden', 'source.changed', 'admin'],
      ['show', 'source.unhidden', 'admin'],
      ['change-shown', 'source.changed', 'all'],
      ['hide', 'source.hidden', 'admin'],
      ['write', 'playbook.written', 'admin'],
    ]);
  });

  it('says of each change whom it is for as the entity is now, also of those that were made before', () => {
    const deleted: DomainEvent = { type: 'SourceDeleted.v1', data: { deletedAt: '2026-02-21' } };
    const restored: DomainEvent = { type: 'SourceRestored.v1', data: { restoredAt: '2026-02-22' } };
    const noted: DomainEvent = { type: 'SourceChanged.v1', data: { changed: { metadata: { note: 'For us' } } } };
    const same: DomainEvent = { type: 'SourceChanged.v1', data: { changed: { metadata: { note: 'For us' } } } };
    const steps = [sourceCreated(), noted, same, sourceHidden, deleted, restored, sourceUnhidden];
    const toldTo = (count: number) => {
      const recorder = createRecorder();
      for (const [step, event] of steps.slice(0, count).entries()) {
        recorder.record(source, [event], { commandId: `step-${step}` });
      }
      const found = [...foldProjection(entityHistoryProjection, recorder.all()).values()];
      return found.flatMap((doc) => (doc.toldTo === null ? [] : [doc.toldTo]));
    };
    expect(toldTo(3)).toEqual(['all', 'admin', 'nobody']);
    expect(toldTo(4)).toEqual(['admin', 'admin', 'nobody', 'admin']);
    expect(toldTo(5)).toEqual(['nobody', 'nobody', 'nobody', 'nobody', 'nobody']);
    expect(toldTo(6)).toEqual(['admin', 'admin', 'nobody', 'admin', 'admin', 'admin']);
    expect(toldTo(7)).toEqual(['all', 'admin', 'nobody', 'admin', 'admin', 'admin', 'admin']);
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
