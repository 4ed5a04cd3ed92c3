import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { parseAtom } from '../spec/forms/parse-atom.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';

let service: HttpService;
let number = 0;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

interface Stage {
  readonly org: string;
  readonly product: string;
  /** Of the product, with the older entry. */
  readonly quiet: string;
  /** With the newest entry. */
  readonly busy: string;
  readonly collection: string;
  readonly older: string;
  readonly newest: string;
}

const addReleases = async (sourceId: string, titles: readonly string[]): Promise<string[]> => {
  const releases = titles.map((title) => ({ title }));
  const { body } = await service.post(`/v1/sources/${sourceId}/releases/batch`, { releases });
  return body.items.map(({ id }: { id: string }) => id);
};

const addSource = async (slug: string, orgId: string, productId: string | null): Promise<string> => {
  const fields = { name: slug, slug, url: `https://${slug}.example`, orgId, ...(productId && { productId }) };
  return (await service.create('/v1/sources', fields)).id;
};

/** An org, whose slug is given, with an older entry in one of its sources and the newest in the other. */
const setUp = async (slug: string, members: readonly ('org' | 'product')[] = ['org']): Promise<Stage> => {
  const org = (await service.create('/v1/orgs', { name: slug, slug, category: 'cloud' })).id;
  const product = (await service.create('/v1/products', { name: 'Engine', slug: 'engine', orgId: org })).id;
  const quiet = await addSource(`${slug}-quiet`, org, product);
  const busy = await addSource(`${slug}-busy`, org, product);
  const collection = (await service.create('/v1/collections', { name: `${slug} shelf`, slug: `${slug}-shelf` })).id;
  const listed = members.map((member) => (member === 'org' ? { orgId: org } : { productId: product }));
  await service.call('PUT', `/v1/collections/${collection}/members`, { body: { members: listed } });
  const [older = ''] = await addReleases(quiet, ['Older']);
  const [newest = ''] = await addReleases(busy, ['Newest']);
  return { org, product, quiet, busy, collection, older, newest };
};

const look = (path: string, modified?: string) =>
  service.get(path, { redirect: 'manual', headers: modified === undefined ? {} : { 'if-modified-since': modified } });

const aMomentAfter = (path: string, updated: string) =>
  eventually(`a moment after ${path} was changed`, () => Date.now() > Date.parse(updated));

type Withdrawal = (stage: Stage) => Promise<unknown>;

const withdrawals: Readonly<Record<string, Withdrawal>> = {
  'an older entry was suppressed': ({ older }) => service.post(`/v1/releases/${older}/suppress`, {}),
  'an older entry covers another': ({ older, newest }) =>
    service.post(`/v1/releases/${newest}/coverage`, { coverageIds: [older] }),
  'an older entry was erased': ({ older }) => service.remove(`/v1/releases/${older}`),
  'an older entry became a prerelease': ({ older }) => service.patch(`/v1/releases/${older}`, { prerelease: true }),
  'the source of an older entry was hidden': ({ quiet }) => service.patch(`/v1/sources/${quiet}`, { isHidden: true }),
  'the source of an older entry was deleted': ({ quiet }) => service.remove(`/v1/sources/${quiet}`),
  'the source of an older entry is gone for good': ({ quiet }) => service.remove(`/v1/sources/${quiet}?hard=true`),
  'the source of an older entry has another name': ({ quiet }) =>
    service.patch(`/v1/sources/${quiet}`, { name: 'Anew' }),
  'the org has another name': ({ org }) => service.patch(`/v1/orgs/${org}`, { name: 'Anew' }),
};

/** Each feed that has both entries, with its date; and the withdrawal, then what is sent for that date. */
const sentAgain = async (stage: Stage, path: string, withdraw: Withdrawal) => {
  const before = await look(path);
  const feed = parseAtom(before.text);
  expect(
    feed.entries.slice(0, 2).map(({ title }) => title),
    path,
  ).toEqual(['Newest', 'Older']);
  const modified = before.headers.get('last-modified') as string;
  const unchanged = (await look(path, modified)).status;
  await aMomentAfter(path, feed.updated);
  await withdraw(stage);
  const after = await look(path, modified);
  return { unchanged, status: after.status, isOther: after.text !== before.text, after, modified };
};

describe('a reader who knows only the date of a feed', () => {
  it.each(Object.entries(withdrawals))('gets it again when %s', async (_, withdraw) => {
    number += 1;
    const slug = `dated-${number}`;
    const stage = await setUp(slug);
    const { after, modified, ...found } = await sentAgain(stage, `/${slug}.atom`, withdraw);
    expect(found).toEqual({ unchanged: 304, status: 200, isOther: true });
    expect(after.headers.get('last-modified')).toBe(modified);
  });

  it('has proof of a feed again when a newer entry came', async () => {
    const stage = await setUp('renewed');
    const { modified } = await sentAgain(stage, '/renewed.atom', ({ older }) =>
      service.post(`/v1/releases/${older}/suppress`, {}),
    );
    await eventually('a second later', () => Date.now() >= Date.parse(modified) + 1_000);
    await addReleases(stage.busy, ['Newer still']);
    const renewed = (await look('/renewed.atom')).headers.get('last-modified') as string;
    expect((await look('/renewed.atom', renewed)).status).toBe(304);
  });

  it('gets each feed again that had the entry, and none that had not', async () => {
    const stage = await setUp('everywhere', ['product']);
    const paths = ['/everywhere.atom', '/everywhere/engine.atom', '/collections/everywhere-shelf.atom'];
    const dates = new Map<string, string>();
    for (const path of [...paths, '/categories/cloud.atom', '/everywhere/everywhere-busy.atom']) {
      const { headers, text } = await look(path);
      dates.set(path, headers.get('last-modified') as string);
      await aMomentAfter(path, parseAtom(text).updated);
    }
    const statuses = async () => {
      const found: number[] = [];
      for (const [path, modified] of dates) found.push((await look(path, modified)).status);
      return found;
    };
    await service.post(`/v1/releases/${stage.older}/suppress`, {});
    expect(await statuses()).toEqual([200, 200, 200, 200, 304]);
    await service.patch(`/v1/orgs/${stage.org}`, { name: 'Anew' });
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  });

  it('gets the feed of a product again that a source left', async () => {
    const stage = await setUp('left');
    const { unchanged, status, isOther } = await sentAgain(stage, '/left/engine.atom', ({ quiet }) =>
      service.patch(`/v1/sources/${quiet}`, { productId: null }),
    );
    expect({ unchanged, status, isOther }).toEqual({ unchanged: 304, status: 200, isOther: true });
  });

  it.each<[string, Withdrawal]>([
    ['has another name', ({ collection }) => service.patch(`/v1/collections/${collection}`, { name: 'Rack' })],
    [
      'was made anew',
      async ({ collection, product }) => {
        const slug = (await service.get(`/v1/collections/${collection}`)).body.slug;
        await service.remove(`/v1/collections/${collection}`);
        await service.create('/v1/collections', { name: 'Rack', slug });
        const body = { members: [{ productId: product }] };
        await service.call('PUT', `/v1/collections/${slug}/members`, { body });
      },
    ],
    ['lost a member for good', ({ product }) => service.remove(`/v1/products/${product}?hard=true`)],
  ])('gets a collection again that %s', async (_, withdraw) => {
    number += 1;
    const slug = `shelf-${number}`;
    const path = `/collections/${slug}-shelf.atom`;
    const { unchanged, status, isOther } = await sentAgain(await setUp(slug, ['product']), path, withdraw);
    expect({ unchanged, status, isOther }).toEqual({ unchanged: 304, status: 200, isOther: true });
  });

  it('gets the feed of a source at the address that was a product’s', async () => {
    const stage = await setUp('shadow');
    const source = await addSource('engine', stage.org, stage.product);
    await addReleases(source, ['Of both']);
    await service.remove(`/v1/sources/${stage.quiet}`);
    const before = await look('/shadow/engine.atom');
    const { id, updated } = parseAtom(before.text);
    expect(id).toContain(stage.product);
    const modified = before.headers.get('last-modified') as string;
    await aMomentAfter('it', updated);
    await service.remove(`/v1/products/${stage.product}?hard=true`);
    const after = await look('/shadow/engine.atom', modified);
    expect([after.status, after.headers.get('last-modified')]).toEqual([200, modified]);
    expect(parseAtom(after.text).id).toContain(source);
  });
});
