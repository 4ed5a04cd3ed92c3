import { describe, expect, test } from 'vitest';
import { changeSource } from '../../../commands/source/change-source.ts';
import type { SourceEvent } from '../../../src/domain/source/events.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  acme,
  blog,
  deletedOrg,
  liveOrg,
  other,
  productAfter,
  productCreated,
  productDeleted,
  productPurged,
  sourceCreated,
  sourceDeleted,
  sourceHidden,
  widget,
} from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const facts = { org: liveOrg };
const change = (changes: object) => ({ sourceId: blog, changes });
const changed = (fields: object): SourceEvent => ({ type: 'SourceChanged.v1', data: { changed: fields } });

describe('change a source', () => {
  test('only fields that differ are recorded', () => {
    given(changeSource, [sourceCreated({ kind: 'sdk' })])
      .when(change({ name: 'Blog', kind: null, fetchPriority: 'paused', url: 'https://acme.example/news' }), { facts })
      .then([changed({ kind: null, fetchPriority: 'paused', url: 'https://acme.example/news' })]);
  });

  test('nothing new is nothing recorded', () => {
    given(changeSource, [sourceCreated({ metadata: { a: 1 }, packages: [{ ecosystem: 'npm', name: 'kit' }] })])
      .when(change({ isHidden: false, metadata: { a: 1, b: null }, packages: [{ ecosystem: 'npm', name: 'KIT' }] }), {
        facts,
      })
      .thenNothing();
  });

  test('metadata merges; null deletes a key', () => {
    given(changeSource, [sourceCreated({ metadata: { keep: 1, drop: 2, swap: { a: 1 } } })])
      .when(change({ metadata: { drop: null, swap: { b: 2 } } }), { facts })
      .then([changed({ metadata: { keep: 1, swap: { b: 2 } } })]);
  });

  test('metadata that is too large once merged is refused', () => {
    given(changeSource, [sourceCreated({ metadata: { a: 'x'.repeat(40_000) } })])
      .when(change({ metadata: { b: 'x'.repeat(40_000) } }), { facts })
      .thenFails('validation_failed', { issues: [{ path: 'metadata', message: expect.any(String) }] });
  });

  test('asking to be the primary source is news each time, for a sibling may have asked since', () => {
    const past = [sourceCreated({ isPrimary: true })];
    given(changeSource, past)
      .when(change({ isPrimary: true }), { facts })
      .then([changed({ isPrimary: true })]);
    given(changeSource, past)
      .when(change({ isPrimary: false }), { facts })
      .then([changed({ isPrimary: false })]);
    given(changeSource, [sourceCreated()])
      .when(change({ isPrimary: false }), { facts })
      .thenNothing();
  });

  test('hiding and other changes are one append', () => {
    given(changeSource, [sourceCreated()])
      .when(change({ type: 'feed', isHidden: true }), { facts })
      .then([changed({ type: 'feed' }), { type: 'SourceHidden.v1', data: { hiddenAt: testNow } }]);
  });

  test('a hidden one is shown again', () => {
    given(changeSource, [sourceCreated(), sourceHidden])
      .when(change({ isHidden: false }), { facts })
      .then([{ type: 'SourceUnhidden.v1', data: { unhiddenAt: testNow } }]);
  });

  test('names that are kept are wished for too', () => {
    const past = [sourceCreated({ packages: [{ ecosystem: 'npm', name: 'kit' }] })];
    expect(wishesOf(changeSource, past, change({ name: 'x' }), facts)).toEqual({
      slug: `slug: slug-source/${acme}:blog`,
      'package:npm:kit': 'package: package-npm:kit',
    });
    expect(wishesOf(changeSource, past, change({ slug: 'news', packages: [] }), facts)).toEqual({
      slug: `slug: slug-source/${acme}:news`,
    });
  });

  test('a reserved slug is refused', () => {
    given(changeSource, [sourceCreated()])
      .when(change({ slug: 'md' }), { facts })
      .thenFails('slug_reserved');
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'source' }] as const;
    given(changeSource)
      .when(change({ name: 'x' }))
      .thenFails(...failure);
    given(changeSource, [sourceCreated(), sourceDeleted])
      .when(change({ name: 'x' }), { facts })
      .thenFails(...failure);
    given(changeSource, [sourceCreated()])
      .when(change({ name: 'x' }), { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });

  test('one that stands alone needs no org', () => {
    given(changeSource, [sourceCreated({ orgId: null })])
      .when(change({ name: 'x' }))
      .thenTypes('SourceChanged.v1');
  });
});

describe('the product of a source', () => {
  const put = change({ productId: widget });

  test('it is set and cleared', () => {
    given(changeSource, [sourceCreated()])
      .when(put, { facts: { ...facts, product: productAfter(productCreated()) } })
      .then([changed({ productId: widget })]);
    given(changeSource, [sourceCreated({ productId: widget })])
      .when(change({ productId: null }), { facts })
      .then([changed({ productId: null })]);
  });

  test('one that is absent or deleted is not found', () => {
    for (const product of [productAfter(), productAfter(productCreated(), productDeleted)]) {
      given(changeSource, [sourceCreated()])
        .when(put, { facts: { ...facts, product } })
        .thenFails('not_found', { entity: 'product' });
    }
  });

  test('one that was deleted is left out where it asks to be the primary source', () => {
    const past = [sourceCreated({ productId: widget })];
    const ask = change({ isPrimary: true });
    given(changeSource, past)
      .when(ask, { facts: { ...facts, product: productAfter(productCreated()) } })
      .then([changed({ isPrimary: true })]);
    for (const gone of [productDeleted, productPurged]) {
      given(changeSource, past)
        .when(ask, { facts: { ...facts, product: productAfter(productCreated(), gone) } })
        .then([{ type: 'SourceChanged.v1', data: { changed: { isPrimary: true }, isPrimaryWithoutProduct: true } }]);
    }
  });

  test('one of another org is refused', () => {
    const product = productAfter(productCreated({ orgId: other }));
    for (const past of [sourceCreated(), sourceCreated({ orgId: null })]) {
      given(changeSource, [past])
        .when(put, { facts: { ...facts, product } })
        .thenFails('validation_failed', { issues: [{ path: 'productId', message: expect.any(String) }] });
    }
  });

  test('a deleted product is no obstacle to other changes', () => {
    given(changeSource, [sourceCreated({ productId: widget })])
      .when(change({ name: 'x' }), { facts })
      .then([changed({ name: 'x' })]);
  });

  test('org and wanted product are the facts asked for', () => {
    const state = { ...changeSource.model.initial, ...sourceCreated().data, lifecycle: 'live' as const };
    const requests = changeSource.facts?.(changeSource.input.parse(put), state, {});
    expect(requests?.org?.stream).toBe(`org-${acme}`);
    expect(requests?.product?.stream).toBe(`product-${widget}`);
  });
});
