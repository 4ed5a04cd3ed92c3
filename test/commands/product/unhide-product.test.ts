import { describe, test } from 'vitest';
import { unhideProduct } from '../../../commands/product/unhide-product.ts';
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

describe('unhide a product', () => {
  test('a hidden one is shown', () => {
    given(unhideProduct, [productCreated(), productHidden])
      .when(input, { facts })
      .then([{ type: 'ProductUnhidden.v1', data: { unhiddenAt: testNow } }]);
  });

  test('a visible one stays so', () => {
    given(unhideProduct, [productCreated()]).when(input, { facts }).thenNothing();
  });

  test('it is not found when absent, deleted, or when its org is deleted', () => {
    const failure = ['not_found', { entity: 'product' }] as const;
    given(unhideProduct)
      .when(input)
      .thenFails(...failure);
    given(unhideProduct, [productCreated(), productDeleted])
      .when(input, { facts })
      .thenFails(...failure);
    given(unhideProduct, [productCreated(), productHidden])
      .when(input, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });
});
