import { describe, expect, test } from 'vitest';
import { restoreProduct } from '../../../commands/product/restore-product.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  acme,
  deletedOrg,
  firstExpired,
  lastRestorable,
  liveOrg,
  productCreated,
  productDeleted,
  widget,
} from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const input = { productId: widget };
const facts = { org: liveOrg };
const past = [productCreated(), productDeleted];
const notFound = ['not_found', { entity: 'product' }] as const;

describe('restore a product', () => {
  test('a deleted one comes back and wishes for its slug', () => {
    given(restoreProduct, past)
      .when(input, { facts })
      .then([{ type: 'ProductRestored.v1', data: { restoredAt: testNow } }]);
    expect(wishesOf(restoreProduct, past, input, facts)).toEqual({ slug: `slug: slug-product/${acme}:widget` });
  });

  test('a living one stays as it is', () => {
    given(restoreProduct, [productCreated()]).when(input, { facts }).thenNothing();
  });

  test('the thirty days are whole ones', () => {
    given(restoreProduct, past).when(input, { facts, now: lastRestorable }).thenTypes('ProductRestored.v1');
    given(restoreProduct, past)
      .when(input, { facts, now: firstExpired })
      .thenFails(...notFound);
  });

  test('it is not found when absent, or when its org is deleted', () => {
    given(restoreProduct)
      .when(input)
      .thenFails(...notFound);
    given(restoreProduct, past)
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...notFound);
  });
});
