import { describe, expect, test } from 'vitest';
import { deleteProduct } from '../../../commands/product/delete-product.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  widget,
  deletedOrg,
  hiddenOrg,
  liveOrg,
  productCreated,
  productDeleted,
} from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const input = { productId: widget };
const facts = { org: liveOrg };

describe('delete a product', () => {
  test('a living one is deleted and keeps no name, also below a hidden org', () => {
    given(deleteProduct, [productCreated()])
      .when(input, { facts })
      .then([{ type: 'ProductDeleted.v1', data: { deletedAt: testNow } }]);
    given(deleteProduct, [productCreated()])
      .when(input, { facts: { org: hiddenOrg } })
      .thenTypes('ProductDeleted.v1');
    expect(wishesOf(deleteProduct, [productCreated()], input, facts)).toEqual({});
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'product' }] as const;
    given(deleteProduct)
      .when(input)
      .thenFails(...failure);
    given(deleteProduct, [productCreated(), productDeleted])
      .when(input, { facts })
      .thenFails(...failure);
    given(deleteProduct, [productCreated()])
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
