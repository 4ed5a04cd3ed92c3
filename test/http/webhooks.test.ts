import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookHealthDeclaration } from '../../src/records/delivery/webhook-health.ts';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createWebhookWorld, hookUrl, testResolver, type WebhookWorld } from '../spec/worlds/webhook-world.ts';

let service: HttpService;
let world: WebhookWorld;

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  world = await createWebhookWorld(service);
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const create = async (fields: object = {}) => {
  const answer = await service.post('/v1/webhooks', { url: hookUrl, orgSlug: world.acme.slug, ...fields });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; signingKey: string; signingSecret: string };
};
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];

describe('creating a subscription', () => {
  it('answers the record, with the key in two spellings', async () => {
    const answer = await service.post('/v1/webhooks', { url: hookUrl, orgSlug: world.acme.slug });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(Number(answer.headers.get('x-service-position'))).toBeGreaterThan(0);
    const { signingKey, signingSecret, ...record } = answer.body;
    expect(signingKey).toMatch(/^[0-9a-f]{64}$/);
    expect(signingSecret).toBe(`whsec_${Buffer.from(signingKey, 'hex').toString('base64')}`);
    expect(record).toEqual({
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{21}$/),
      scope: 'org',
      url: hookUrl,
      description: null,
      format: 'json',
      orgId: world.acme.id,
      orgSlug: 'acme',
      orgName: 'Acme',
      sourceId: null,
      sourceSlug: null,
      productId: null,
      productSlug: null,
      releaseType: null,
      minImportance: null,
      breaking: null,
      enabled: true,
      disabledReason: null,
      deliveryHealth: 'healthy',
      consecutiveFailures: 0,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastError: null,
      deliveryHealthSummary: 'Nothing was delivered yet.',
      secretVersion: 1,
      previousKeyExpiresAt: null,
      createdBy: 'admin',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: record.createdAt,
    });
    const shown = await service.get(`/v1/webhooks/${record.id}`, root);
    expect(shown.body).toEqual(record);
    expect(shown.headers.get('cache-control')).toBe('private, no-store');
  });

  it('takes every field, and any identifier of org, source and product', async () => {
    const fields = { description: 'Chat', releaseType: 'feature', minImportance: 3, breaking: ['major'] };
    const named = { orgSlug: undefined, orgId: 'ACME.example', sourceId: world.news.slug, productId: world.kit.slug };
    expect(await create({ ...fields, ...named, scope: 'org', format: 'json', enabled: false })).toMatchObject({
      ...fields,
      orgId: world.acme.id,
      sourceId: world.news.id,
      sourceSlug: world.news.slug,
      productId: world.kit.id,
      productSlug: world.kit.slug,
      enabled: false,
      disabledReason: 'manual',
      deliveryHealth: 'paused',
    });
    const byId = { orgSlug: world.acme.id, sourceSlug: world.blog.id, productSlug: null };
    expect(await create(byId)).toMatchObject({ sourceId: world.blog.id, productId: null });
  });

  it.each([
    [{ url: undefined }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'nonsense\0' }, 'url'],
    [{ url: 'https://\ud800/' }, 'url'],
    [{ url: `${hookUrl}\0`, orgSlug: 'nobody' }, 'url'],
    [{ description: 'x'.repeat(1001) }, 'description'],
    [{ enabled: null }, 'enabled'],
    [{ scope: 'follows' }, 'scope'],
    [{ scope: 'world' }, 'scope'],
    [{ format: 'slack' }, 'format'],
    [{ format: 'discord' }, 'format'],
    [{ format: 'xml' }, 'format'],
    [{ releaseType: 'patch' }, 'releaseType'],
    [{ minImportance: 0 }, 'minImportance'],
    [{ minImportance: 6 }, 'minImportance'],
    [{ minImportance: 2.5 }, 'minImportance'],
    [{ breaking: [] }, 'breaking'],
    [{ breaking: ['huge'] }, 'breaking[0]'],
    [{ orgSlug: undefined }, 'orgSlug'],
    [{ orgSlug: null }, 'orgSlug'],
    [{ orgId: 'acme' }, 'orgSlug'],
    [{ sourceId: 'a', sourceSlug: 'a' }, 'sourceSlug'],
    [{ productId: 'a', productSlug: 'a' }, 'productSlug'],
    [{ secret: 'mine' }, ''],
  ])('refuses %j', async (fields, path) => {
    const answer = await service.post('/v1/webhooks', { url: hookUrl, orgSlug: 'acme', ...fields });
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe(path);
  });

  it('says that chat formats and follows are not served', async () => {
    const { body } = await service.post('/v1/webhooks', {
      url: hookUrl,
      orgSlug: 'acme',
      scope: 'follows',
      format: 'slack',
    });
    const sentences = body.error.details.issues.map(({ message }: { message: string }) => message);
    expect(sentences).toEqual([expect.stringContaining('served here'), expect.stringContaining('not served yet')]);
  });

  it.each([
    ['nonsense', 'invalid_url'],
    ['', 'invalid_url'],
    [`https://hooks.example.com/${'x'.repeat(2048)}`, 'too_long'],
    ['http://hooks.example.com/in', 'not_https'],
    ['https://me:secret@hooks.example.com/in', 'credentials'],
    ['https://hooks.example.com:80/in', 'port'],
    ['https://localhost/in', 'internal_host'],
    ['https://127.0.0.1/in', 'private_address'],
    ['https://inside.example.com/in', 'private_address'],
    ['https://nowhere.example.com/in', 'dns_failed'],
  ])('refuses the address %s', async (url, reason) => {
    const answer = await service.post('/v1/webhooks', { url, orgSlug: 'acme' });
    expect(codeOf(answer)).toEqual([400, 'webhook_url_rejected']);
    expect(answer.body.error.details).toEqual({ reason });
  });

  it('finds org, source and product, the latter two within the org only', async () => {
    const { kit, stranger, blog, foreign } = world;
    const cases = [
      [{ orgSlug: 'nobody' }, 'org'],
      [{ sourceSlug: 'nothing' }, 'source'],
      [{ sourceId: foreign.id }, 'source'],
      [{ productSlug: 'nothing' }, 'product'],
      [{ productId: stranger.id }, 'product'],
    ] as const;
    for (const [fields, entity] of cases) {
      const answer = await service.post('/v1/webhooks', { url: hookUrl, orgSlug: 'acme', ...fields });
      expect([...codeOf(answer), answer.body.error.details], JSON.stringify(fields)).toEqual([
        404,
        'not_found',
        { entity },
      ]);
    }
    const apart = { sourceSlug: blog.slug, productId: kit.id };
    const answer = await service.post('/v1/webhooks', { url: hookUrl, orgSlug: 'acme', ...apart });
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe('sourceSlug');
  });

  it('checks the form of the address before the org, and looks it up after', async () => {
    const refusalOf = async (fields: object) => codeOf(await service.post('/v1/webhooks', fields))[1];
    expect(await refusalOf({ url: 'http://a.example/', orgSlug: 'nobody', minImportance: 9 })).toBe(
      'validation_failed',
    );
    expect(await refusalOf({ url: 'http://a.example/', orgSlug: 'nobody' })).toBe('webhook_url_rejected');
    expect(await refusalOf({ url: 'https://nowhere.example.com/', orgSlug: 'nobody' })).toBe('not_found');
    expect(await refusalOf({ url: 'https://nowhere.example.com/', orgSlug: 'acme' })).toBe('webhook_url_rejected');
  });
});

describe('reading subscriptions', () => {
  it('lists all of them or those of an org, the newest first', async () => {
    const ofOther = await create({ orgSlug: 'other' });
    const first = await create();
    const second = await create();
    const idsOf = async (query: string) => {
      const { status, body } = await service.get(`/v1/webhooks${query}`, root);
      expect(status).toBe(200);
      return body.subscriptions.map(({ id }: { id: string }) => id);
    };
    expect((await idsOf('')).slice(0, 3)).toEqual([second.id, first.id, ofOther.id]);
    for (const org of ['acme', world.acme.id, 'acme.example']) {
      const ids = await idsOf(`?org=${org}`);
      expect(ids.slice(0, 2)).toEqual([second.id, first.id]);
      expect(ids).not.toContain(ofOther.id);
    }
    expect(await idsOf('?org=other')).toEqual([ofOther.id]);
    const { body } = await service.get('/v1/webhooks', root);
    for (const record of body.subscriptions) expect(Object.keys(record).join()).not.toMatch(/signing/);
    const unknown = await service.get('/v1/webhooks?org=nobody', root);
    expect([...codeOf(unknown), unknown.body.error.details]).toEqual([404, 'not_found', { entity: 'org' }]);
  });

  it('tells how deliveries fare, as it is now', async () => {
    const { id } = await create();
    const health = { consecutiveFailures: 5, lastSuccessAtMs: null, lastFailureAtMs: 1_000, lastError: 'HTTP 500' };
    const doc = { id, ...health };
    await service.registry.ops.transact([{ kind: 'put', collection: webhookHealthDeclaration.name, doc }]);
    const { body } = await service.get(`/v1/webhooks/${id}`, root);
    expect(body).toMatchObject({
      deliveryHealth: 'failing',
      consecutiveFailures: 5,
      lastSuccessAt: null,
      lastFailureAt: '1970-01-01T00:00:01.000Z',
      lastError: 'HTTP 500',
    });
    const { body: all } = await service.get('/v1/webhooks', root);
    expect(all.subscriptions.find((record: { id: string }) => record.id === id)).toEqual(body);
  });

  it('names org, source and product as they are called now, and not when they are deleted', async () => {
    const org = (await service.post('/v1/orgs', { name: 'Fleeting' })).body;
    const product = (await service.post('/v1/products', { name: 'Part', orgId: org.id })).body;
    const source = { name: 'Log', url: 'https://fleeting.example/log', orgId: org.id, productId: product.id };
    const { id: sourceId } = (await service.post('/v1/sources', source)).body;
    const { id } = await create({ orgSlug: undefined, orgId: org.id, sourceId, productId: product.id });
    const namesOf = async () => {
      const { orgId, orgSlug, orgName, sourceSlug, productSlug } = (await service.get(`/v1/webhooks/${id}`, root)).body;
      expect(orgId).toBe(org.id);
      return [orgSlug, orgName, sourceSlug, productSlug];
    };
    await service.patch(`/v1/orgs/${org.id}`, { name: 'Lasting', slug: 'lasting' });
    expect(await namesOf()).toEqual(['lasting', 'Lasting', 'log', 'part']);
    await service.remove(`/v1/products/${product.id}`);
    expect(await namesOf()).toEqual(['lasting', 'Lasting', 'log', null]);
    await service.remove(`/v1/orgs/${org.id}`);
    expect(await namesOf()).toEqual([null, null, null, null]);
  });

  it('answers 404 for an unknown id and for what is none', async () => {
    for (const id of ['whk_aaaaaaaaaaaaaaaaaaaaa', 'whk_x', 'nonsense']) {
      const answers = [
        await service.get(`/v1/webhooks/${id}`, root),
        await service.get(`/v1/webhooks/${id}/deliveries`, root),
        await service.remove(`/v1/webhooks/${id}`),
      ];
      for (const answer of answers) {
        expect([...codeOf(answer), answer.body.error.details]).toEqual([404, 'not_found', { entity: 'webhook' }]);
      }
    }
  });

  it('is for admins only', async () => {
    const { id } = await create();
    const writer = (await service.post('/v1/tokens', { name: 'writer', scopes: ['write'] })).body.token;
    const calls = [
      ['POST', '/v1/webhooks', { url: hookUrl, orgSlug: 'acme' }],
      ['GET', '/v1/webhooks', undefined],
      ['GET', `/v1/webhooks/${id}`, undefined],
      ['GET', `/v1/webhooks/${id}/deliveries`, undefined],
      ['DELETE', `/v1/webhooks/${id}`, undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      expect(codeOf(await service.call(method, path, { body, key: null }))).toEqual([401, 'unauthorized']);
      expect(codeOf(await service.call(method, path, { body, key: writer }))).toEqual([403, 'insufficient_scope']);
    }
  });
});

it('takes addresses inside the network where that is allowed, but none that is malformed', async () => {
  const lenient = await startHttpService({ resolver: testResolver, allowPrivateTargets: true });
  try {
    await lenient.post('/v1/orgs', { name: 'Acme' });
    const answerTo = (url: string) => lenient.post('/v1/webhooks', { url, orgSlug: 'acme' });
    for (const url of ['http://127.0.0.1:81/in', 'http://localhost:9000/', 'https://nowhere.example.com/']) {
      expect((await answerTo(url)).status, url).toBe(201);
    }
    expect((await answerTo('nonsense')).body.error.details).toEqual({ reason: 'invalid_url' });
    expect((await answerTo('http://me:secret@localhost/')).body.error.details).toEqual({ reason: 'credentials' });
  } finally {
    await lenient.close();
  }
});
