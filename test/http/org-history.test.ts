import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let reader: string;

beforeAll(async () => {
  service = await startHttpService();
  reader = await issueTestToken(service, 'read');
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const historyOf = (org: string, search = '', options = {}) => service.get(`/v1/orgs/${org}/history${search}`, options);
const typesOf = ({ body }: HttpAnswer): string[] => body.items.map(({ type }: { type: string }) => type);

describe('the history of an org', () => {
  it('tells what changed of the org, its products and its sources, newest first', async () => {
    const org = await createTestOrg(service, 'Told', { domain: 'told.example' });
    const product = await service.create('/v1/products', { name: 'Rocket', orgId: org.id });
    const source = await createTestSource(service, 'Told', { orgId: org.id, productSlug: 'rocket' });
    await service.patch('/v1/orgs/told', { name: 'Renamed', description: 'What it does' });
    await service.post('/v1/orgs/told/accounts', { platform: 'github', handle: 'told' });
    const { status, body, headers } = await historyOf('told.example');
    body.items[1].changes.sort((a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1));
    expect([status, body.pagination]).toEqual([200, { nextCursor: null, limit: 20 }]);
    const entityOf = (kind: string, { id, slug }: { id: string; slug: string }) => ({ kind, id, slug });
    const item = (type: string, entity: object, changes: unknown) => ({
      type,
      entity,
      changes,
      position: expect.any(Number),
      at: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(body.items).toEqual([
      item('org.account_linked', entityOf('org', org), [
        { field: 'account', from: null, to: { platform: 'github', handle: 'told' } },
      ]),
      item('org.changed', entityOf('org', org), [
        { field: 'description', from: null, to: 'What it does' },
        { field: 'name', from: 'Told', to: 'Renamed' },
      ]),
      item(
        'source.created',
        entityOf('source', source),
        expect.arrayContaining([{ field: 'productId', from: null, to: product.id }]),
      ),
      item(
        'product.created',
        entityOf('product', product),
        expect.arrayContaining([{ field: 'name', from: null, to: 'Rocket' }]),
      ),
      item(
        'org.created',
        entityOf('org', org),
        expect.arrayContaining([{ field: 'domain', from: null, to: 'told.example' }]),
      ),
    ]);
    expect(headers.get('cache-control')).toBe('public, max-age=120, stale-while-revalidate=60');
    expect((await historyOf('told', '', { key: reader })).body.items).toHaveLength(5);
  });

  it('tells only admins who did it, and what happened to hidden entities and to the playbook', async () => {
    const org = await createTestOrg(service, 'Secretive');
    const veiled = await service.create('/v1/products', { name: 'Veiled', orgId: org.id });
    await createTestSource(service, 'Secretive', { orgId: org.id, productSlug: 'veiled' });
    await service.patch(`/v1/products/${veiled.id}`, { isHidden: true });
    await service.call('PUT', '/v1/orgs/secretive/playbook', { body: { content: 'Notes' } });
    const seen = await historyOf('secretive');
    expect(typesOf(seen)).toEqual(['source.created', 'org.created']);
    expect(seen.text).not.toMatch(/actor|productId|prod_|playbook/);
    const whole = await historyOf('secretive', '', root);
    expect(typesOf(whole)).toEqual([
      'playbook.written',
      'product.hidden',
      'source.created',
      'product.created',
      'org.created',
    ]);
    const written = { field: 'playbook', from: null, to: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), chars: 5 } };
    expect(whole.body.items[0]).toMatchObject({ actor: 'root', changes: [written] });
    await service.patch('/v1/orgs/secretive', { isHidden: true });
    expect(codeOf(await historyOf('secretive'))).toEqual([404, 'not_found']);
    expect((await historyOf('secretive', '', root)).status).toBe(200);
    await service.remove('/v1/orgs/secretive');
    expect(codeOf(await historyOf(org.id, '', root))).toEqual([404, 'not_found']);
  });

  it('tells only admins what was done while something was hidden, also once it is shown', async () => {
    const org = await createTestOrg(service, 'Unveiled');
    const source = await createTestSource(service, 'Unveiled', {
      orgId: org.id,
      name: 'Codename',
      slug: 'plain',
      isHidden: true,
    });
    const change = (fields: object) => service.patch(`/v1/sources/${source.id}`, fields);
    await change({ name: 'Still a codename' });
    await change({ name: 'Shown', isHidden: false });
    await change({ name: 'Renamed' });
    await change({ name: 'Hidden codename', isHidden: true });
    await change({ name: 'Back', isHidden: false });
    const seen = await historyOf('unveiled');
    expect(typesOf(seen)).toEqual(['source.changed', 'org.created']);
    expect(seen.body.items[0].changes).toEqual([{ field: 'name', from: 'Shown', to: 'Renamed' }]);
    expect(seen.text).not.toMatch(/codename/i);
    expect(typesOf(await historyOf('unveiled', '', root))).toHaveLength(11);
  });

  it('shows public metadata only, and nothing where only other keys changed', async () => {
    const org = await createTestOrg(service, 'Careful');
    const source = await createTestSource(service, 'Careful', {
      orgId: org.id,
      metadata: { feedUrl: 'https://careful.example/feed', note: 'for us' },
    });
    await service.patch(`/v1/sources/${source.id}`, { metadata: { note: 'still for us' } });
    const seen = await historyOf('careful');
    expect(typesOf(seen)).toEqual(['source.created', 'org.created']);
    expect(seen.text).not.toContain('for us');
    expect(seen.text).toContain('careful.example/feed');
    expect((await historyOf('careful', '', root)).text).toContain('still for us');
  });

  it('leaves out what changed nothing that it tells of', async () => {
    const org = await createTestOrg(service, 'Steady');
    const fields = { orgId: org.id, isPrimary: true };
    const first = await createTestSource(service, 'Steady', fields);
    await createTestSource(service, 'Steadier', fields);
    // Asked again, as the other one is primary now: that it is asked for was so before.
    expect((await service.patch(`/v1/sources/${first.id}`, { isPrimary: true })).body.isPrimary).toBe(true);
    for (const content of ['Notes', 'Notes']) {
      await service.call('PUT', '/v1/orgs/steady/playbook', { body: { content } });
    }
    const seen = await historyOf('steady');
    expect(typesOf(seen)).toEqual(['source.created', 'source.created', 'org.created']);
    const whole = await historyOf('steady', '', root);
    expect(typesOf(whole)).toEqual(['playbook.written', 'source.created', 'source.created', 'org.created']);
  });

  it('comes in pages, by a cursor that holds for it alone, also past what is not shown', async () => {
    const org = await createTestOrg(service, 'Paged');
    const veiled = await createTestSource(service, 'Veiled', { orgId: org.id });
    for (const name of ['One', 'Two', 'Three']) {
      await service.patch('/v1/orgs/paged', { name });
      await service.patch(`/v1/sources/${veiled.id}`, { name: `Veiled ${name}` });
    }
    await service.patch(`/v1/sources/${veiled.id}`, { isHidden: true });
    const whole = (await historyOf('paged')).body.items;
    const found: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { body }: HttpAnswer = await historyOf('paged', `?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(body.items).toHaveLength(1);
      found.push(...body.items);
      cursor = body.pagination.nextCursor;
    } while (cursor !== null);
    expect([found.length, found]).toEqual([4, whole]);
    await createTestOrg(service, 'Other');
    const { nextCursor } = (await historyOf('paged', '?limit=1')).body.pagination;
    expect(codeOf(await historyOf('other', `?cursor=${nextCursor}`))).toEqual([400, 'invalid_cursor']);
    expect(codeOf(await historyOf('paged', '?cursor=nonsense'))).toEqual([400, 'invalid_cursor']);
    expect(codeOf(await historyOf('nobody'))).toEqual([404, 'not_found']);
  });
});
