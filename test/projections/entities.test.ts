import { describe, expect, it } from 'vitest';
import { type OrgDocument, orgProjection } from '../../projections/org/org.ts';
import { productProjection } from '../../projections/product/product.ts';
import { type SourceDocument, sourceProjection } from '../../projections/source/source.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { Document, Projection } from '../../src/kernel/projection.ts';
import {
  acme,
  blog,
  orgCreated,
  orgDeleted,
  orgHidden,
  productCreated,
  productDeleted,
  productHidden,
  sourceCreated,
  sourceDeleted,
  sourceHidden,
  widget,
} from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { testMetadata } from '../spec/given-when-then.ts';
import { createRecorder } from '../spec/events/record-events.ts';

const after = <Doc extends Document>(projection: Projection<Doc>, stream: string, ...events: DomainEvent[]) => {
  const recorder = createRecorder();
  recorder.record(stream, events);
  const docs = foldProjection(projection, recorder.all());
  expect(docs.size).toBe(1);
  return [...docs.values()][0] as Doc;
};

describe('an org document', () => {
  it('holds what was said, the key that it is sorted by, and where it stands', () => {
    const { data } = orgCreated({ name: 'ÉCLAIR Labs' });
    expect(after(orgProjection, `org-${acme}`, orgCreated({ name: 'ÉCLAIR Labs' }))).toEqual({
      ...data,
      id: acme,
      nameKey: 'éclair labs',
      earlierSlugs: [],
      slugTaken: { commandId: testMetadata.commandId, isShown: true },
      accounts: [],
      trackingRequestedAt: null,
      hidden: false,
      deletedAt: null,
    });
  });

  it('remembers the slugs that it had, the latest first', () => {
    const renamed = (slug: string) => ({ type: 'OrgChanged.v1', data: { changed: { slug } } });
    const slugs = (...names: string[]) => after(orgProjection, `org-${acme}`, orgCreated(), ...names.map(renamed));
    expect(slugs('b', 'c')).toMatchObject({
      slug: 'c',
      earlierSlugs: [
        { slug: 'b', leftAt: 30 },
        { slug: 'acme', leftAt: 20 },
      ],
    });
    expect(slugs('b', 'acme', 'acme', 'c').earlierSlugs).toEqual([
      { slug: 'acme', leftAt: 50 },
      { slug: 'b', leftAt: 30 },
    ]);
    const many = Array.from({ length: 40 }, (_, index) => `s${index}`);
    expect(slugs(...many).earlierSlugs.map(({ slug }) => slug)).toEqual(many.slice(-17, -1).reverse());
  });

  it('knows its accounts, who asked for it, and what became of its locations', () => {
    const location = { id: 'loc_L', url: 'https://acme.example', title: null, canonical: false } as const;
    const stored = { ...location, basis: 'curator', productId: null, sourceId: null } as const;
    const linked = (handle: string) => ({
      type: 'OrgAccountLinked.v1',
      data: { platform: 'x', handle, linkedAt: '2026-01-02T00:00:00.000Z' },
    });
    const unlinked = { type: 'OrgAccountUnlinked.v1', data: { platform: 'x', handle: 'A', unlinkedAt: '' } };
    const requested = { type: 'OrgTrackingRequested.v1', data: { requestedAt: '2026-01-03T00:00:00.000Z' } };
    const promoted = { type: 'OrgPromoted.v1', data: { promotedAt: '', sources: { loc_L: 'src_S' } } };
    const demoted = { type: 'OrgDemoted.v1', data: { demotedAt: '' } };
    const stub = orgCreated({ status: 'stub', locations: [stored] });
    expect(after(orgProjection, `org-${acme}`, stub, linked('A'), linked('b'), unlinked, requested)).toMatchObject({
      accounts: [{ platform: 'x', handle: 'b', linkedAt: '2026-01-02T00:00:00.000Z' }],
      status: 'stub',
      trackingRequestedAt: '2026-01-03T00:00:00.000Z',
    });
    expect(after(orgProjection, `org-${acme}`, stub, requested, promoted)).toMatchObject({
      status: 'tracked',
      trackingRequestedAt: null,
      locations: [{ sourceId: 'src_S' }],
    });
    expect(after(orgProjection, `org-${acme}`, stub, promoted, demoted)).toMatchObject({
      status: 'stub',
      locations: [{ sourceId: null }],
    });
  });

  it('takes changes over and keeps the rest', () => {
    const changed = { type: 'OrgChanged.v1', data: { changed: { name: 'Zeta', domain: 'zeta.example' } } };
    const doc = after(orgProjection, `org-${acme}`, orgCreated({ description: 'kept' }), changed);
    expect(doc).toMatchObject({ name: 'Zeta', nameKey: 'zeta', domain: 'zeta.example', description: 'kept' });
  });

  it('is hidden and deleted, and both come back', () => {
    const unhidden = { type: 'OrgUnhidden.v1', data: { unhiddenAt: 'x' } };
    const restored = { type: 'OrgRestored.v1', data: { restoredAt: 'x' } };
    const gone = after(orgProjection, `org-${acme}`, orgCreated(), orgHidden, orgDeleted);
    expect(gone).toMatchObject({ hidden: true, deletedAt: '2026-02-20T00:00:00.000Z' });
    const back = after(orgProjection, `org-${acme}`, orgCreated(), orgHidden, orgDeleted, unhidden, restored);
    expect(back).toMatchObject({ hidden: false, deletedAt: null });
  });
});

describe.each([
  ['an org', 'Org', orgProjection, `org-${acme}`, orgCreated({ slug: 'first' })],
  ['a source', 'Source', sourceProjection, `source-${blog}`, sourceCreated({ slug: 'first' })],
] as const)('the slugs that %s had', (_, kind, projection, stream, created) => {
  const renamed = (slug: string): DomainEvent => ({ type: `${kind}Changed.v1`, data: { changed: { slug } } });
  const hidden: DomainEvent = { type: `${kind}Hidden.v1`, data: { hiddenAt: 'x' } };
  const unhidden: DomainEvent = { type: `${kind}Unhidden.v1`, data: { unhiddenAt: 'x' } };

  /** Each list is what one command did. */
  const remembered = (...commands: DomainEvent[][]): string[] => {
    const recorder = createRecorder();
    for (const [number, events] of commands.entries()) {
      recorder.record(stream, events, { commandId: `command-${number}` });
    }
    const [doc] = [...foldProjection<OrgDocument | SourceDocument>(projection as never, recorder.all()).values()];
    return doc!.earlierSlugs.map(({ slug }) => slug);
  };

  it('are not told if it had them only while it was hidden', () => {
    const inHiding = [[created], [hidden], [renamed('secret')], [renamed('shown')], [unhidden]];
    expect(remembered(...inHiding)).toEqual(['first']);
    expect(remembered(...inHiding, [renamed('last')])).toEqual(['shown', 'first']);
    expect(remembered([created], [hidden], [renamed('secret')], [renamed('shown'), unhidden])).toEqual(['first']);
  });

  it('are not told if it was hidden by the command that gave it', () => {
    expect(remembered([created, hidden], [renamed('shown')], [unhidden])).toEqual([]);
    expect(remembered([created], [renamed('secret'), hidden], [renamed('shown'), unhidden])).toEqual(['first']);
  });

  it('are told if it had them in public before, or before and in hiding again', () => {
    expect(remembered([created], [hidden], [unhidden], [hidden], [renamed('shown')])).toEqual(['first']);
    const again = [[created], [renamed('b')], [hidden], [renamed('first')], [renamed('c')], [unhidden]];
    expect(remembered(...again)).toEqual(['b', 'first']);
    expect(remembered([created], [renamed('b')], [renamed('first'), hidden], [renamed('c'), unhidden])).toEqual([
      'b',
      'first',
    ]);
  });
});

it('a product document follows its events', () => {
  const changed = { type: 'ProductChanged.v1', data: { changed: { name: 'Gadget', kind: 'sdk' } } };
  const events = [productCreated(), changed, productHidden, productDeleted];
  expect(after(productProjection, `product-${widget}`, ...events)).toMatchObject({
    id: widget,
    orgId: acme,
    slug: 'widget',
    nameKey: 'gadget',
    kind: 'sdk',
    hidden: true,
    deletedAt: '2026-02-20T00:00:00.000Z',
  });
});

describe('a source document', () => {
  const change = (changed: object) => ({ type: 'SourceChanged.v1', data: { changed } });

  it('follows its events', () => {
    const events = [sourceCreated(), change({ slug: 'news' }), sourceHidden, sourceDeleted];
    expect(after(sourceProjection, `source-${blog}`, ...events)).toMatchObject({
      id: blog,
      orgId: acme,
      slug: 'news',
      earlierSlugs: [{ slug: 'blog', leftAt: 20 }],
      primaryAsks: {},
      hidden: true,
      deletedAt: '2026-02-20T00:00:00.000Z',
    });
  });

  it('remembers by product at which position it last asked to be primary, also when it gave it up', () => {
    const asked = (...events: DomainEvent[]) => after(sourceProjection, `source-${blog}`, ...events).primaryAsks;
    expect(asked(sourceCreated({ isPrimary: true }))).toEqual({ '': 10 });
    expect(asked(sourceCreated(), change({ isPrimary: true }), change({ name: 'x' }))).toEqual({ '': 20 });
    expect(asked(sourceCreated({ isPrimary: true }), change({ isPrimary: true }))).toEqual({ '': 20 });
    expect(asked(sourceCreated({ isPrimary: true }), change({ isPrimary: false }))).toEqual({ '': 10 });
    const moved = change({ isPrimary: true, productId: widget });
    expect(asked(sourceCreated({ isPrimary: true }), moved, change({ productId: null }))).toEqual({
      '': 10,
      [widget]: 20,
    });
    const alone = { type: 'SourceChanged.v1', data: { changed: { isPrimary: true }, isPrimaryWithoutProduct: true } };
    expect(asked(sourceCreated({ productId: widget }), alone)).toEqual({ '': 20 });
  });
});
