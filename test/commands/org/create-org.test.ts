import { describe, expect, test } from 'vitest';
import { createOrg } from '../../../commands/org/create-org.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { orgCreated } from '../../spec/events/entity-events.ts';
import { wishesOf } from '../wishes-of.ts';

describe('create an org', () => {
  test('a name is enough: the rest has defaults and the slug comes from the name', () => {
    given(createOrg)
      .when({ name: 'Acme' })
      .then([orgCreated({ createdAt: testNow })]);
  });

  test('one that is made on demand begins hidden', () => {
    given(createOrg)
      .when({ name: 'Acme', isHidden: true })
      .then([orgCreated({ createdAt: testNow }), { type: 'OrgHidden.v1', data: { hiddenAt: testNow } }]);
  });

  test('every field is kept, domains in one spelling, tags and aliases once and in order', () => {
    const fields = {
      name: 'Acme Inc.',
      slug: 'acme-inc',
      description: 'Makes everything.',
      category: 'devops',
      avatarUrl: 'https://acme.example/logo.png',
      featured: true,
      autoGenerateContent: false,
      discovery: 'agent',
    } as const;
    given(createOrg)
      .when({
        ...fields,
        domain: 'https://WWW.Acme.example/about',
        tags: ['zeta', 'Alpha', 'zeta'],
        aliases: ['b.example', 'A.example', 'acme.example', 'a.example'],
      })
      .then([
        orgCreated({
          ...fields,
          domain: 'acme.example',
          tags: ['Alpha', 'zeta'],
          aliases: ['a.example', 'b.example'],
          createdAt: testNow,
        }),
      ]);
  });

  test('the slug is the one that was free', () => {
    given(createOrg)
      .when({ name: 'Acme' }, { names: { slug: 'acme-2' } })
      .then([orgCreated({ slug: 'acme-2', createdAt: testNow })]);
  });

  test('its stream is that of a new org', () => {
    expect(createOrg.stream({ name: 'Acme' }, (prefix) => `${prefix}_new`)).toBe('org-org_new');
  });

  test('it wishes for its slug, its domain and each alias once', () => {
    const input = { name: 'x', slug: 'acme', domain: 'acme.example', aliases: ['acme.example', 'acme.test'] };
    expect(wishesOf(createOrg, [], input)).toEqual({
      slug: 'slug: slug-org:acme',
      domain: 'domain: domain-acme.example',
      'alias:acme.test': 'alias: domain-acme.test',
    });
  });

  test('a generated slug has suffixes to fall back on', () => {
    expect(wishesOf(createOrg, [], { name: 'Acme' })?.slug).toMatch(
      /^slug: slug-org:acme, slug-org:acme-2, .*acme-20$/,
    );
  });

  test('a reserved word is refused when asked for, and passed over when generated', () => {
    given(createOrg).when({ name: 'Acme', slug: 'api' }).thenFails('slug_reserved', { slug: 'api' });
    expect(wishesOf(createOrg, [], { name: 'API' })?.slug).toMatch(/^slug: slug-org:api-2, /);
  });

  test('a name without a letter or digit gives no slug', () => {
    given(createOrg)
      .when({ name: '!!!' })
      .thenFails('validation_failed', { issues: [{ path: 'name', message: expect.any(String) }] });
  });
});
