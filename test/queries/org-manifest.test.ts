import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgManifest } from '../../queries/orgs/org-manifest.ts';
import { httpsUriOf, uriOf } from '../../queries/shape/manifest-text.ts';
import { manifestFaults } from '../spec/manifest-validator.ts';
import { openSampleRegistry, orgIdOf, productIdOf, type SampleRegistry } from '../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());

const manifestOf = async (org: string, admin = false) => {
  await registry.catalogue.refresh();
  const deps = { catalogue: registry.catalogue, webBaseUrl: 'https://registry.example' };
  const manifest = orgManifest(deps, { org, registryName: 'mine' }, { admin });
  expect(manifestFaults(manifest)).toEqual([]);
  return manifest;
};
const titlesIn = (releases: readonly { readonly title?: string | undefined }[] | undefined) =>
  releases?.map(({ title }) => title);

describe('a manifest', () => {
  it('of an org about which nothing is known has what it is, and no empty part', async () => {
    await registry.addOrg('bare', { name: 'Bare' });
    expect(await manifestOf('bare')).toEqual({
      $schema: 'https://registry.example/schemas/manifest-2.json',
      version: 2,
      registries: { mine: { org: orgIdOf('bare') } },
      name: 'Bare',
    });
  });

  it('tells everything that is known of an org', async () => {
    const { addOrg, addProduct, addSource, record } = registry;
    await addOrg('full', {
      name: 'Full',
      description: 'All of it',
      category: 'ai',
      avatarUrl: 'https://full.example/a.png',
      tags: ['cli', 'web'],
    });
    const linkedAt = '2026-01-05T00:00:00.000Z';
    const linked = (platform: string, handle: string) => ({
      type: 'OrgAccountLinked.v1',
      data: { platform, handle, linkedAt },
    });
    await record(`org-${orgIdOf('full')}`, [linked('x', 'first'), linked('github', 'full'), linked('x', 'second')]);
    await addProduct('rocket', 'full', {
      name: 'Rocket',
      url: 'http://rocket.example/über',
      description: 'Flies',
      category: 'devops',
      kind: 'tool',
      tags: ['fast'],
    });
    await addSource('code', 'full', {
      name: 'Code',
      type: 'github',
      url: 'https://github.com/Full/Rocket.git',
      productId: productIdOf('rocket'),
      isPrimary: true,
    });
    await addSource('news', 'full', { name: 'News', type: 'scrape', url: 'https://full.example/news' });
    expect(await manifestOf('full')).toEqual({
      $schema: 'https://registry.example/schemas/manifest-2.json',
      version: 2,
      registries: { mine: { org: orgIdOf('full'), product: productIdOf('rocket').replace('prod_', 'prd_') } },
      name: 'Full',
      description: 'All of it',
      category: 'ai',
      avatar: 'https://full.example/a.png',
      tags: ['cli', 'web'],
      social: { x: 'first', github: 'full' },
      releases: [{ url: 'https://full.example/news', title: 'News' }],
      products: [
        {
          name: 'Rocket',
          slug: 'rocket',
          kind: 'tool',
          category: 'devops',
          description: 'Flies',
          website: 'http://rocket.example/%C3%BCber',
          tags: ['fast'],
          releases: [{ github: 'Full/Rocket', title: 'Code', canonical: true }],
        },
      ],
    });
  });

  it('locates a source as it is fetched', async () => {
    const { addOrg, addSource } = registry;
    await addOrg('located');
    const sources: readonly (readonly [string, object, object])[] = [
      ['a1', { type: 'github', url: 'https://github.com/a/b' }, { github: 'a/b' }],
      ['a2', { type: 'github', url: 'https://example.com/a' }, { url: 'https://example.com/a' }],
      ['a3', { type: 'feed', metadata: { githubUrl: 'https://github.com/c/d' } }, { github: 'c/d' }],
      ['a4', { type: 'appstore', url: 'https://apps.example/1' }, { appstore: 'https://apps.example/1' }],
      [
        'a5',
        { type: 'appstore', url: 'https://apps.example/2', metadata: { feedUrl: 'https://x.example/f' } },
        { appstore: 'https://apps.example/2' },
      ],
      ['a6', { type: 'feed', url: 'https://example.com/feed' }, { feed: 'https://example.com/feed' }],
      ['a7', { type: 'scrape', metadata: { feedUrl: 'https://example.com/f' } }, { feed: 'https://example.com/f' }],
      ['a8', { type: 'agent', url: 'https://example.com/x' }, { url: 'https://example.com/x' }],
    ];
    for (const [name, fields] of sources) await addSource(name, 'located', { name, ...fields });
    const { releases } = await manifestOf('located');
    expect(releases).toEqual(sources.map(([title, , locator]) => ({ ...locator, title })));
  });

  it('drops what is not https or no address at all', async () => {
    const { addOrg, addSource } = registry;
    await addOrg('dropped', { avatarUrl: 'https://dropped.example/a|b.png' });
    await addSource('d1', 'dropped', { name: 'D1', type: 'scrape', url: 'http://example.com/a' });
    await addSource('d2', 'dropped', { name: 'D2', type: 'feed', metadata: { feedUrl: 'no address' } });
    await addSource('d3', 'dropped', { name: 'D3', type: 'scrape', url: 'https://example.com/a"b' });
    await addSource('d4', 'dropped', { name: 'D4', type: 'scrape', url: 'https://example.com/?q=a|b' });
    const manifest = await manifestOf('dropped');
    expect(manifest).not.toHaveProperty('avatar');
    expect(manifest.releases).toEqual([{ url: 'https://example.com/a%22b', title: 'D3' }]);
  });

  it('leaves out what is hidden or deleted', async () => {
    const { addOrg, addProduct, addSource, product, source, org } = registry;
    await addOrg('partly');
    for (const name of ['seen', 'hiddenproduct', 'gone']) await addProduct(name, 'partly');
    await product('hiddenproduct', 'Hidden');
    await product('gone', 'Deleted');
    await addSource('p1', 'partly', { productId: productIdOf('hiddenproduct'), isPrimary: true });
    await addSource('p2', 'partly', { isPrimary: true });
    await addSource('p3', 'partly', {});
    await source('p3', 'Hidden');
    await addSource('p4', 'partly', {});
    await source('p4', 'Deleted');
    const manifest = await manifestOf('partly');
    expect(manifest.registries).toEqual({
      mine: { org: orgIdOf('partly'), product: productIdOf('seen').replace('prod_', 'prd_') },
    });
    expect(manifest.products?.map(({ name }) => name)).toEqual(['seen']);
    // Both are primary, each of its group; of an array there is one.
    expect(manifest.releases?.map(({ title, canonical }) => [title, canonical])).toEqual([
      ['p1', true],
      ['p2', undefined],
    ]);
    await org('partly', 'Hidden');
    await expect(manifestOf('partly')).rejects.toMatchObject({ code: 'not_found' });
    expect((await manifestOf('partly', true)).products?.map(({ name }) => name)).toEqual(['seen']);
  });

  it('has the canonical locator first, then the others by name and id, and cuts the rest', async () => {
    const { addOrg, addProduct, addSource } = registry;
    await addOrg('many', { tags: Array.from({ length: 51 }, (_, index) => `tag ${index}`) });
    await addProduct('manyproduct', 'many');
    const number = (index: number) => String(index).padStart(2, '0');
    for (let index = 0; index < 34; index += 1) {
      await addSource(`top${number(index)}`, 'many', { name: `Top ${number(index)}`, isPrimary: index === 33 });
    }
    await addSource('lower', 'many', { name: 'top 00' });
    const productId = productIdOf('manyproduct');
    for (let index = 0; index < 10; index += 1)
      await addSource(`low${index}`, 'many', { name: `Low ${index}`, productId });
    for (let index = 0; index < 25; index += 1) await addProduct(`product${number(index)}`, 'many');
    const { releases, products, tags, registries } = await manifestOf('many');
    expect(titlesIn(releases)?.slice(0, 4)).toEqual(['Top 33', 'top 00', 'Top 00', 'Top 01']);
    expect([releases?.length, tags?.length, products?.length]).toEqual([32, 50, 24]);
    expect(releases?.filter(({ canonical }) => canonical)).toHaveLength(1);
    expect(products?.map(({ name }) => name).slice(0, 2)).toEqual(['manyproduct', 'product00']);
    expect(titlesIn(products?.[0]?.releases)).toEqual(Array.from({ length: 8 }, (_, index) => `Low ${index}`));
    expect(registries).toEqual({ mine: { org: orgIdOf('many') } });
  });

  it('cuts texts to what a manifest takes, by characters', async () => {
    const { addOrg, addSource, addProduct, record } = registry;
    const long = '🚀'.repeat(3_000);
    await addOrg('long', { name: long, description: long, tags: [long] });
    const data = { platform: long, handle: long, linkedAt: '2026-01-05T00:00:00.000Z' };
    await record(`org-${orgIdOf('long')}`, [{ type: 'OrgAccountLinked.v1', data }]);
    await addSource('long', 'long', { name: long });
    await addProduct('long', 'long', { name: long, description: long, url: 'https://long.example' });
    const manifest = await manifestOf('long');
    const chars = (text: string | undefined) => [...(text ?? '')].length;
    expect([chars(manifest.name), chars(manifest.description), chars(manifest.tags?.[0])]).toEqual([120, 2_000, 60]);
    expect(Object.entries(manifest.social ?? {}).map(([key, value]) => [chars(key), chars(value)])).toEqual([
      [40, 200],
    ]);
    expect(chars(manifest.releases?.[0]?.title)).toBe(200);
    expect([chars(manifest.products?.[0]?.name), chars(manifest.products?.[0]?.description)]).toEqual([120, 2_000]);
  });
});

describe('addresses', () => {
  it.each([
    ['https://a.example/x?y=1#z', 'https://a.example/x?y=1#z'],
    ['HTTPS://a.example', 'https://a.example'],
    ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
    ['https://[::1]:8080/', 'https://[::1]:8080/'],
    ['https://a.example/[x]', undefined],
    ['https://a.example/%zz', undefined],
    ['http://a.example', undefined],
    ['ftp://a.example', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s is shown as %s', (address, shown) => {
    expect(httpsUriOf(address)).toBe(shown);
  });

  it('need not be https for a website', () => {
    expect(uriOf('http://a.example/x')).toBe('http://a.example/x');
  });
});
