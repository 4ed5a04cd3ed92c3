import { describe, expect, test } from 'vitest';
import { createSource } from '../../../commands/source/create-source.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  acme,
  deletedOrg,
  hiddenOrg,
  liveOrg,
  other,
  productAfter,
  productCreated,
  productDeleted,
  sourceCreated,
  widget,
} from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

const minimal = { name: 'Blog', url: 'https://acme.example/blog' };
const facts = { org: liveOrg, product: productAfter(productCreated()) };

describe('create a source', () => {
  test('name and address are enough: it stands alone', () => {
    given(createSource)
      .when(minimal)
      .then([sourceCreated({ orgId: null, createdAt: testNow })]);
  });

  test('every field is kept', () => {
    const fields = {
      name: 'Blog',
      slug: 'news',
      url: 'https://acme.example/blog',
      type: 'agent',
      orgId: acme,
      productId: widget,
      kind: 'docs',
      isPrimary: true,
      discovery: 'on_demand',
      fetchPriority: 'low',
      metadata: { feedUrl: 'https://acme.example/feed', nested: { deep: [1, null] } },
    } as const;
    given(createSource)
      .when(
        {
          ...fields,
          metadata: { ...fields.metadata, changelogUrl: null },
          packages: [
            { ecosystem: 'pypi', name: 'Acme_Kit.Core' },
            { ecosystem: 'npm', name: '@Acme/Kit' },
            { ecosystem: 'pypi', name: 'acme-kit-core' },
          ],
        },
        { facts },
      )
      .then([
        sourceCreated({
          ...fields,
          packages: [
            { ecosystem: 'npm', name: '@acme/kit' },
            { ecosystem: 'pypi', name: 'acme-kit-core' },
          ],
          createdAt: testNow,
        }),
      ]);
  });

  test('the type is detected when it is not given', () => {
    const [event] = given(createSource)
      .when({ ...minimal, url: 'https://github.com/acme/kit' })
      .events();
    expect(event).toMatchObject({ data: { type: 'github' } });
  });

  test('it may be created hidden, in the same append', () => {
    given(createSource)
      .when({ ...minimal, isHidden: true })
      .then([
        sourceCreated({ orgId: null, createdAt: testNow }),
        { type: 'SourceHidden.v1', data: { hiddenAt: testNow } },
      ]);
    given(createSource)
      .when({ ...minimal, isHidden: false })
      .thenTypes('SourceCreated.v1');
  });

  test('it wishes for its slug, within its org or among those that stand alone, and for its packages', () => {
    const packages = [{ ecosystem: 'npm', name: 'Kit' }];
    expect(createSource.stream(createSource.input.parse(minimal), (prefix) => `${prefix}_new`)).toBe('source-src_new');
    expect(wishesOf(createSource, [], { ...minimal, slug: 'news', packages })).toEqual({
      slug: 'slug: slug-source:news',
      'package:npm:kit': 'package: package-npm:kit',
    });
    expect(wishesOf(createSource, [], { ...minimal, slug: 'news', orgId: acme }, facts)).toEqual({
      slug: `slug: slug-source/${acme}:news`,
    });
  });

  test('a reserved slug is refused', () => {
    given(createSource)
      .when({ ...minimal, slug: 'feed' })
      .thenFails('slug_reserved', { slug: 'feed' });
  });

  test('an org that is absent or deleted is not found; a hidden one is', () => {
    const input = { ...minimal, orgId: acme };
    given(createSource).when(input, { facts: {} }).thenFails('not_found', { entity: 'org' });
    given(createSource)
      .when(input, { facts: { org: deletedOrg } })
      .thenFails('not_found', { entity: 'org' });
    given(createSource)
      .when(input, { facts: { org: hiddenOrg } })
      .thenTypes('SourceCreated.v1');
  });

  test('a product that is absent or deleted is not found', () => {
    const input = { ...minimal, orgId: acme, productId: widget };
    for (const product of [productAfter(), productAfter(productCreated(), productDeleted)]) {
      given(createSource)
        .when(input, { facts: { org: liveOrg, product } })
        .thenFails('not_found', { entity: 'product' });
    }
  });

  test('a product of another org, or without an org, contradicts the org', () => {
    const issues = [{ path: 'productId', message: expect.any(String) }];
    const product = productAfter(productCreated({ orgId: other }));
    given(createSource)
      .when({ ...minimal, orgId: acme, productId: widget }, { facts: { org: liveOrg, product } })
      .thenFails('validation_failed', { issues });
    given(createSource)
      .when({ ...minimal, productId: widget }, { facts: { product } })
      .thenFails('validation_failed', { issues });
  });
});
