import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { entitySections, entitySectionsReads } from '../../../queries/search/entity-sections.ts';
import type { CollectionMember } from '../../../src/domain/collection/events.ts';
import { entitySections as answers } from '../../../src/http/answers/search-entities.ts';
import { collectionCreated, collectionDeleted, membersReplaced } from '../../spec/events/collection-events.ts';
import {
  openSampleRegistry,
  orgIdOf,
  productIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeEach(async () => {
  registry = await openSampleRegistry(entitySectionsReads);
});
afterEach(() => registry.close());

const collectionStream = (name: string) => `collection-col_${name.padEnd(21, 'x')}`;
const addCollection = async (name: string, members: readonly CollectionMember[], fields: object = {}) => {
  const events = [collectionCreated({ slug: name, name, ...fields }), membersReplaced(...members)];
  await registry.record(collectionStream(name), events);
};
const org = (name: string): CollectionMember => ({ id: orgIdOf(name), position: null });
const product = (name: string): CollectionMember => ({ id: productIdOf(name), position: null });

/** As it leaves the process: a field that no schema names fails here. */
const search = async (q: string, limit = 20) => {
  await registry.catalogue.refresh();
  return z.strictObject(answers).parse(entitySections(registry, { q, limit }));
};
const slugs = (hits: readonly { readonly slug: string }[]): string[] => hits.map(({ slug }) => slug);
const orgs = async (q: string, limit?: number) => slugs((await search(q, limit)).orgs);
const catalog = async (q: string, limit?: number) => slugs((await search(q, limit)).catalog);
const collections = async (q: string, limit?: number) => slugs((await search(q, limit)).collections);

describe('orgs that a search finds', () => {
  it('are told with these fields', async () => {
    const fields = { domain: 'acme.example', aliases: ['z.example', 'a.example'], category: 'ai' as const };
    await registry.addOrg('acme', { name: 'Acme', avatarUrl: 'https://acme.example/a.png', ...fields });
    expect((await search('ACME')).orgs).toEqual([
      {
        id: orgIdOf('acme'),
        slug: 'acme',
        name: 'Acme',
        domain: 'acme.example',
        avatarUrl: 'https://acme.example/a.png',
        category: 'ai',
        status: 'tracked',
        aliasDomains: ['a.example', 'z.example'],
      },
    ]);
  });

  it('come by tier, and in a tier by name', async () => {
    await registry.addOrg('t4', { name: 'Zero', category: 'cloud' });
    await registry.addOrg('t3', { name: 'Other', domain: 'cloud.example' });
    await registry.addOrg('t2', { name: 'The Cloud' });
    await registry.addOrg('t1b', { name: 'Cloudy Things' });
    await registry.addOrg('t1a', { name: 'cloudberry' });
    await registry.addOrg('cloud', { name: 'Yonder' });
    await registry.addOrg('t0', { name: 'Cloud' });
    await registry.addOrg('none', { name: 'Incloudible', aliases: ['mycloud.example'] });
    expect(await orgs('cloud')).toEqual(['t0', 'cloud', 't1a', 't1b', 't2', 't3', 't4']);
    expect(await orgs('cloud', 3)).toEqual(['t0', 'cloud', 't1a']);
  });

  it('are found by several words, an alias domain, a pasted address, one letter', async () => {
    await registry.addOrg('doors', { name: 'Acme Door Works', domain: 'acme.example', aliases: ['hinge.example'] });
    for (const q of [
      'acme door works',
      'door works',
      'AcmeDoor',
      'hinge',
      'hinge.example',
      'https://www.acme.example',
      'a',
    ]) {
      expect(await orgs(q), q).toEqual(['doors']);
    }
    for (const q of ['works door', 'cme', 'acme hinge']) expect(await orgs(q), q).toEqual([]);
  });

  it('are those that everybody sees, whatever happens to them', async () => {
    await registry.addOrg('acme');
    expect(await orgs('acme')).toEqual(['acme']);
    await registry.org('acme', 'Hidden');
    expect(await orgs('acme')).toEqual([]);
    await registry.org('acme', 'Unhidden');
    await registry.org('acme', { name: 'Zenith', slug: 'zenith' });
    expect([await orgs('acme'), await orgs('zenith')]).toEqual([[], ['zenith']]);
    await registry.org('acme', { avatarUrl: 'https://new.example/a.png' });
    expect((await search('zenith')).orgs[0]?.avatarUrl).toBe('https://new.example/a.png');
    await registry.org('acme', 'Deleted');
    expect(await orgs('zenith')).toEqual([]);
    await registry.org('acme', 'Restored');
    expect(await orgs('zenith')).toEqual(['zenith']);
    await registry.record(`org-${orgIdOf('acme')}`, [
      { type: 'OrgPurged.v1', data: { purgedAt: '2026-01-06T00:00:00.000Z' } },
    ]);
    expect(await orgs('zenith')).toEqual([]);
  });
});

describe('products and sources that a search finds', () => {
  beforeEach(async () => {
    await registry.addOrg('acme', { name: 'Acme', category: 'ai', avatarUrl: 'https://acme.example/a.png' });
    await registry.addProduct('rocket', 'acme', {
      name: 'Rocket',
      category: 'crm',
      kind: 'sdk',
      aliases: ['fly.example'],
    });
    const url = 'https://github.com/acme-inc/rocket-core';
    const fields = { type: 'github' as const, url, productId: productIdOf('rocket') };
    await registry.addSource('code', 'acme', { name: 'Rocket Code', ...fields });
    await registry.addSource('alone', null, { name: 'Alone', url: 'https://alone.example/changes', kind: 'docs' });
  });

  it('are told with these fields', async () => {
    const ofAcme = { orgSlug: 'acme', orgName: 'Acme', orgAvatarUrl: 'https://acme.example/a.png' };
    const none = { orgSlug: null, orgName: null, orgAvatarUrl: null };
    const [id, productId] = [sourceIdOf('code'), productIdOf('rocket')];
    expect((await search('rocket')).catalog).toEqual([
      { entryType: 'product', id: productId, slug: 'rocket', name: 'Rocket', ...ofAcme, category: 'crm', kind: 'sdk' },
      {
        ...{ entryType: 'source', id, slug: 'code', name: 'Rocket Code', ...ofAcme },
        ...{ category: 'crm', kind: null, sourceType: 'github', productSlug: 'rocket' },
      },
    ]);
    expect((await search('alone')).catalog).toEqual([
      {
        ...{ entryType: 'source', id: sourceIdOf('alone'), slug: 'alone', name: 'Alone', ...none },
        ...{ category: null, kind: 'docs', sourceType: 'scrape' },
      },
    ]);
  });

  it('are found by a repository, a part of an address and a domain', async () => {
    for (const q of ['acme-inc/rocket-core', 'github:acme-inc/rocket-core', 'rocket-core', 'core', 'inc', 'github']) {
      expect(await catalog(q), q).toEqual(['code']);
    }
    expect(await catalog('https://github.com/acme-inc/rocket-core')).toEqual(['code']);
    expect(await catalog('fly')).toEqual(['rocket']);
    expect(await catalog('acme')).toEqual(['code']); // not what only belongs to an org of the name
  });

  it('are found by the category that everybody sees', async () => {
    expect([await catalog('crm'), await catalog('ai')]).toEqual([['rocket', 'code'], []]);
    await registry.product('rocket', 'Hidden');
    expect([await catalog('crm'), await catalog('ai')]).toEqual([[], ['code']]);
    await registry.org('acme', { category: 'cloud' });
    expect([await catalog('ai'), await catalog('cloud')]).toEqual([[], ['code']]);
    await registry.product('rocket', 'Unhidden');
    expect([await catalog('crm'), await catalog('cloud')]).toEqual([['rocket', 'code'], []]);
  });

  it('have no product that is hidden, and are gone with their org', async () => {
    await registry.product('rocket', 'Hidden');
    expect((await search('rocket')).catalog).toMatchObject([{ slug: 'code' }]);
    expect((await search('rocket')).catalog[0]).not.toHaveProperty('productSlug');
    await registry.org('acme', 'Hidden');
    expect(await catalog('rocket')).toEqual([]);
    await registry.product('rocket', 'Unhidden');
    expect(await catalog('rocket')).toEqual([]);
    await registry.org('acme', 'Unhidden');
    expect(await catalog('rocket')).toEqual(['rocket', 'code']);
    await registry.source('code', 'Hidden');
    expect(await catalog('rocket')).toEqual(['rocket']);
  });

  it('are told of their org as it is now', async () => {
    expect((await search('rocket')).catalog[0]).toMatchObject({ orgName: 'Acme' });
    await registry.org('acme', { name: 'Zenith' });
    expect((await search('rocket')).catalog[0]).toMatchObject({ orgName: 'Zenith' });
  });
});

describe('collections that a search finds', () => {
  beforeEach(async () => {
    for (const name of ['acme', 'bolt', 'cord', 'dune']) await registry.addOrg(name);
    await registry.addProduct('rocket', 'acme');
    await registry.addSource('engine', 'acme', { productId: productIdOf('rocket'), url: 'https://x.example/1' });
    await registry.addSource('wire', 'cord', { url: 'https://x.example/2' });
  });

  it('are told with these fields, members as in their list', async () => {
    await addCollection('bolts', [org('dune'), org('bolt'), org('cord'), product('rocket')], {
      description: 'Of metal',
    });
    await registry.org('dune', 'Hidden');
    const ofAcme = { slug: 'acme', name: 'acme', domain: null, avatarUrl: null, githubHandle: null };
    const member = (name: string) => ({ kind: 'org', ...ofAcme, slug: name, name, description: null });
    expect((await search('bolt')).collections).toEqual([
      {
        slug: 'bolts',
        name: 'bolts',
        description: 'Of metal',
        memberCount: 3,
        via: 'direct',
        matchedOrgSlugs: ['bolt'],
        previewMembers: [
          member('bolt'),
          member('cord'),
          { kind: 'product', slug: 'rocket', name: 'rocket', description: null, org: ofAcme },
        ],
      },
    ]);
    await registry.org('dune', 'Unhidden');
    expect((await search('bolts')).collections).toMatchObject([{ memberCount: 4, previewMembers: { length: 3 } }]);
  });

  it('come by tier where they are called so, and after them those with a member that is, by its tier', async () => {
    await addCollection('tools', [org('acme')], { name: 'Good rocket tools' });
    await addCollection('rockets', [], { name: 'Rockets' });
    await addCollection('first', [product('rocket')], { name: 'Z by the product' });
    await registry.addSource('mail', 'dune', { name: 'All about rocket mail' });
    await addCollection('second', [org('dune')], { name: 'A by a source' });
    const found = (await search('rocket')).collections;
    expect(found.map(({ slug, via, matchedOrgSlugs }) => [slug, via, ...matchedOrgSlugs])).toEqual([
      ['rockets', 'direct'],
      ['tools', 'direct', 'acme'],
      ['first', 'member', 'acme'],
      ['second', 'member', 'dune'],
    ]);
    expect(await collections('rocket', 3)).toEqual(['rockets', 'tools', 'first']);
    expect(await collections('rocket', 1)).toEqual(['rockets']);
  });

  it('are reached by an org, a product, and what belongs to either', async () => {
    await addCollection('orgs', [org('acme'), org('cord')]);
    await addCollection('products', [product('rocket')]);
    expect(await collections('acme')).toEqual(['orgs']); // a product is no member of that name
    expect(await collections('rocket')).toEqual(['orgs', 'products']);
    expect(await collections('engine')).toEqual(['orgs', 'products']);
    expect(await collections('wire')).toEqual(['orgs']);
    expect((await search('wire')).collections[0]?.matchedOrgSlugs).toEqual(['cord']);
    await registry.product('rocket', 'Hidden');
    expect(await collections('engine')).toEqual(['orgs']);
    await registry.org('acme', 'Hidden');
    expect(await collections('engine')).toEqual([]);
  });

  it('reach as far on a short page as on a long one', async () => {
    await addCollection('late', [org('dune')]);
    for (const number of [1, 2, 3]) await registry.addOrg(`dun${number}`, { name: `Dun ${number}` });
    expect(await orgs('dun', 1)).toEqual(['dun1']);
    expect(await collections('dun', 1)).toEqual(['late']);
  });

  it('follow their names, and go', async () => {
    await addCollection('tools', []);
    expect(await collections('tools')).toEqual(['tools']);
    await registry.record(collectionStream('tools'), [
      { type: 'CollectionChanged.v1', data: { changed: { name: 'Gear', slug: 'gear' } } },
    ]);
    expect([await collections('tools'), await collections('gear')]).toEqual([[], ['gear']]);
    await registry.record(collectionStream('tools'), [collectionDeleted]);
    expect(await collections('gear')).toEqual([]);
  });
});

describe('a query', () => {
  it('that names nothing finds nothing', async () => {
    await registry.addOrg('acme', { name: '!!!' });
    for (const q of ['?!.,;:'.repeat(66), '🚀', '"((\'[{', ' \t ']) {
      expect(await search(q), q).toEqual({ orgs: [], catalog: [], collections: [] });
    }
  });

  it.each([
    ['operators of a query language', "acme' OR 1=1 --", []],
    ['a wildcard', 'acme*', ['acme']],
    ['quotes', '"acme"', ['acme']],
    ['a bracket that is not closed', 'acme^2 AND (', []],
    ['400 letters', 'x'.repeat(400), []],
    ['letters from right to left', 'שלום', ['rtl']],
  ])('of %s is taken as text', async (_, q, found) => {
    await registry.addOrg('acme', { name: 'Acme' });
    await registry.addOrg('rtl', { name: 'שלום עולם' });
    expect(await orgs(q)).toEqual(found);
  });
});
