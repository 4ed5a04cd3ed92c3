import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/kernel/paging/cursor.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
  await service.post('/v1/orgs', { name: 'Domains', slug: 'domains', domain: 'münchen.de', aliases: ['www.ambx.com'] });
});
afterAll(() => service.close());

describe('reading', () => {
  it.each(['m%C3%BCnchen.de', 'MÜNCHEN.de', 'xn--mnchen-3ya.de', 'ambx.com', 'www.ambx.com', 'ambx.com.'])(
    'finds an org by a domain however it is written: %s',
    async (domain) => {
      expect((await service.get(`/v1/orgs/${domain}`)).body.slug).toBe('domains');
    },
  );

  it.each(['q=%ED%A0%80', 'q=%ff', 'q=%zz', '%ff=1'])('refuses a query that is not UTF-8: %s', async (query) => {
    const { status, body } = await service.get(`/v1/orgs?${query}`);
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_parameter');
  });

  it('counts characters, not code units', async () => {
    expect((await service.get(`/v1/orgs?q=${encodeURIComponent('😀'.repeat(200))}`)).status).toBe(200);
    expect((await service.get(`/v1/orgs?q=${encodeURIComponent('😀'.repeat(201))}`)).status).toBe(400);
  });

  it('answers not_found to a name of any length that names nothing', async () => {
    for (const name of ['source', 'org']) {
      const { status, body } = await service.get(`/v1/releases/latest?${name}=${'a'.repeat(9_000)}`);
      expect(status).toBe(404);
      expect(body.error.details.entity).toBe(name);
    }
  });

  it('allows the methods of the path itself, not of a pattern that it also fits', async () => {
    const { status, headers } = await service.post('/v1/releases/latest', {});
    expect(status).toBe(404);
    expect(headers.get('allow')).toBe('GET, HEAD');
  });

  it('calls an absent body no JSON', async () => {
    expect((await service.call('POST', '/v1/orgs')).body.error.code).toBe('invalid_json');
  });

  it('refuses what is no cursor of any feed before it looks for anything', async () => {
    const codeOf = async (cursor: string) =>
      (await service.get(`/v1/orgs/nobody/releases?cursor=${cursor}`)).body.error.code;
    expect(await codeOf('nonsense')).toBe('invalid_cursor');
    // A feed without numbered pages ignores what would number them.
    expect(await codeOf('nonsense&page=1')).toBe('invalid_cursor');
    expect(await codeOf('nonsense&pageSize=1')).toBe('invalid_cursor');
    expect(await codeOf(encodeCursor({ feed: 'another', entity: null, filters: {}, position: [1] }))).toBe('not_found');
  });

  it('refuses a cursor whose place is in no feed', async () => {
    const forge = (text: string, place: unknown) => {
      const held = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
      const forged = JSON.stringify(held, (_, value: unknown) =>
        Array.isArray(value) && value.length === 3 && value.every((part) => part === null || typeof part !== 'object')
          ? place
          : value,
      );
      return Buffer.from(forged).toString('base64url');
    };
    const { body: source } = await service.post('/v1/sources', {
      name: 'S',
      url: 'https://x.example',
      orgSlug: 'domains',
    });
    const releases = [{ title: 'A' }, { title: 'B' }];
    await service.post(`/v1/sources/${source.id}/releases/batch`, { releases });
    const { body } = await service.get('/v1/orgs/domains/releases?limit=1');
    const cursor = body.pagination.nextCursor as string;
    const ask = (text: string) => service.get(`/v1/orgs/domains/releases?limit=1&cursor=${text}`);
    expect((await ask(cursor)).status).toBe(200);
    const forged = forge(cursor, [1e30, 1, 'a']);
    expect(forged).not.toBe(cursor);
    expect((await ask(forged)).body.error.code).toBe('invalid_cursor');
  });
});
