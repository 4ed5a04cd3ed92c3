import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../../src/compose/http-app.ts';
import { templateOf } from '../../src/http/openapi/operation.ts';
import { isKeepable } from '../../src/http/route.ts';
import { allRoutes, rootRoutes } from '../../src/http/routes/all-routes.ts';
import { webRoutes } from '../../src/http/routes/web/web-pages.ts';
import type { Registry } from '../../src/compose/registry.ts';
import { serviceName, serviceVersion } from '../../src/kernel/service-version.ts';
import {
  type HttpAnswer,
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../spec/http/http-service.ts';
import { serveApp } from '../spec/http/serve-app.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

describe('the index', () => {
  it('says what this is and where to begin', async () => {
    const { status, body, headers } = await service.get('/v1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ service: serviceName, version: serviceVersion });
    expect(headers.get('cache-control')).toBe('public, max-age=3600, stale-while-revalidate=300');
    for (const link of Object.values<string>(body.links)) {
      expect((await service.get(link)).status, link).toBe(200);
    }
  });

  it('is where the root leads, until there are pages', async () => {
    const { status, headers } = await fetch(service.url, { redirect: 'manual' });
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('/v1');
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('names the version of the package', () => {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect({ name, version }).toEqual({ name: serviceName, version: serviceVersion });
  });
});

describe('health', () => {
  it.each(['/health', '/health/live', '/health/ready'])('%s is ok and is kept by no cache', async (path) => {
    const { status, body, headers } = await service.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, service: serviceName });
    expect(Object.values(body.checks).every((outcome) => outcome === 'ok')).toBe(true);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('checks every store, what fills the read models and what delivers', async () => {
    expect((await service.get('/health/ready')).body.checks).toEqual({
      eventStore: 'ok',
      operationalStore: 'ok',
      readModels: 'ok',
      projections: 'ok',
      delivery: 'ok',
      messageBus: 'ok',
    });
  });

  const statusesOf = async (broken: Partial<Registry>) => {
    const app = await createHttpApp(
      { ...service.registry, ...broken },
      {
        rootApiKey,
        secretKey: new Uint8Array(32),
        webBaseUrl,
        trustedOrigins: [],
        lookups: noLookups,
        rateLimits: wideLimits,
      },
    );
    const { url, close } = await serveApp(app);
    const answers = await Promise.all(['live', 'ready'].map((name) => fetch(`${url}/health/${name}`)));
    const ready = { problem: await answers[1]?.json(), retryAfter: answers[1]?.headers.get('retry-after') };
    await close();
    return { statuses: answers.map(({ status }) => status), ...ready };
  };

  it('is live but not ready while a read model is being filled', async () => {
    const { live } = service.registry;
    const { statuses, problem, retryAfter } = await statusesOf({ live: { ...live, current: async () => null } });
    expect(statuses).toEqual([200, 503]);
    expect(problem).toMatchObject({ error: { code: 'service_unavailable', type: 'unavailable' } });
    expect(retryAfter).toBe('1');
  });

  it('is live but not ready while the event store cannot be read', async () => {
    const { eventStore } = service.registry;
    const broken = { ...eventStore, head: () => Promise.reject(new Error('no such disk')) };
    const { statuses, problem } = await statusesOf({ eventStore: broken });
    expect(statuses).toEqual([200, 503]);
    expect(JSON.stringify(problem)).not.toContain('disk');
  });
});

describe('the OpenAPI document', () => {
  let document: HttpAnswer['body'];

  beforeAll(async () => {
    const { body, headers } = await service.get('/v1/openapi.json');
    expect(headers.get('cache-control')).toBe('public, max-age=3600, stale-while-revalidate=300');
    document = body;
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('has version 1.0.0 of the interface and one bearer scheme', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(Object.values(document.components.securitySchemes)).toEqual([
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    ]);
  });

  const placed = [
    ...allRoutes.map((route) => ({ path: `/v1${route.path}`, route })),
    ...[...rootRoutes, ...webRoutes].map((route) => ({ path: route.path, route })),
  ];

  it.each(placed.map(({ path, route }) => [route.method, path, route] as const))(
    'describes %s %s',
    (_, path, route) => {
      const operation = document.paths[templateOf(path)]?.[route.method.toLowerCase()];
      expect(operation).toBeDefined();
      expect(operation['x-extension'] === true).toBe(route.extension);
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Problem' });
      for (const status of Object.keys(route.responses)) expect(operation.responses).toHaveProperty(status);
      const headers = (operation.parameters ?? []).map(({ $ref }: { $ref?: string }) => $ref);
      expect(headers.includes('#/components/parameters/Idempotency-Key')).toBe(route.idempotent);
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const inPath = (operation.parameters ?? []).filter((parameter: { in?: string }) => parameter.in === 'path');
      expect(inPath.map(({ name }: { name: string }) => name).sort()).toEqual(named.sort());
    },
  );

  it('names the rate limit on every answer of every route that is counted', () => {
    const uncounted: string[] = [];
    for (const { path, route } of placed) {
      const { responses } = document.paths[templateOf(path)][route.method.toLowerCase()];
      if (!route.isCounted) uncounted.push(path);
      expect(responses[429]).toEqual(route.isCounted ? { $ref: '#/components/responses/RateLimited' } : undefined);
      for (const status of [...Object.keys(route.responses), ...(route.method === 'GET' ? ['304'] : [])]) {
        const names = Object.keys(responses[status].headers);
        expect(names.includes('RateLimit') && names.includes('RateLimit-Policy'), `${path} ${status}`).toBe(
          route.isCounted,
        );
      }
    }
    expect(uncounted.sort()).toEqual([
      '/.well-known/api-catalog',
      '/health',
      '/health/live',
      '/health/ready',
      '/schemas/manifest-2.json',
      '/v1/docs',
      '/v1/openapi.json',
    ]);
    const { RateLimited, Problem } = document.components.responses;
    expect(Object.keys(RateLimited.headers)).toEqual(
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']),
    );
    expect(Object.keys(Problem.headers)).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy']));
  });

  it('names the headers that only some answers have, where they are', () => {
    const pathsWith = (name: string): string[] =>
      Object.keys(document.paths).filter((path) => document.paths[path].get?.responses[200]?.headers?.[name]);
    const asOf = ['/v1/orgs/{slug}', '/v1/orgs/{slug}/releases', '/v1/releases/{id}'];
    const asOfPages = ['/release/{release}.json', '/release/{release}.md', '/{org}.json', '/{org}.md'];
    expect(pathsWith('X-Service-As-Of').sort()).toEqual([...asOf, ...asOfPages].sort());
    const keepable = [
      ...allRoutes.filter(isKeepable).map(({ path }) => templateOf(`/v1${path}`)),
      ...[...rootRoutes, ...webRoutes].filter(isKeepable).map(({ path }) => templateOf(path)),
    ];
    expect(pathsWith('X-Cache').sort()).toEqual(keepable.sort());
    expect(document.components.headers['X-Cache'].schema.enum).toEqual(['HIT', 'MISS', 'BYPASS']);
    const pages = webRoutes.map(({ path }) => templateOf(path)).sort();
    expect(pathsWith('X-Robots-Tag').sort()).toEqual(pages);
    expect(pathsWith('Link').sort()).toEqual(['/.well-known/api-catalog', ...pages]);
  });

  it('tells a reader what neither parameters nor schemas tell, where he looks for it', () => {
    const described = (isWanted: (parameterNames: readonly string[], path: string) => boolean) =>
      placed
        .filter(({ route }) => route.method === 'GET' && route.access === 'public')
        .map(({ path, route }) => ({ path, names: Object.keys(route.query.shape) }))
        .filter(({ path, names }) => isWanted(names, path))
        .map(({ path }) => [path, document.paths[templateOf(path)].get.description] as const);
    const expectTold = (told: readonly (readonly [string, unknown])[], sentence: RegExp) => {
      expect(told.length).toBeGreaterThan(0);
      expect(told.filter(([, description]) => !sentence.test(String(description)))).toEqual([]);
    };
    const isApi = (path: string): boolean => path.startsWith('/v1/');
    // What happened to one release is short, and its pages are whole.
    const mayBeShort = (path: string): boolean => isApi(path) && path !== '/v1/releases/:id/history';
    expectTold(
      described((names, path) => names.includes('cursor') && mayBeShort(path)),
      /fewer items than `limit`/,
    );
    expectTold(
      described((names, path) => names.includes('asOf') && isApi(path)),
      /hidden, deleted or taken down now/,
    );
    expectTold(
      described((_, path) => path === '/v1/orgs/:slug'),
      /`lastFetchedAt`.* null or 0 in the past/,
    );
    expectTold(
      described((_, path) => path === '/v1/summaries'),
      /At most 100.*`year` or `month`/,
    );
    expectTold(
      described((_, path) => path.endsWith('.atom')),
      /50 newest.*more than 10,000 characters/,
    );
  });

  it('describes nothing else', () => {
    const operations = Object.values<object>(document.paths).flatMap((item) => Object.keys(item));
    expect(operations.length).toBe(placed.length);
  });

  it('shows bodies as they are sent and parameters with their bounds', () => {
    const batch = document.paths['/v1/sources/{slug}/releases/batch'].post;
    const body = batch.requestBody.content['application/json'].schema;
    expect(body.required).toEqual(['releases']);
    expect(body.properties.releases).toMatchObject({ type: 'array', minItems: 1, maxItems: 500 });
    expect(body.properties.releases.items).toEqual({ $ref: '#/components/schemas/ReleaseInput' });
    const { title, publishedAt } = document.components.schemas.ReleaseInput.properties;
    expect(title).toEqual({ type: 'string', minLength: 1, maxLength: 500 });
    expect(publishedAt).toEqual({ type: ['string', 'null'] });
    const latest = document.paths['/v1/releases/latest'].get;
    expect(latest.parameters).toContainEqual({
      name: 'count',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    });
  });
});
