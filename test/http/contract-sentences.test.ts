import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CallOptions,
  type HttpAnswer,
  type HttpService,
  rootApiKey,
  startHttpService,
} from '../spec/http/http-service.ts';
import { issueTestToken } from '../spec/http/preamble.ts';
import { createWebhookWorld, hookUrl, testResolver, type WebhookWorld } from '../spec/worlds/webhook-world.ts';

// One row per sentence of the contract. What is not here is proven next to what decides it: 1.1 and 1.4 in
// http-rules.test.ts and door.test.ts, 2.2 and 2.3 in test/domain/release/identity.test.ts and test/kernel/slugs.test.ts,
// 2.7 in test/kernel/dates.test.ts, 13.1 and 13.2 in webhooks.test.ts, 13.7 in test/delivery/next-step.test.ts and
// deliveries.test.ts, 14.3 in sources.test.ts, 14.4 in batch-ingest.test.ts and release-edits.test.ts.

let service: HttpService;
let world: WebhookWorld & { readonly reader: string; readonly webhookId: string };

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  const entities = await createWebhookWorld(service);
  await service.create('/v1/sources', { name: 'Blog', url: 'https://example.com/x', orgId: entities.other.id });
  const { id } = await service.create('/v1/webhooks', { url: hookUrl, orgSlug: 'acme', enabled: false });
  world = { ...entities, reader: await issueTestToken(service, 'read'), webhookId: id };
});
afterAll(() => service.close());

type Call = readonly [method: string, path: string | (() => string), body?: unknown, options?: () => CallOptions];

interface Row {
  readonly sentence: string;
  readonly call: Call;
  readonly status: number;
  /** Of the error, or of the answer. */
  readonly has?: object | (() => object);
  readonly headers?: Readonly<Record<string, string | null>>;
}

const error = (code: string, message: string, details?: object): object => ({
  error: { code, message, ...(details && { details }) },
});

const answerTo = ([method, path, body, options]: Call): Promise<HttpAnswer> =>
  service.call(method, typeof path === 'string' ? path : path(), {
    key: rootApiKey,
    ...(body !== undefined && { body }),
    ...options?.(),
  });

const table = (rows: readonly Row[]): void =>
  it.each(rows)('$sentence', async ({ call, status, has, headers = {} }) => {
    const answer = await answerTo(call);
    expect(answer.status, answer.text).toBe(status);
    if (has !== undefined) expect(answer.body).toMatchObject(typeof has === 'function' ? has() : has);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name), name).toBe(value);
  });

const noSourceOf = (slug: string) => error('not_found', `There is no source \`${slug}\`.`, { entity: 'source' });

describe('1.1 and 1.2: a message names the thing', () => {
  const wholeNumber = 'must be a whole number, 1 or more';
  table([
    {
      sentence: 'an org that is not there',
      call: ['GET', '/v1/orgs/acmee'],
      status: 404,
      has: error('not_found', 'There is no org `acmee`.', { entity: 'org' }),
    },
    {
      sentence: 'a source that is not there',
      call: ['PATCH', '/v1/sources/nobody', { name: 'x' }],
      status: 404,
      has: noSourceOf('nobody'),
    },
    {
      sentence: 'a release that is not there',
      call: ['GET', '/v1/releases/rel_1'],
      status: 404,
      has: error('not_found', 'There is no release `rel_1`.', { entity: 'release' }),
    },
    ...(['org', 'product', 'source'] as const).map((entity) => {
      const id = `${{ org: 'org', product: 'prod', source: 'src' }[entity]}_000000000000000000000`;
      return {
        sentence: `what cannot be restored: ${entity}`,
        call: ['POST', `/v1/${entity}s/${id}/restore`] as const,
        status: 404,
        has: error('not_found', `There is no ${entity} \`${id}\`.`, { entity }),
      };
    }),
    {
      sentence: 'a part of a path that nothing can be called',
      call: ['DELETE', '/v1/orgs/acme/accounts/github/a%00b'],
      status: 404,
      has: error('not_found', 'There is no `DELETE /v1/orgs/acme/accounts/github/a%00b`.', { entity: 'route' }),
    },
    {
      sentence: 'a route that is not there',
      call: ['PUT', '/v1/nowhere'],
      status: 404,
      has: error('not_found', 'There is no `PUT /v1/nowhere`.', { entity: 'route' }),
    },
    {
      sentence: 'a parameter, its rule and its value',
      call: ['GET', '/v1/orgs?limit=ten'],
      status: 400,
      has: error('invalid_parameter', `\`limit\` ${wholeNumber}; it was \`ten\`.`, {
        parameter: 'limit',
        reason: wholeNumber,
      }),
    },
    {
      sentence: 'the values that are allowed',
      call: ['GET', '/v1/orgs/acme/releases?source_type=Feed'],
      status: 400,
      has: { error: { message: expect.stringMatching(/^`source_type` must be one of .*feed.*; it was `Feed`\.$/) } },
    },
    {
      sentence: 'parameters that contradict each other',
      call: ['GET', '/v1/releases/latest?org=acme&source=news'],
      status: 400,
      has: error('conflicting_parameters', '`source`, `org` cannot be sent together.'),
    },
    {
      sentence: 'a bare slug where an id is needed',
      call: ['PATCH', '/v1/products/kit', { name: 'x' }],
      status: 400,
      has: error(
        'bare_slug_rejected',
        '`kit` is no id: a product is addressed by its typed id here, or by its path below its org.',
      ),
    },
    {
      sentence: 'the first fault of a body, and how many more there are',
      call: ['POST', '/v1/orgs', { name: '', slug: 'No' }],
      status: 400,
      has: { error: { code: 'validation_failed', message: '`name`: must have 1 to 120 characters (and 1 more).' } },
    },
    {
      sentence: 'a key that is unknown',
      call: ['POST', '/v1/orgs', { name: 'x', colour: 'red' }],
      status: 400,
      has: error('validation_failed', 'Unrecognized key: "colour".'),
    },
    {
      sentence: 'a type that is not JSON',
      call: ['POST', '/v1/orgs', 'x', () => ({ headers: { 'content-type': 'text/plain' } })],
      status: 400,
      has: error('unsupported_content_type', 'Send the body as `application/json`; it came as `text/plain`.'),
    },
    {
      sentence: 'a scope that is too low',
      call: ['POST', '/v1/orgs', { name: 'x' }, () => ({ key: world.reader })],
      status: 403,
      has: error('insufficient_scope', 'This needs `write` scope; the credential has `read`.'),
    },
    {
      sentence: 'an option for admins',
      call: ['GET', '/v1/orgs?include_hidden=true', undefined, () => ({ key: null })],
      status: 403,
      has: error('forbidden', '`include_hidden` needs admin scope.', { option: 'include_hidden' }),
    },
    {
      sentence: 'a slug that is taken',
      call: ['POST', '/v1/orgs', { name: 'x', slug: 'acme' }],
      status: 409,
      has: error('conflict', 'The slug `acme` is taken.', { field: 'slug', value: 'acme' }),
    },
    {
      sentence: 'a slug that is reserved',
      call: ['POST', '/v1/orgs', { name: 'x', slug: 'admin' }],
      status: 409,
      has: error('slug_reserved', 'The slug `admin` is reserved; choose another.', { slug: 'admin' }),
    },
    {
      sentence: 'those that share a slug',
      call: ['PATCH', '/v1/sources/blog', { name: 'x' }],
      status: 409,
      has: error(
        'ambiguous_slug',
        'Several sources have the slug `blog`: `/v1/orgs/acme/sources/blog`, `/v1/orgs/other/sources/blog`.',
      ),
    },
    {
      sentence: 'why the URL of a webhook is refused',
      call: ['POST', '/v1/webhooks', { url: 'http://hooks.example.com/', orgSlug: 'acme' }],
      status: 400,
      has: error('webhook_url_rejected', 'This webhook URL is not allowed: `not_https`.', { reason: 'not_https' }),
    },
  ]);
});

describe('1.5: common input rules', () => {
  table([
    {
      sentence: 'a size above its maximum is clamped',
      call: ['GET', '/v1/orgs/acme/releases?limit=1000'],
      status: 200,
      has: { pagination: { limit: 100 } },
    },
    { sentence: 'booleans take any case', call: ['GET', '/v1/orgs?includeEmpty=TRUE'], status: 200 },
    { sentence: 'enums are lower case only', call: ['GET', '/v1/orgs/acme/releases?kind=SDK'], status: 400 },
    { sentence: 'an unknown category of /orgs is ignored', call: ['GET', '/v1/orgs?category=nonsense'], status: 200 },
    { sentence: 'an unknown parameter is ignored, however often', call: ['GET', '/v1/orgs?x=1&x=2'], status: 200 },
    { sentence: 'paths are case-sensitive', call: ['GET', '/v1/Orgs'], status: 404 },
    {
      sentence: 'slugs in paths too',
      call: ['PATCH', '/v1/sources/News', { name: 'x' }],
      status: 404,
      has: noSourceOf('News'),
    },
    {
      sentence: 'a trailing slash leads to the path without it',
      call: ['GET', '/v1/orgs/acme/?limit=1', undefined, () => ({ redirect: 'manual' })],
      status: 308,
      headers: { location: '/v1/orgs/acme?limit=1' },
    },
    {
      sentence: 'so it does for HEAD',
      call: ['HEAD', '/v1/orgs/', undefined, () => ({ redirect: 'manual' })],
      status: 308,
      headers: { location: '/v1/orgs' },
    },
    {
      sentence: 'but never to another host',
      call: ['GET', '//elsewhere.example/', undefined, () => ({ redirect: 'manual' })],
      status: 404,
      headers: { location: null },
    },
    { sentence: 'with other methods it is not found', call: ['POST', '/v1/orgs/', { name: 'x' }], status: 404 },
    {
      sentence: 'a body that no route takes is ignored',
      call: ['DELETE', '/v1/webhooks/whk_000000000000000000000', 'no json'],
      status: 404,
    },
    {
      sentence: 'names are trimmed, and white space inside becomes one blank',
      call: ['POST', '/v1/orgs', { name: '  White \t\n space\u00a0 Ltd ' }],
      status: 201,
      has: { name: 'White space Ltd', slug: 'white-space-ltd' },
    },
    { sentence: 'a name of blanks is none', call: ['POST', '/v1/orgs', { name: ' \n ' }], status: 400 },
    {
      sentence: 'control characters in names are refused',
      call: ['POST', '/v1/orgs', { name: 'a\u0007b' }],
      status: 400,
      has: error('validation_failed', '`name`: must not hold control characters.'),
    },
    {
      sentence: 'tags that differ only in case are one, in the first spelling',
      call: ['POST', '/v1/orgs', { name: 'Tagged', tags: ['zeta', 'API', ' api ', 'Api', 'a  b'] }],
      status: 201,
      has: { tags: ['a b', 'API', 'zeta'] },
    },
    {
      sentence: 'titles are kept on one line',
      call: ['POST', () => `/v1/sources/${world.news.id}/releases`, { title: ' Two\n lines ', titleShort: ' Two ' }],
      status: 201,
      has: { title: 'Two lines', titleShort: 'Two' },
    },
    {
      sentence: 'control characters in tags are refused',
      call: ['POST', '/v1/orgs', { name: 'x', tags: ['a\u001bb'] }],
      status: 400,
      has: error('validation_failed', '`tags[0]`: must not hold control characters.'),
    },
  ]);
});

describe('2.3: slugs', () => {
  table([
    {
      sentence: 'a generated slug avoids reserved words by its number',
      call: ['POST', '/v1/orgs', { name: 'Admin' }],
      status: 201,
      has: { slug: 'admin-2' },
    },
    {
      sentence: 'a taken one gets a number too',
      call: ['POST', '/v1/orgs', { name: 'Acme' }],
      status: 201,
      has: { slug: 'acme-2' },
    },
    {
      sentence: 'diacritics are removed',
      call: ['POST', '/v1/orgs', { name: 'Zürich & Söhne' }],
      status: 201,
      has: { slug: 'zurich-sohne' },
    },
    {
      sentence: 'a name without a letter or digit makes none',
      call: ['POST', '/v1/orgs', { name: '!!!' }],
      status: 400,
    },
    {
      sentence: 'what is reserved for orgs is free for sources',
      call: ['POST', '/v1/sources', { name: 'Admin', url: 'https://example.com/a', orgSlug: 'acme' }],
      status: 201,
      has: { slug: 'admin' },
    },
  ]);
});

describe('2.7: dates in input', () => {
  const feed = '/v1/orgs/acme/releases';
  const mustBe = 'must be a day, a date-time with a zone, or a number followed by d, w, m or y';
  table([
    ...[
      '2026-03-01',
      '2026-03-01T00:00:00Z',
      '2026-03-01T00:00%2B02',
      '2026-03-01T00:00%2B0200',
      '7d',
      '2W',
      '1m',
      '0y',
    ].map(
      (since): Row => ({ sentence: `since=${since} is taken`, call: ['GET', `${feed}?since=${since}`], status: 200 }),
    ),
    ...['2026-02-30', '2026-03-01T00:00:00', '2026/03/01', '7', '1.5d', '-7d', '1969-12-31', '10000d'].map(
      (since): Row => ({
        sentence: `since=${since} is refused`,
        call: ['GET', `${feed}?since=${since}`],
        status: 400,
        has: error('invalid_parameter', `\`since\` ${mustBe}; it was \`${since}\`.`, { parameter: 'since' }),
      }),
    ),
    {
      sentence: 'since later than until',
      call: ['GET', `${feed}?since=2026-03-02&until=2026-03-01`],
      status: 400,
      has: error('conflicting_parameters', '`since` must not be later than `until`.', {
        parameters: ['since', 'until'],
      }),
    },
    { sentence: 'one day is since and until', call: ['GET', `${feed}?since=2026-03-01&until=2026-03-01`], status: 200 },
  ]);
});

describe('13.1 and 13.2: subscriptions', () => {
  const hook = { url: hookUrl, orgSlug: 'acme' };
  table([
    {
      sentence: 'the list takes enabled',
      call: ['GET', '/v1/webhooks?enabled=false'],
      status: 200,
      has: () => ({ subscriptions: [{ id: world.webhookId, enabled: false, disabledReason: 'manual' }] }),
    },
    {
      sentence: 'and org with it',
      call: ['GET', '/v1/webhooks?org=other&enabled=0'],
      status: 200,
      has: { subscriptions: [] },
    },
    { sentence: 'enabled is a boolean', call: ['GET', '/v1/webhooks?enabled=maybe'], status: 400 },
    {
      sentence: 'breaking values are different ones',
      call: ['POST', '/v1/webhooks', { ...hook, breaking: ['major', 'major'] }],
      status: 400,
      has: error('validation_failed', '`breaking`: must name each value once.'),
    },
    { sentence: 'and at least one', call: ['POST', '/v1/webhooks', { ...hook, breaking: [] }], status: 400 },
    { sentence: 'minImportance is 1 to 5', call: ['POST', '/v1/webhooks', { ...hook, minImportance: 6 }], status: 400 },
    { sentence: 'an org is required', call: ['POST', '/v1/webhooks', { url: hookUrl }], status: 400 },
    {
      sentence: 'a description has at most 1000 characters',
      call: ['POST', '/v1/webhooks', { ...hook, description: 'x'.repeat(1001) }],
      status: 400,
    },
    {
      sentence: 'the form of the URL comes before the org',
      call: ['POST', '/v1/webhooks', { url: 'ftp://x', orgSlug: 'nobody' }],
      status: 400,
    },
    {
      sentence: 'the org comes before the look at DNS',
      call: ['POST', '/v1/webhooks', { url: 'https://gone.example.com/', orgSlug: 'nobody' }],
      status: 404,
    },
    {
      sentence: 'a source of another org is not found',
      call: ['POST', '/v1/webhooks', { ...hook, sourceSlug: 'foreign' }],
      status: 404,
      has: noSourceOf('foreign'),
    },
    {
      sentence: 'a source that is not of the product',
      call: ['POST', '/v1/webhooks', { ...hook, sourceSlug: 'blog', productSlug: 'kit' }],
      status: 400,
    },
  ]);
});

describe('14.3: sources', () => {
  const source = { name: 'Typed', url: 'https://example.com/typed', orgSlug: 'acme' };
  table([
    ...(
      [
        ['feedUrl', 7],
        ['feedUrl', 'no address'],
        ['githubUrl', []],
        ['changelogUrl', {}],
        ['feedType', 1],
        ['appStore', 'ios'],
        ['appStore', { platform: 'tape' }],
        ['video', { provider: 7 }],
        ['packages', { npm: 'x' }],
      ] as const
    ).map(
      ([key, value]): Row => ({
        sentence: `metadata.${key} is checked by its type: ${JSON.stringify(value)}`,
        call: ['POST', '/v1/sources', { ...source, metadata: { [key]: value } }],
        status: 400,
        has: { error: { code: 'validation_failed', message: expect.stringContaining(`metadata.${key}`) } },
      }),
    ),
    {
      sentence: 'any other key is free',
      call: [
        'POST',
        '/v1/sources',
        { ...source, metadata: { mine: [1, { deep: true }], appStore: { platform: 'ios' } } },
      ],
      status: 201,
    },
    {
      sentence: 'a product of another org is not found',
      call: ['POST', () => '/v1/sources', { ...source, productSlug: 'stranger' }],
      status: 404,
      has: error('not_found', 'There is no product `stranger`.', { entity: 'product' }),
    },
  ]);

  it('nor by its id', async () => {
    const answer = await service.post('/v1/sources', { ...source, productId: world.stranger.id });
    expect(answer.status).toBe(404);
    expect(answer.body.error.message).toBe(`There is no product \`${world.stranger.id}\`.`);
  });
});

describe('2.2 and 14.4: releases', () => {
  it('with a date in the title only is the one that is sent with that date', async () => {
    const send = (release: object) => service.post(`/v1/sources/${world.blog.id}/releases`, release);
    const first = await send({ title: 'Changes of March 1, 2026' });
    expect([first.status, first.body.publishedAt]).toEqual([201, '2026-03-01T00:00:00.000Z']);
    const again = await send({ title: 'changes  of March 1, 2026', publishedAt: '2026-03-01T09:00:00Z' });
    expect([again.status, again.body.id, again.body.result]).toEqual([200, first.body.id, 'revised']);
  });

  it('one bad item refuses the batch, and is named by its place', async () => {
    const releases = [{ title: 'Good' }, { title: 'Better' }, { title: 'Best' }, { title: ' ' }];
    const answer = await service.post(`/v1/sources/${world.blog.id}/releases/batch`, { releases });
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, 'releases[3].title']);
    expect(answer.body.error.message).toBe('`releases[3].title`: must have 1 to 500 characters.');
  });
});
