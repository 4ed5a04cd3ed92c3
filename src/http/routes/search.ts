import { z } from 'zod';
import { searchReads } from '../../../queries/search/find-hits.ts';
import type { DegradedReason } from '../../../queries/search/query-meaning.ts';
import { searchModes } from '../../../queries/search/ranked-lists.ts';
import { search, searchAllReads, searchReleases } from '../../../queries/search/search.ts';
import { categories, kinds } from '../../domain/enumerations.ts';
import { DomainError } from '../../kernel/errors.ts';
import { releaseSearchResult, searchResult } from '../answers/search.ts';
import { parseWindow } from '../request/date-window.ts';
import { booleanParam, dateParam, enumParam, identifierParam, sizeParam, typedParam } from '../request/query-params.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { searchIndexAt } from './search-at-position.ts';
import type { Services } from '../services.ts';

const searchQuery = z.object({
  q: typedParam(400),
  limit: sizeParam({ fallback: 20, max: 100 }),
  offset: sizeParam({ fallback: 0, min: 0, max: 1_000 }),
  mode: enumParam(searchModes),
  since: dateParam,
  until: dateParam,
  kind: enumParam(kinds),
  org: identifierParam,
  product: identifierParam,
  category: enumParam(categories),
  collection: identifierParam,
  include_coverage: booleanParam(),
});

type SearchRequest = Pick<
  RouteRequest<unknown, z.output<typeof searchQuery>, unknown>,
  'query' | 'nowMs' | 'admin' | 'minPosition'
>;

/** What both of them ask. */
async function asked({ query, nowMs, minPosition }: SearchRequest, services: Services) {
  if (query.q === '') throw new DomainError('missing_parameter', { parameter: 'q' });
  const { since, until, include_coverage: includeCoverage, mode, ...filters } = query;
  const input = { ...filters, mode: mode ?? 'hybrid', includeCoverage, ...parseWindow({ since, until }, nowMs) };
  const openIndex = () => searchIndexAt(services, minPosition);
  return { input, deps: { ...(await services.view()), openIndex, embedder: services.search.embedder } };
}

const answerOf = <Body extends { readonly degradedReason?: DegradedReason }>(services: Services, body: Body) => {
  services.searched.add(body.degradedReason ?? 'whole');
  return { status: 200, body };
};

const shared = {
  method: 'GET' as const,
  tag: 'Search',
  access: 'public' as const,
  params: z.object({}),
  query: searchQuery,
  cache: 'search' as const,
};

const searchAll = defineRoute({
  ...shared,
  path: '/search',
  reads: searchAllReads,
  summary: 'Search orgs, products, sources, collections, releases and changelogs',
  responses: { 200: searchResult },
  handle: async (request, services) => {
    const { deps, input } = await asked(request, services);
    return answerOf(services, await search(deps, input, request));
  },
});

const searchOnlyReleases = defineRoute({
  ...shared,
  path: '/search/releases',
  reads: searchReads,
  summary: 'Search releases alone',
  responses: { 200: releaseSearchResult },
  handle: async (request, services) => {
    const { deps, input } = await asked(request, services);
    return answerOf(services, await searchReleases(deps, input, request));
  },
});

export const searchRoutes: readonly Route[] = [searchAll, searchOnlyReleases];
