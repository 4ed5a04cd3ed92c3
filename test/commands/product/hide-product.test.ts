import { describe, test } from 'vitest';
import { hideProduct } from '../../../commands/product/hide-product.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  widget,
  deletedOrg,
  liveOrg,
  productCreated,
  productDeleted,
  productHidden,
} from '../../spec/events/entity-events.ts';

const input = { productId: widget };
const facts = { org: liveOrg };

describe('hide a product', () => {
  test('a visible one is hidden', () => {
    given(hideProduct, [productCreated()])
      .when(input, { facts })
      .then([{ type: 'ProductHidden.v1', data: { hiddenAt: testNow } }]);
  });

  test('a hidden one stays so', () => {
    given(hideProduct, [productCreated(), productHidden]).when(input, { facts }).thenNothing();
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'product' }] as const;
    given(hideProduct)
      .when(input)
      .thenFails(...failure);
    given(hideProduct, [productCreated(), productDeleted])
      .when(input, { facts })
      .thenFails(...failure);
    given(hideProduct, [productCreated()])
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
