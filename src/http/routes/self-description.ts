import { z } from 'zod';
import { DomainError } from '../../kernel/errors.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import { apiCatalog, health, openApiDocument, serviceIndex } from '../answers/self-description.ts';
import { type Findings, runChecks } from '../health-checks.ts';
import { referencePolicy } from '../reference/reference.ts';
import { defineRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const none = z.object({});

const index = defineRoute({
  method: 'GET',
  path: '',
  tag: 'Service',
  summary: 'What this is and where to begin',
  extension: true,
  access: 'public',
  params: none,
  query: none,
  cache: 'document',
  responses: { 200: serviceIndex },
  handle: async () => ({
    status: 200,
    body: {
      service: serviceName,
      version: serviceVersion,
      links: {
        self: '/v1',
        openapi: '/v1/openapi.json',
        docs: '/v1/docs',
        apiCatalog: '/.well-known/api-catalog',
        orgs: '/v1/orgs',
        latestReleases: '/v1/releases/latest',
        health: '/health',
      },
    },
  }),
});

const openapi = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  tag: 'Service',
  summary: 'This interface as an OpenAPI document',
  access: 'public',
  params: none,
  query: none,
  cache: 'document',
  isCounted: false,
  responses: { 200: openApiDocument },
  handle: async (_, { openApi }) => ({ status: 200, body: openApi() }),
});

const docs = defineRoute({
  method: 'GET',
  path: '/docs',
  isCounted: false,
  tag: 'Service',
  summary: 'This interface as a page, to be read and tried',
  access: 'public',
  params: none,
  query: none,
  cache: 'document',
  documentType: 'text/html',
  responses: { 200: z.string() },
  handle: async (_, { reference }) => ({
    status: 200,
    document: { type: 'text/html', text: await reference.page() },
    headers: { 'Content-Security-Policy': referencePolicy },
  }),
});

export const indexRoutes: readonly Route[] = [index, openapi, docs];

/** What RFC 9727 has machines look for, as a body and as a header. */
function catalogueOf(webBaseUrl: string) {
  const anchor = `${webBaseUrl}/v1`;
  const description = { href: `${anchor}/openapi.json`, type: 'application/json' };
  const reference = { href: `${anchor}/docs`, type: 'text/html' };
  const status = { href: `${webBaseUrl}/health` };
  const linkset = [{ anchor, 'service-desc': [description], 'service-doc': [reference], status: [status] }];
  const link = [
    `<${webBaseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${description.href}>; rel="service-desc"; type="${description.type}"`,
    `<${reference.href}>; rel="service-doc"; type="${reference.type}"`,
    `<${status.href}>; rel="status"`,
  ].join(', ');
  return { body: { linkset }, link };
}

const catalog = defineRoute({
  method: 'GET',
  path: '/.well-known/api-catalog',
  isCounted: false,
  tag: 'Service',
  summary: 'Where the interface of this host is described',
  access: 'public',
  params: none,
  query: none,
  cache: 'document',
  documentType: 'application/linkset+json',
  ownHeaders: ['Link'],
  responses: { 200: apiCatalog },
  handle: async (_, { webBaseUrl }) => {
    const { body, link } = catalogueOf(webBaseUrl);
    const document = { type: 'application/linkset+json', text: JSON.stringify(body) } as const;
    return { status: 200, body, document, headers: { Link: link } };
  },
});

/** Below the host root. */
export const catalogRoutes: readonly Route[] = [catalog];

const look = ({ checks, log }: Services): Promise<Findings> =>
  runChecks(checks, (check, error) => log.warn('a health check failed', { check, error }));

const healthRoute = (path: string, summary: string, find: (services: Services) => Promise<Findings>) =>
  defineRoute({
    method: 'GET',
    path,
    tag: 'Service',
    summary,
    extension: true,
    access: 'public',
    params: none,
    query: none,
    isCounted: false,
    responses: { 200: health },
    handle: async (_, services) => {
      const { checks, unreachable } = await find(services);
      if (Object.values(checks).includes('fail')) throw new DomainError('service_unavailable', { checks, unreachable });
      return { status: 200, body: { ok: true, service: serviceName, checks } };
    },
  });

/** Below the host root. */
export const healthRoutes: readonly Route[] = [
  healthRoute('/health', 'Whether everything that requests need works', look),
  healthRoute('/health/live', 'Whether the process answers', async () => ({
    checks: { process: 'ok' },
    unreachable: [],
  })),
  healthRoute('/health/ready', 'Whether requests can be served', look),
];
