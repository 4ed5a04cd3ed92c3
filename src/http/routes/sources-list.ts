import { z } from 'zod';
import { sourceList as sourceListQuery, sourceListReads } from '../../../queries/sources/source-list.ts';
import { categories, kinds, sourceTypes } from '../../domain/enumerations.ts';
import { bareSources, sourceList } from '../answers/source.ts';
import { booleanParam, enumParam, identifierParam, pageParam, partParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';

const listSources = defineRoute({
  method: 'GET',
  path: '/sources',
  tag: 'Sources',
  summary: 'List sources; by `slug` or `orgId` without an envelope, unless one is asked for',
  access: 'public',
  params: z.object({}),
  query: z.object({
    independent: booleanParam(),
    orgSlug: identifierParam,
    productSlug: identifierParam,
    hasFeed: booleanParam(),
    has_feed: booleanParam(),
    query: partParam,
    category: enumParam(categories),
    type: enumParam(sourceTypes),
    kind: enumParam(kinds),
    include_hidden: booleanParam(),
    slug: identifierParam,
    orgId: identifierParam,
    envelope: booleanParam(),
    page: pageParam,
    limit: sizeParam({ fallback: 500, max: 500 }),
  }),
  adminOption: ({ query }) => (query.include_hidden ? 'include_hidden' : undefined),
  cache: 'entity',
  reads: sourceListReads,
  responses: { 200: z.union([sourceList, bareSources]) },
  handle: async ({ query, nowMs, admin }, { view }) => {
    const { independent, category, type, kind, slug, orgId, page, limit } = query;
    const input = {
      independent,
      hasFeed: query.hasFeed || query.has_feed,
      category,
      type,
      kind,
      includeHidden: query.include_hidden,
      org: query.orgSlug,
      orgId,
      product: query.productSlug,
      slug,
      q: query.query,
      page,
      limit,
    };
    const list = await sourceListQuery(await view(), input, { nowMs, admin });
    const isBare = (slug !== null || orgId !== null) && !query.envelope;
    return { status: 200, body: isBare ? list.items : list };
  },
});

/** Contract 5.1. */
export const sourceListRoutes: readonly Route[] = [listSources];
