import { describe, expect, test } from 'vitest';
import { purgeProduct } from '../../../commands/product/purge-product.ts';
import { restoreProduct } from '../../../commands/product/restore-product.ts';
import { product } from '../../../src/domain/product/state.ts';
import {
  acme,
  deletedOrg,
  firstExpired,
  hiddenOrg,
  lastRestorable,
  liveOrg,
  productCreated,
  productDeleted,
  productPurged,
  purgedOrg,
  widget,
} from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';
import { wishesOf } from '../wishes-of.ts';

const asked = { productId: widget, isAsked: true };
const due = { productId: widget, isAsked: false };
const facts = { org: liveOrg };

describe('purge a product', () => {
  test('that somebody asks for: one event that names its org, and no name kept', () => {
    given(purgeProduct, [productCreated()])
      .when(asked, { facts })
      .then([{ type: 'ProductPurged.v1', data: { orgId: acme, purgedAt: testNow } }]);
    given(purgeProduct, [productCreated()])
      .when(asked, { facts: { org: hiddenOrg } })
      .thenTypes('ProductPurged.v1');
    expect(wishesOf(purgeProduct, [productCreated()], asked, facts)).toEqual({});
  });

  test('an absent, deleted or purged one is not found, nor one of a deleted org', () => {
    const failure = ['not_found', { entity: 'product' }] as const;
    for (const past of [[], [productCreated(), productDeleted], [productCreated(), productPurged]]) {
      given(purgeProduct, past)
        .when(asked, { facts })
        .thenFails(...failure);
    }
    given(purgeProduct, [productCreated()])
      .when(asked, { facts: { org: deletedOrg } })
      .thenFails(...failure);
  });

  test('nobody asks for: when it cannot be restored any more, or its org is purged', () => {
    const deleted = [productCreated(), productDeleted];
    given(purgeProduct, deleted).when(due, { facts, now: lastRestorable }).then([]);
    given(purgeProduct, deleted).when(due, { facts, now: firstExpired }).thenTypes('ProductPurged.v1');
    given(purgeProduct, [productCreated()])
      .when(due, { facts: { org: purgedOrg } })
      .thenTypes('ProductPurged.v1');
    for (const org of [liveOrg, deletedOrg]) {
      given(purgeProduct, [productCreated()]).when(due, { facts: { org }, now: firstExpired }).then([]);
    }
    given(purgeProduct, [...deleted, productPurged])
      .when(due, { facts, now: firstExpired })
      .then([]);
    given(purgeProduct).when(due, { now: firstExpired }).then([]);
  });

  test('is for good: it cannot be restored, and its state says nothing of it', () => {
    const past = [productCreated({ name: 'Secret' }), productPurged];
    given(restoreProduct, past).when({ productId: widget }, { facts }).thenFails('not_found', { entity: 'product' });
    expect(stateAfter(product, past)).toEqual(stateAfter(product, [productPurged]));
    expect(JSON.stringify(stateAfter(product, past))).not.toContain('Secret');
  });
});
