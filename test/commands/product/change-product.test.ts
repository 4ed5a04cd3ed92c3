import { describe, expect, test } from 'vitest';
import { changeProduct } from '../../../commands/product/change-product.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  deletedOrg,
  liveOrg,
  productCreated,
  productDeleted,
  productHidden,
  widget,
} from '../../spec/events/entity-events.ts';

const facts = { org: liveOrg };
const change = (changes: object) => ({ productId: widget, changes });

describe('change a product', () => {
  test('only fields that differ are recorded; null clears', () => {
    given(changeProduct, [productCreated({ kind: 'sdk', tags: ['a'] })])
      .when(change({ name: 'Widget', kind: null, tags: ['a'], notice: { message: 'Moved' } }), { facts })
      .then([{ type: 'ProductChanged.v1', data: { changed: { kind: null, notice: { message: 'Moved' } } } }]);
  });

  test('hiding and other changes are one append', () => {
    given(changeProduct, [productCreated()])
      .when(change({ name: 'W', isHidden: true }), { facts })
      .then([
        { type: 'ProductChanged.v1', data: { changed: { name: 'W' } } },
        { type: 'ProductHidden.v1', data: { hiddenAt: testNow } },
      ]);
  });

  test('a hidden one is shown again', () => {
    given(changeProduct, [productCreated(), productHidden])
      .when(change({ isHidden: false }), { facts })
      .then([{ type: 'ProductUnhidden.v1', data: { unhiddenAt: testNow } }]);
  });

  test('nothing new is nothing recorded', () => {
    given(changeProduct, [productCreated(), productHidden])
      .when(change({ name: 'Widget', isHidden: true, description: null }), { facts })
      .thenNothing();
  });

  test('the slug is no field of a change', () => {
    expect(changeProduct.input.safeParse(change({ slug: 'other' })).success).toBe(false);
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'product' }] as const;
    given(changeProduct)
      .when(change({ name: 'x' }))
      .thenFails(...failure);
    given(changeProduct, [productCreated(), productDeleted])
      .when(change({ name: 'x' }), { facts })
      .thenFails(...failure);
    given(changeProduct, [productCreated()])
      .when(change({ name: 'x' }), { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
