import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleIds } from '../../src/http/openapi/examples.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg } from '../spec/http/preamble.ts';

/** Nobody listens there: an attempt is made, fails and is logged. */
const hookUrl = 'http://127.0.0.1:9/releases';

let service: HttpService;
/** What the made-up ids of the document are here. */
let idsHere: ReadonlyMap<string, string>;
let operations: readonly Operation[];

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly example?: string;
}

interface Operation {
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

function operationsOf(document: HttpAnswer['body']): Operation[] {
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

/** All that the examples speak of. */
async function seed(): Promise<Map<string, string>> {
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

beforeAll(async () => {
  service = await startHttpService({ allowPrivateTargets: true });
  operations = operationsOf((await service.get('/v1/openapi.json')).body);
  idsHere = await seed();
});
afterAll(() => service.close());

/** The text with the ids of the things that are here. */
const withIdsHere = (text: string): string =>
  [...idsHere].reduce((told, [example, here]) => told.replaceAll(example, here), text);

function pathOf({ path, parameters, operationId }: Operation): string {
  const query = new URLSearchParams();
  let told = path;
  for (const { name, in: place, required, example } of parameters) {
    if (required && example === undefined) throw new Error(`${operationId} has no example of ${name}`);
    if (example === undefined) continue;
    if (place === 'path') told = told.replace(`{${name}}`, encodeURIComponent(example));
    else query.set(name, example);
  }
  return withIdsHere(query.size === 0 ? told : `${told}?${query}`);
}

const send = (operation: Operation): Promise<HttpAnswer> =>
  service.call(operation.method, pathOf(operation), {
    key: operation.isPublic ? null : rootApiKey,
    ...(operation.body && { body: withIdsHere(JSON.stringify(operation.body)) }),
  });

/** By what paths call them. */
const deletable: Readonly<Record<string, string>> = {
  orgs: exampleIds.org,
  products: exampleIds.product,
  sources: exampleIds.source,
};

const isRestore = ({ operationId }: Operation): boolean => operationId.startsWith('restore');

it('every example is answered with success, and lists with something in them', async () => {
  const problems: string[] = [];
  const tell = ({ method, path }: Operation, { status, text }: HttpAnswer, wrong: string) =>
    problems.push(`${method} ${path}: ${wrong} (${status} ${text.slice(0, 200)})`);
  const check = async (operation: Operation) => {
    if (operation.hasBody && operation.body === undefined)
      problems.push(`${operation.operationId} has no example body`);
    const answer = await send(operation);
    if (answer.status >= 300) tell(operation, answer, 'is refused');
    else if (operation.operationId.startsWith('list')) {
      const { body } = answer;
      const items = Array.isArray(body) ? body : Object.values(body).find(Array.isArray);
      if (!Array.isArray(items)) tell(operation, answer, 'is no list');
      else if (items.length === 0) tell(operation, answer, 'is empty');
    }
    return answer;
  };
  const of = (method: string) => operations.filter((operation) => operation.method === method);

  for (const method of ['GET', 'PUT', 'PATCH', 'POST']) {
    for (const operation of of(method).filter((one) => !isRestore(one))) await check(operation);
  }
  // What is deleted is brought back, because the same can be deleted in several ways.
  const restores = operations.filter(isRestore);
  const deepestFirst = of('DELETE').sort((a, b) => b.path.split('/').length - a.path.split('/').length);
  for (const operation of deepestFirst) {
    await check(operation);
    const deleted = operation.path.split('/').at(-2)!;
    const restore = restores.find(({ path }) => path.startsWith(`/v1/${deleted}/`));
    if (restore === undefined) continue;
    const answer = await service.post(restore.path.replace(/\{\w+\}/, idsHere.get(deletable[deleted]!)!), undefined);
    if (answer.status !== 200) tell(restore, answer, 'is refused');
  }
  expect(problems).toEqual([]);
});

it('every operation has a name of its own that reads as one, and tags have one spelling', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^(get|list|create|update|set|delete|[a-z]+)([A-Z][a-z]+)*$/.test(id))).toEqual([]);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  expect(new Set(tags.map((tag) => tag.toLowerCase())).size).toBe(tags.length);
  expect(tags.filter((tag) => !/^[A-Z][a-z ]+$/.test(tag))).toEqual([]);
});
