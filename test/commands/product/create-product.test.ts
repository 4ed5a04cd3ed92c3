import { describe, expect, test } from 'vitest';
import { createProduct } from '../../../commands/product/create-product.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { acme, deletedOrg, hiddenOrg, liveOrg, orgAfter, productCreated } from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const facts = { org: liveOrg };

describe('create a product', () => {
  test('org and name are enough', () => {
    given(createProduct)
      .when({ orgId: acme, name: 'Widget' }, { facts })
      .then([productCreated({ createdAt: testNow })]);
  });

  test('every field is kept', () => {
    const fields = {
      name: 'Big Widget',
      slug: 'big',
      url: 'http://widget.example',
      description: '',
      category: 'ai',
      kind: 'sdk',
      avatarUrl: 'https://widget.example/a.png',
      tags: ['a', 'b'],
      aliases: ['widget.example'],
    } as const;
    given(createProduct)
      .when({ orgId: acme, ...fields, tags: ['b', 'a', 'b'], aliases: ['Widget.example'] }, { facts })
      .then([productCreated({ ...fields, createdAt: testNow })]);
  });

  test('its stream is that of a new product and its slug is reserved within the org', () => {
    expect(createProduct.stream({ orgId: acme, name: 'x' }, (prefix) => `${prefix}_new`)).toBe('product-prod_new');
    expect(wishesOf(createProduct, [], { orgId: acme, name: 'x', slug: 'widget' }, facts)).toEqual({
      slug: `slug: slug-product/${acme}:widget`,
    });
  });

  test('a reserved word is refused when asked for, and passed over when generated', () => {
    given(createProduct).when({ orgId: acme, name: 'x', slug: 'releases' }, { facts }).thenFails('slug_reserved');
    expect(wishesOf(createProduct, [], { orgId: acme, name: 'Releases' }, facts)?.slug).toContain(
      `slug: slug-product/${acme}:releases-2,`,
    );
  });

  test('a writer may add to a hidden org', () => {
    given(createProduct)
      .when({ orgId: acme, name: 'x' }, { facts: { org: hiddenOrg } })
      .thenTypes('ProductCreated.v1');
  });

  test.each([
    ['absent', orgAfter()],
    ['deleted', deletedOrg],
  ])('an org that is %s is not found, before anything is said about the slug', (_, org) => {
    given(createProduct)
      .when({ orgId: acme, name: 'x', slug: 'releases' }, { facts: { org } })
      .thenFails('not_found', { entity: 'org' });
  });
});
