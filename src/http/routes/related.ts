import { z } from 'zod';
import type { NoNeighbours } from '../../../queries/related/nearest-neighbours.ts';
import { relatedScopes } from '../../../queries/related/related-answer.ts';
import { relatedReleases, relatedReleasesReads } from '../../../queries/related/related-releases.ts';
import { relatedSources, relatedSourcesReads } from '../../../queries/related/related-sources.ts';
import { relatedReleases as relatedReleasesBody, relatedSources as relatedSourcesBody } from '../answers/related.ts';
import { enumParam, identifierParam, requiredParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { searchIndexAt } from './search-at-position.ts';
import type { Services } from '../services.ts';

const sharedQuery = {
  scope: enumParam(relatedScopes),
  limit: sizeParam({ fallback: 5, max: 20 }),
};

const shared = {
  method: 'GET' as const,
  tag: 'Search',
  access: 'public' as const,
  params: z.object({}),
  cache: 'slow' as const,
  keptMs: 5 * 60_000, // contract 7
};

const depsOf = async (services: Services, minPosition: number | null) => ({
  openIndex: () => searchIndexAt(services, minPosition),
  embedder: services.search.embedder,
  kept: services.keptNeighbours,
  ...(await services.view()),
});

interface Related {
  readonly body: { readonly degraded: boolean; readonly degradedReason?: NoNeighbours };
  readonly isHit: boolean;
  readonly goodForMs: number;
}

const answerOf = (services: Services, { body, isHit, goodForMs }: Related) => {
  services.searched.add(body.degradedReason ?? 'whole');
  const headers = { 'X-Cache': isHit ? 'HIT' : 'MISS' };
  return { status: 200, body, isMakeshift: body.degraded, keptMsMax: goodForMs, headers };
};

const listRelatedReleases = defineRoute({
  ...shared,
  path: '/related/releases',
  summary: 'List releases that say something alike',
  query: z.object({ release: requiredParam, ...sharedQuery }),
  reads: relatedReleasesReads,
  responses: { 200: relatedReleasesBody },
  handle: async ({ query, minPosition, nowMs, admin }, services) => {
    const { release, scope, limit } = query;
    const input = { release, scope: scope ?? 'global', limit, isFresh: minPosition !== null };
    return answerOf(services, await relatedReleases(await depsOf(services, minPosition), input, { nowMs, admin }));
  },
});

const listRelatedSources = defineRoute({
  ...shared,
  path: '/related/sources',
  summary: 'List sources that are about the same',
  query: z.object({ source: requiredParam, ...sharedQuery, excludeOrgSlug: identifierParam }),
  reads: relatedSourcesReads,
  responses: { 200: relatedSourcesBody },
  handle: async ({ query, minPosition, nowMs, admin }, services) => {
    const { source, scope, limit, excludeOrgSlug } = query;
    const input = { source, scope: scope ?? 'global', limit, excludeOrgSlug, isFresh: minPosition !== null };
    return answerOf(services, await relatedSources(await depsOf(services, minPosition), input, { nowMs, admin }));
  },
});

export const relatedRoutes: readonly Route[] = [listRelatedReleases, listRelatedSources];
