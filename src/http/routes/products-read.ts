import { type ZodObject, z } from 'zod';
import { releaseFeedAnswer } from '../../../queries/feed/release-feed-answer.ts';
import { overviewOf, overviewReads } from '../../../queries/overview.ts';
import {
  type ProductDetail,
  productDetail as productDetailQuery,
  productDetailReads,
  productFeed,
} from '../../../queries/product-detail.ts';
import { productList, productListReads } from '../../../queries/product-list.ts';
import { productNumbers } from '../../../queries/product-numbers.ts';
import { catalogueReads } from '../../catalogue/catalogue.ts';
import { resolveOrg, resolveProduct } from '../../catalogue/resolve.ts';
import { alphabeticalSet } from '../../domain/alphabetical.ts';
import { kinds } from '../../domain/enumerations.ts';
import type { LaneChoice } from '../../domain/release/feed/lane.ts';
import { productMarkdown } from '../../forms/markdown/product-markdown.ts';
import { overview } from '../answers/overview.ts';
import { productDetail, productList as productListBody } from '../answers/product.ts';
import { bareTags } from '../answers/tags.ts';
import { knownParameters } from '../request/known-parameters.ts';
import { booleanParam, enumParam, identifierParam, pageParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { detailQuery } from './detail-query.ts';
import { excerptsOf, type ReadPage, restOfPage } from './feed-pages.ts';
import { noQuery } from './org-path.ts';
import { pathsOfPages } from './paths-of-pages.ts';
import { type ProductAddress, productBelowOrg, productByItself } from './product-addresses.ts';
import { shortPages } from './reader-notes.ts';

const product = { method: 'GET' as const, tag: 'Products', access: 'public' as const, cache: 'entity' as const };

const listProducts = defineRoute({
  ...product,
  path: '/products',
  summary: 'List products',
  params: z.object({}),
  query: z.object({
    orgId: identifierParam,
    kind: enumParam(kinds),
    include_hidden: booleanParam(),
    page: pageParam,
    limit: sizeParam({ fallback: 500, max: 500 }),
  }),
  adminOption: ({ query }) => (query.include_hidden ? 'include_hidden' : undefined),
  reads: productListReads,
  responses: { 200: productListBody },
  handle: async ({ query }, { view }) => {
    const { orgId: org, include_hidden: includeHidden, ...others } = query;
    return { status: 200, body: productList(await view(), { ...others, org, includeHidden }) };
  },
});

const wantedReleases = (query: z.output<typeof detailQuery>): LaneChoice => ({
  includePrereleases: query.include_prereleases,
  includeCoverage: query.include_coverage,
});

const showProductAt = <Params extends ZodObject>({ path, params, resolve }: ProductAddress<Params>) =>
  defineRoute({
    ...product,
    path,
    summary: 'Show a product with its sources and a page of its releases',
    description: shortPages,
    params,
    query: detailQuery,
    reads: [...productDetailReads, ...overviewReads],
    responses: { 200: productDetail },
    handle: async (request, services) => {
      const { query, sent, nowMs, admin } = request;
      const view = await services.view();
      const input = {
        org: null,
        product: resolve(view.catalogue, request.params, admin).id,
        cursor: query.cursor,
        limit: query.limit,
        ...wantedReleases(query),
        sent: knownParameters(detailQuery, sent),
      };
      return { status: 200, body: await productDetailQuery(view, input, { nowMs, admin }) };
    },
    markdown: async (body, request, services) => {
      const view = await services.view();
      const product = body as ProductDetail;
      const { slug: orgSlug } = resolveOrg(view.catalogue, product.orgId, true); // whoever sees the product sees its org
      const feed = {
        product: resolveProduct(view.catalogue, product.id, request.admin),
        ...wantedReleases(request.query),
        sent: knownParameters(detailQuery, request.sent),
      };
      const readPage: ReadPage = (paging) =>
        releaseFeedAnswer(view, productFeed(view, { ...feed, ...paging }, request));
      return productMarkdown({
        product,
        releases: await excerptsOf(restOfPage(product, readPage)),
        orgSlug,
        webPathOf: pathsOfPages(view.catalogue, orgSlug),
        numbers: productNumbers(view, product.id, request),
        overview: (await overviewOf(view, product.id, request.nowMs))?.content ?? null,
        webBaseUrl: view.webBaseUrl,
      });
    },
  });

const listTags = defineRoute({
  ...product,
  path: `${productByItself.path}/tags`,
  summary: 'Tags of a product',
  cache: 'slow',
  params: productByItself.params,
  query: noQuery,
  reads: catalogueReads,
  responses: { 200: bareTags },
  handle: async ({ params, admin }, { view }) => ({
    status: 200,
    body: alphabeticalSet(productByItself.resolve((await view()).catalogue, params, admin).tags),
  }),
});

const showOverview = defineRoute({
  ...product,
  path: `${productByItself.path}/overview`,
  summary: 'What a product is about; null when nobody wrote it',
  extension: true,
  params: productByItself.params,
  query: noQuery,
  reads: [...catalogueReads, ...overviewReads],
  responses: { 200: overview.nullable() },
  handle: async ({ params, nowMs, admin }, services) => {
    const view = await services.view();
    const { id } = productByItself.resolve(view.catalogue, params, admin);
    return { status: 200, body: await overviewOf(view, id, nowMs) };
  },
});

export const showProduct = showProductAt(productBelowOrg);

export const productReadRoutes: readonly Route[] = [
  listProducts,
  showProductAt(productByItself),
  showProduct,
  listTags,
  showOverview,
];
