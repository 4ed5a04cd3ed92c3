import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  type HttpAnswer,
  type HttpService,
  rootApiKey,
  startHttpService,
  webBaseUrl,
} from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';

let service: HttpService;
let acme: { id: string };

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code, body.error.details?.entity];

beforeAll(async () => {
  service = await startHttpService();
  acme = await createTestOrg(service, 'Acme', { domain: 'acme.example', description: '', tags: ['cli'] });
  await service.post(`/v1/orgs/${acme.id}/accounts`, { platform: 'GitHub', handle: 'acme' });
  const product = await service.create('/v1/products', { name: 'Rocket', orgId: acme.id });
  await createTestSource(service, 'Code', {
    orgId: acme.id,
    productId: product.id,
    url: 'https://github.com/acme/rocket',
    isPrimary: true,
  });
});
afterAll(() => service.close());

describe('the manifest of an org', () => {
  it('is valid by the schema that it names', async () => {
    const { status, body, headers } = await service.get('/v1/orgs/acme/manifest');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=60');
    expect(body).toEqual({
      $schema: `${webBaseUrl}/schemas/manifest-2.json`,
      version: 2,
      registries: { 'release-registry': { org: acme.id, product: expect.stringMatching(/^prd_[0-9A-Za-z]{21}$/) } },
      name: 'Acme',
      tags: ['cli'],
      social: { github: 'acme' },
      products: [
        { name: 'Rocket', slug: 'rocket', releases: [{ github: 'acme/rocket', title: 'Code', canonical: true }] },
      ],
    });
    const schema = await service.get('/schemas/manifest-2.json');
    expect(schema.headers.get('cache-control')).toBe('public, max-age=3600, stale-while-revalidate=300');
    expect(schema.body.$id).toBe(body.$schema);
    const ajv = new Ajv2020({ strict: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema.body);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    for (const broken of [
      { version: 1 },
      {},
      { version: 2, other: true },
      { version: 2, releases: [{ url: 'http://a.example' }] },
      { version: 2, releases: [{ github: 'only-owner' }] },
      { version: 2, releases: Array.from({ length: 33 }, () => ({})) },
      { version: 2, products: [{ slug: 'no-name' }] },
      { version: 2, name: '' },
      { version: 2, tags: ['a'.repeat(61)] },
      { version: 2, social: { ['a'.repeat(41)]: 'x' } },
      { version: 2, registries: { mine: { org: 'acme' } } },
    ]) {
      expect(validate(broken), JSON.stringify(broken).slice(0, 60)).toBe(false);
    }
    expect(validate({ version: 2, registries: { mine: { more: 1 } } })).toBe(true);
  });

  it('is found by every name of the org', async () => {
    for (const name of [acme.id, 'acme.example']) {
      expect((await service.get(`/v1/orgs/${name}/manifest`)).body.name).toBe('Acme');
    }
  });

  it('is not there where the org is not', async () => {
    for (const name of ['nobody', 'a'.repeat(10_000), '%00', 'nobody.example']) {
      expect(codeOf(await service.get(`/v1/orgs/${name}/manifest`))).toEqual([404, 'not_found', 'org']);
    }
    const shy = await createTestOrg(service, 'Shy');
    await service.patch(`/v1/orgs/${shy.id}`, { isHidden: true });
    expect(codeOf(await service.get('/v1/orgs/shy/manifest'))).toEqual([404, 'not_found', 'org']);
    expect((await service.get('/v1/orgs/shy/manifest', { key: rootApiKey })).status).toBe(200);
    await service.remove(`/v1/orgs/${shy.id}`);
    expect((await service.get('/v1/orgs/shy/manifest', { key: rootApiKey })).status).toBe(404);
  });
});
