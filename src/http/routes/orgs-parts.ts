import { z } from 'zod';
import { orgAccounts, orgAccountsReads } from '../../../queries/orgs/org-accounts.ts';
import { orgCollections, orgCollectionsReads } from '../../../queries/orgs/org-collections.ts';
import { orgProducts, orgProductsReads } from '../../../queries/orgs/org-products.ts';
import { orgResolve, orgResolveReads } from '../../../queries/orgs/org-resolve.ts';
import { orgTags, orgTagsReads } from '../../../queries/orgs/org-tags.ts';
import { overviewOf, overviewReads } from '../../../queries/overview.ts';
import { kinds } from '../../domain/enumerations.ts';
import { collectionItems } from '../answers/collection.ts';
import { account, accountPage, resolved } from '../answers/org.ts';
import { overview } from '../answers/overview.ts';
import { productList } from '../answers/product.ts';
import { tagPage } from '../answers/tags.ts';
import { booleanParam, enumParam, identifierParam, pageParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { firstPage } from './first-page.ts';
import { noQuery, orgOfPath, orgParams } from './org-path.ts';

const paged = { page: pageParam, limit: sizeParam({ fallback: 500, max: 500 }) };

const part = {
  method: 'GET' as const,
  tag: 'Orgs',
  access: 'public' as const,
  params: orgParams,
  cache: 'entity' as const,
};

const listAccounts = defineRoute({
  ...part,
  path: '/orgs/:slug/accounts',
  summary: 'Linked accounts of an org; of one platform the one that was linked first',
  query: z.object({ ...paged, platform: identifierParam }),
  reads: orgAccountsReads,
  responses: { 200: z.union([accountPage, account.nullable()]) },
  handle: async ({ params, query, admin }, { view }) => ({
    status: 200,
    body: orgAccounts(await view(), { org: params.slug, ...query }, { admin }),
  }),
});

const listTags = defineRoute({
  ...part,
  path: '/orgs/:slug/tags',
  summary: 'Tags of an org',
  cache: 'slow',
  query: z.object(paged),
  reads: orgTagsReads,
  responses: { 200: tagPage },
  handle: async ({ params, query, admin }, { view }) => ({
    status: 200,
    body: orgTags(await view(), { org: params.slug, ...query }, { admin }),
  }),
});

const listProducts = defineRoute({
  ...part,
  path: '/orgs/:slug/products',
  summary: 'Products of an org',
  query: z.object({ ...paged, kind: enumParam(kinds), include_hidden: booleanParam() }),
  adminOption: ({ query }) => (query.include_hidden ? 'include_hidden' : undefined),
  reads: orgProductsReads,
  responses: { 200: productList },
  handle: async ({ params, query, admin }, { view }) => {
    const { include_hidden: includeHidden, ...wanted } = query;
    return { status: 200, body: orgProducts(await view(), { org: params.slug, includeHidden, ...wanted }, { admin }) };
  },
});

const listCollections = defineRoute({
  ...part,
  path: '/orgs/:slug/collections',
  summary: 'Collections that an org or one of its products is a member of',
  query: noQuery,
  cache: 'slow',
  reads: orgCollectionsReads,
  responses: { 200: collectionItems },
  handle: async ({ params, admin }, { view }) => ({
    status: 200,
    body: orgCollections(await view(), { org: params.slug }, { admin }),
  }),
});

const showOverview = defineRoute({
  ...part,
  path: '/orgs/:slug/overview',
  summary: 'What an org is about; null when nobody wrote it',
  extension: true,
  query: noQuery,
  reads: [...orgAccountsReads, ...overviewReads],
  responses: { 200: overview.nullable() },
  handle: async (request, services) => {
    const org = await orgOfPath(request, services);
    return { status: 200, body: await overviewOf(await services.view(), org.id, request.nowMs) };
  },
});

const resolveName = defineRoute({
  ...part,
  path: '/orgs/:org/resolve/:slug',
  summary: 'What a name below an org means: a product before a source',
  params: z.object({ org: z.string(), slug: z.string() }),
  query: noQuery,
  reads: orgResolveReads,
  responses: { 200: resolved },
  handle: async ({ params, nowMs, admin }, { view }) => ({
    status: 200,
    body: await orgResolve(await view(), { ...firstPage, ...params }, { nowMs, admin }),
  }),
});

/** What belongs to an org, each on a path of its own (contract 3.5). */
export const orgPartRoutes: readonly Route[] = [
  listAccounts,
  listTags,
  listProducts,
  listCollections,
  showOverview,
  resolveName,
];
