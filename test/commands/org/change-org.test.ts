import { describe, expect, test } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import type { OrgEvent } from '../../../src/domain/org/events.ts';
import type { ProductEvent } from '../../../src/domain/product/events.ts';
import type { ProductState } from '../../../src/domain/product/state.ts';
import type { SourceEvent } from '../../../src/domain/source/events.ts';
import type { SourceState } from '../../../src/domain/source/state.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  acme,
  blog,
  orgCreated,
  orgDeleted,
  orgHidden,
  other,
  productAfter,
  productCreated,
  productDeleted,
  sourceAfter,
  sourceCreated,
  widget,
} from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const change = (changes: object) => ({ orgId: acme, changes });
const changed = (fields: object): OrgEvent => ({ type: 'OrgChanged.v1', data: { changed: fields } });
const full = orgCreated({ domain: 'acme.example', aliases: ['a.example', 'b.example'], tags: ['a', 'b'] });

describe('change an org', () => {
  test('only fields that differ are recorded', () => {
    given(changeOrg, [full])
      .when(change({ name: 'Acme', description: 'New', tags: ['b', 'a'], fetchPaused: true, overviewCadenceDays: 7 }))
      .then([changed({ description: 'New', fetchPaused: true, overviewCadenceDays: 7 })]);
  });

  test('null clears', () => {
    given(changeOrg, [orgCreated({ domain: 'acme.example', description: 'x', notice: { message: 'x' } })])
      .when(change({ domain: null, description: null, notice: null, category: null }))
      .then([changed({ domain: null, description: null, notice: null })]);
  });

  test('nothing new is nothing recorded', () => {
    given(changeOrg, [full])
      .when(change({ name: 'Acme', isHidden: false, aliases: ['B.example', 'a.example'] }))
      .thenNothing();
  });

  test('hiding and other changes are one append', () => {
    given(changeOrg, [full])
      .when(change({ name: 'Acme 2', isHidden: true }))
      .then([changed({ name: 'Acme 2' }), { type: 'OrgHidden.v1', data: { hiddenAt: testNow } }]);
    given(changeOrg, [full, orgHidden])
      .when(change({ isHidden: false }))
      .then([{ type: 'OrgUnhidden.v1', data: { unhiddenAt: testNow } }]);
    given(changeOrg, [full, orgHidden])
      .when(change({ isHidden: true }))
      .thenNothing();
  });

  test('an alias that becomes the domain is an alias no longer', () => {
    given(changeOrg, [full])
      .when(change({ domain: 'a.example' }))
      .then([changed({ domain: 'a.example', aliases: ['b.example'] })]);
    expect(wishesOf(changeOrg, [full], change({ domain: 'a.example' }))).toEqual({
      slug: 'slug: slug-org:acme',
      domain: 'domain: domain-a.example',
      'alias:b.example': 'alias: domain-b.example',
    });
  });

  test('names that are kept are wished for too', () => {
    expect(wishesOf(changeOrg, [full], change({ name: 'Other', slug: 'other', domain: null }))).toEqual({
      slug: 'slug: slug-org:other',
      'alias:a.example': 'alias: domain-a.example',
      'alias:b.example': 'alias: domain-b.example',
    });
    expect(wishesOf(changeOrg, [full], change({ name: 'Other' }))?.slug).toBe('slug: slug-org:acme');
  });

  test('a reserved slug is refused, unless the org has it already', () => {
    given(changeOrg, [full])
      .when(change({ slug: 'search' }))
      .thenFails('slug_reserved', { slug: 'search' });
    given(changeOrg, [orgCreated({ slug: 'search' })])
      .when(change({ slug: 'search', name: 'S' }))
      .thenTypes('OrgChanged.v1');
  });

  test('an absent or deleted org is not found', () => {
    given(changeOrg)
      .when(change({ name: 'x' }))
      .thenFails('not_found', { entity: 'org' });
    given(changeOrg, [full, orgDeleted])
      .when(change({ name: 'x' }))
      .thenFails('not_found', { entity: 'org' });
  });
});

describe('locations of an org', () => {
  const locations = [
    { url: 'https://acme.example/z' },
    { github: 'acme/acme', canonical: true, basis: 'declared', title: 'Code' },
    { feed: 'https://acme.example/feed' },
  ];
  const stored = () => {
    const [event] = given(changeOrg, [full]).when(change({ locations })).events();
    if (event?.type !== 'OrgChanged.v1') throw new Error('expected a change');
    return event;
  };

  test('they are stored canonical first, with ids that depend on org and locator alone', () => {
    const list = stored().data.changed.locations ?? [];
    expect(list.map(({ id: _, ...rest }) => rest)).toEqual([
      { github: 'acme/acme', title: 'Code', canonical: true, basis: 'declared', productId: null, sourceId: null },
      {
        feed: 'https://acme.example/feed',
        title: null,
        canonical: false,
        basis: 'curator',
        productId: null,
        sourceId: null,
      },
      {
        url: 'https://acme.example/z',
        title: null,
        canonical: false,
        basis: 'curator',
        productId: null,
        sourceId: null,
      },
    ]);
    expect(new Set(list.map(({ id }) => id)).size).toBe(3);
    for (const { id } of list) expect(id).toMatch(/^loc_[0-9A-Za-z]{21}$/);
  });

  test('the same ones in another order are nothing new', () => {
    given(changeOrg, [full, stored()])
      .when(change({ locations: [...locations].reverse() }))
      .thenNothing();
  });

  const pointing = change({
    locations: [{ url: 'https://z.example' }, { url: 'https://a.example', productId: widget, sourceId: blog }],
  });
  const productFacts = (...events: ProductEvent[]): Record<`product-${string}`, ProductState> => ({
    [`product-${widget}`]: productAfter(...events),
  });
  const sourceFacts = (...events: SourceEvent[]): Record<`source-${string}`, SourceState> => ({
    [`source-${blog}`]: sourceAfter(...events),
  });
  const facts = (productOrg: string, sourceOrg: string) => ({
    ...productFacts(productCreated({ orgId: productOrg })),
    ...sourceFacts(sourceCreated({ orgId: sourceOrg })),
  });

  test('they may point to products and sources of the org only', () => {
    given(changeOrg, [full])
      .when(pointing, { facts: facts(acme, acme) })
      .thenTypes('OrgChanged.v1');
    given(changeOrg, [full])
      .when(pointing, { facts: facts(other, acme) })
      .thenFails('validation_failed', { issues: [{ path: 'locations[1].productId', message: expect.any(String) }] });
    given(changeOrg, [full])
      .when(pointing, { facts: facts(acme, other) })
      .thenFails('validation_failed', { issues: [{ path: 'locations[1].sourceId', message: expect.any(String) }] });
    given(changeOrg, [full]).when(pointing, { facts: {} }).thenFails('not_found', { entity: 'product' });
  });

  test('a link that is stored stays valid when its product is deleted later', () => {
    const before = given(changeOrg, [full])
      .when(pointing, { facts: facts(acme, acme) })
      .events();
    const gone = { ...productFacts(productCreated(), productDeleted), ...sourceFacts() };
    given(changeOrg, [full, ...before])
      .when(pointing, { facts: gone })
      .thenNothing();
  });

  test('the facts asked for are what new links point to', () => {
    const state = changeOrg.model.initial;
    const requests = changeOrg.facts?.(changeOrg.input.parse(pointing), state, {}) ?? {};
    expect(Object.keys(requests).sort()).toEqual([`product-${widget}`, `source-${blog}`]);
  });
});
