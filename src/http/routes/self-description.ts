import { z } from 'zod';
import { DomainError } from '../../kernel/errors.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import { health, openApiDocument, serviceIndex } from '../answers/self-description.ts';
import { type Findings, runChecks } from '../health-checks.ts';
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
  responses: { 200: openApiDocument },
  handle: async (_, { openApi }) => ({ status: 200, body: openApi() }),
});

export const indexRoutes: readonly Route[] = [index, openapi];

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
