import { z } from 'zod';
import { changeCollection } from '../../../commands/collection/change-collection.ts';
import { createCollection } from '../../../commands/collection/create-collection.ts';
import { deleteCollection } from '../../../commands/collection/delete-collection.ts';
import { collectionReads } from '../../../queries/collections/collection-detail.ts';
import { resolveCollection } from '../../catalogue/resolve.ts';
import { collectionChangeFields, collectionCreateFields } from '../../domain/collection/fields.ts';
import { collectionDetail } from '../answers/collection.ts';
import { defineRoute, type Route } from '../route.ts';
import { writtenCollection } from './written-collection.ts';

const bySlug = z.object({ slug: z.string() });
const noQuery = z.object({});

const createCollectionRoute = defineRoute({
  method: 'POST',
  path: '/collections',
  tag: 'Collections',
  summary: 'Create a collection',
  extension: true,
  access: 'write',
  params: z.object({}),
  query: noQuery,
  body: collectionCreateFields,
  idempotent: true,
  reads: collectionReads,
  responses: { 201: collectionDetail },
  handle: async ({ body, command }, services) =>
    writtenCollection(services, 201, await services.commands.run(createCollection, body, command)),
});

const changeCollectionRoute = defineRoute({
  method: 'PATCH',
  path: '/collections/:slug',
  tag: 'Collections',
  summary: 'Change a collection',
  extension: true,
  access: 'write',
  params: bySlug,
  query: noQuery,
  body: collectionChangeFields,
  reads: collectionReads,
  responses: { 200: collectionDetail },
  handle: async ({ params, body: changes, command }, services) => {
    const { id: collectionId } = resolveCollection((await services.view()).catalogue, params.slug);
    const written = await services.commands.run(changeCollection, { collectionId, changes }, command);
    return writtenCollection(services, 200, written);
  },
});

const deleteCollectionRoute = defineRoute({
  method: 'DELETE',
  path: '/collections/:slug',
  tag: 'Collections',
  summary: 'Delete a collection for good',
  extension: true,
  access: 'write',
  params: bySlug,
  query: noQuery,
  reads: collectionReads,
  responses: { 204: null },
  handle: async ({ params, command }, services) => {
    const { id: collectionId } = resolveCollection((await services.view()).catalogue, params.slug);
    const { position } = await services.commands.run(deleteCollection, { collectionId }, command);
    await services.viewAfter(collectionReads, position);
    return { status: 204, position };
  },
});

export const collectionWriteRoutes: readonly Route[] = [
  createCollectionRoute,
  changeCollectionRoute,
  deleteCollectionRoute,
];
