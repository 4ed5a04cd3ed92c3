import { z } from 'zod';
import { categoryDetail } from '../../../queries/categories/category-detail.ts';
import { categoryList, categoryReads } from '../../../queries/categories/category-list.ts';
import { categoryFeed, categoryReleasesReads } from '../../../queries/categories/category-releases.ts';
import {
  categoryDetail as categoryDetailBody,
  categoryList as categoryListBody,
  categoryReleases as categoryReleasesBody,
} from '../answers/category.ts';
import { defineRoute, type Route } from '../route.ts';
import { feedAnswer, feedForm } from './feed-form.ts';
import { shortPages } from './reader-notes.ts';
import { sharedFeedInput, sharedFeedQuery } from './shared-feed.ts';

const bySlug = z.object({ slug: z.string() });

const listCategories = defineRoute({
  method: 'GET',
  path: '/categories',
  tag: 'Categories',
  summary: 'List all categories with how much is in them',
  extension: true,
  access: 'public',
  params: z.object({}),
  query: z.object({}),
  cache: 'slow',
  reads: categoryReads,
  responses: { 200: categoryListBody },
  handle: async ({ nowMs }, { view }) => ({ status: 200, body: categoryList(await view(), { nowMs }) }),
});

const showCategory = defineRoute({
  method: 'GET',
  path: '/categories/:slug',
  tag: 'Categories',
  summary: 'Show a category with its orgs and products',
  extension: true,
  access: 'public',
  params: bySlug,
  query: z.object({}),
  cache: 'slow',
  reads: categoryReads,
  responses: { 200: categoryDetailBody },
  handle: async ({ params, nowMs }, { view }) => ({
    status: 200,
    body: categoryDetail(await view(), { category: params.slug }, { nowMs }),
  }),
});

export const listCategoryReleases = defineRoute({
  method: 'GET',
  path: '/categories/:slug/releases',
  tag: 'Categories',
  summary: 'List the releases of a category, newest first',
  description: shortPages,
  access: 'public',
  params: bySlug,
  query: sharedFeedQuery,
  cache: 'entity',
  reads: categoryReleasesReads,
  responses: { 200: categoryReleasesBody },
  handle: async (request, { view }) => {
    const input = { category: request.params.slug, ...sharedFeedInput(request) };
    const reading = await view();
    return feedAnswer(reading, categoryFeed(reading, input, request), request);
  },
  markdown: feedForm('category', (_, { slug }) => slug),
});

export const categoryRoutes: readonly Route[] = [listCategories, showCategory, listCategoryReleases];
