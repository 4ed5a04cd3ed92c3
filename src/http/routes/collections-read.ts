import { z } from 'zod';
import { collectionDetail, collectionReads } from '../../../queries/collections/collection-detail.ts';
import { collectionList } from '../../../queries/collections/collection-list.ts';
import { collectionFeed, collectionReleasesReads } from '../../../queries/collections/collection-releases.ts';
import {
  collectionDetail as collectionDetailBody,
  collectionList as collectionListBody,
  collectionReleases as collectionReleasesBody,
} from '../answers/collection.ts';
import { resolveCollection } from '../../catalogue/resolve.ts';
import { booleanParam, pageParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { feedAnswer, feedForm } from './feed-form.ts';
import { shortPages } from './reader-notes.ts';
import { sharedFeedInput, sharedFeedQuery } from './shared-feed.ts';

const bySlug = z.object({ slug: z.string() });

const listCollections = defineRoute({
  method: 'GET',
  path: '/collections',
  tag: 'Collections',
  summary: 'List collections with a few of their members',
  access: 'public',
  params: z.object({}),
  query: z.object({
    featured: booleanParam(),
    page: pageParam,
    limit: sizeParam({ fallback: 500, max: 500 }),
  }),
  cache: 'slow',
  reads: collectionReads,
  responses: { 200: collectionListBody },
  handle: async ({ query }, { view }) => ({ status: 200, body: collectionList(await view(), query) }),
});

const showCollection = defineRoute({
  method: 'GET',
  path: '/collections/:slug',
  tag: 'Collections',
  summary: 'Show a collection with all its members',
  access: 'public',
  params: bySlug,
  query: z.object({}),
  cache: 'slow',
  reads: collectionReads,
  responses: { 200: collectionDetailBody },
  handle: async ({ params }, { view }) => ({
    status: 200,
    body: collectionDetail(await view(), { collection: params.slug }),
  }),
});

export const listCollectionReleases = defineRoute({
  method: 'GET',
  path: '/collections/:slug/releases',
  markdown: feedForm('collection', ({ catalogue }, { slug }) => resolveCollection(catalogue, slug).slug),
  tag: 'Collections',
  summary: 'List the releases of all members of a collection, newest first',
  description: shortPages,
  access: 'public',
  params: bySlug,
  query: sharedFeedQuery,
  cache: 'entity',
  reads: collectionReleasesReads,
  responses: { 200: collectionReleasesBody },
  handle: async (request, { view }) => {
    const input = { collection: request.params.slug, ...sharedFeedInput(request) };
    const reading = await view();
    return feedAnswer(reading, collectionFeed(reading, input, request), request);
  },
});

export const collectionReadRoutes: readonly Route[] = [listCollections, showCollection, listCollectionReleases];
