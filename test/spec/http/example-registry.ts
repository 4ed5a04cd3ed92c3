import { expect } from 'vitest';
import { exampleIds } from '../../../src/http/openapi/examples.ts';
import { eventually } from '../eventually.ts';
import { type HttpAnswer, type HttpService, rootApiKey } from './http-service.ts';
import { createTestOrg } from './preamble.ts';

/** Nobody listens there: an attempt is made, fails and is logged. */
const hookUrl = 'http://127.0.0.1:9/releases';

/** Long enough to be like another text. */
const winged = { content: 'Rockets with wings fly in every weather. '.repeat(10) };

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly example?: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  readonly hasBody: boolean;
  readonly body: object | undefined;
  readonly isPublic: boolean;
}

const methods = ['get', 'put', 'patch', 'post', 'delete'];

/** What the OpenAPI document describes. */
export function operationsOf(document: HttpAnswer['body']): Operation[] {
  const items = Object.entries<HttpAnswer['body']>(document.paths);
  return items.flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const { operationId, tags, parameters = [], requestBody, security } = item[method];
        return {
          method: method.toUpperCase(),
          path,
          operationId,
          tag: tags[0],
          parameters: parameters.filter((parameter: { $ref?: string }) => parameter.$ref === undefined),
          hasBody: requestBody !== undefined,
          body: requestBody?.content['application/json'].example,
          isPublic: Object.keys(security[0]).length === 0,
        };
      }),
  );
}

/** Makes all that the examples speak of; answers what the made-up ids of the document are here. */
export async function seedExamples(service: HttpService): Promise<ReadonlyMap<string, string>> {
  const { create, call, post } = service;
  const org = await createTestOrg(service, 'Acme', { domain: 'acme.example', category: 'developer-tools' });
  for (const name of ['initech', 'vandelay']) {
    const locations = [{ url: `https://${name}.example/news` }];
    await create('/v1/orgs/stub', { name, domain: `${name}.example`, locations });
  }
  await createTestOrg(service, 'Umbrella');
  await service.patch('/v1/orgs/umbrella', { locations: [{ url: 'https://umbrella.example/news' }] });
  const product = await create('/v1/products', { name: 'Rocket', orgId: org.id, category: 'developer-tools' });
  const webhook = await create('/v1/webhooks', { url: hookUrl, orgId: org.id });
  const source = await create('/v1/sources', {
    name: 'Rocket CLI',
    type: 'github',
    url: 'https://github.com/acme/rocket-cli',
    orgId: org.id,
    productId: product.id,
  });
  const publishedAt = new Date().toISOString();
  const releases = ['1.0.0', '1.1.0', '2.0.0', '2.0.1'].map((version) => ({ version, title: version, publishedAt }));
  releases[1] = { ...releases[1]!, ...winged, title: 'Faster rockets' };
  const { body: batch } = await post(`/v1/sources/${source.id}/releases/batch`, { releases });
  const [, release, , coverage] = batch.insertedIds;
  for (const thing of [`/v1/orgs/${org.id}`, `/v1/products/${product.id}`]) {
    expect((await post(`${thing}/tags`, { tags: ['cli'] })).status).toBe(200);
    expect((await call('PUT', `${thing}/overview`, { body: { content: 'Rockets.', releaseCount: 1 } })).status).toBe(
      200,
    );
  }
  await create(`/v1/orgs/${org.id}/accounts`, { platform: 'github', handle: 'acme' });
  await call('PUT', `/v1/orgs/${org.id}/playbook`, { body: { content: 'How to' } });
  await call('PUT', `/v1/sources/${source.id}/changelog`, { body: { path: 'CHANGELOG.md', content: '# 1.0.0\n' } });
  await post(`/v1/sources/${source.id}/summaries`, { type: 'rolling', summary: 'Rockets.', releaseCount: 1 });
  const weather = await create('/v1/sources', { name: 'Weather', url: 'https://weather.example/news' });
  await create(`/v1/sources/${weather.id}/releases`, { title: 'Sunny', publishedAt, ...winged });
  const collection = await create('/v1/collections', { name: 'Command line tools' });
  await create(`/v1/collections/${collection.slug}/members`, { orgId: org.id });
  const token = await create('/v1/tokens', { name: 'Import', scopes: ['read'] });
  const deliveries = async () => (await service.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: rootApiKey })).body;
  await eventually('a delivery was attempted', async () => (await deliveries()).data.length > 0);
  return new Map<string, string>([
    [exampleIds.org, org.id],
    [exampleIds.product, product.id],
    [exampleIds.source, source.id],
    [exampleIds.release, release],
    [exampleIds.coverage, coverage],
    [exampleIds.token, token.id],
    [exampleIds.webhook, webhook.id],
  ]);
}

/** The text with the ids of the things that are here. */
export const withIds = (idsHere: ReadonlyMap<string, string>, text: string): string =>
  [...idsHere].reduce((told, [example, here]) => told.replaceAll(example, here), text);

/** Where the example is sent to, but for what is given instead. */
export function examplePath(
  { path, parameters, operationId }: Operation,
  instead: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams();
  let told = path;
  for (const { name, in: place, required, example } of parameters) {
    const value = instead[name] ?? example;
    if (required && value === undefined) throw new Error(`${operationId} has no example of ${name}`);
    if (value === undefined) continue;
    if (place === 'path') told = told.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  return query.size === 0 ? told : `${told}?${query}`;
}
