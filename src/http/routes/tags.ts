import { z } from 'zod';
import { tagName } from '../../domain/tag-list.ts';
import { tagDetail, tagReads } from '../../../queries/tag-detail.ts';
import { addTag } from '../../use-cases/add-tag.ts';
import { tag, tagDetail as tagDetailBody } from '../answers/tag.ts';
import { defineRoute, type Route } from '../route.ts';

const createTagRoute = defineRoute({
  method: 'POST',
  path: '/tags',
  tag: 'Tags',
  summary: 'Create a tag, or find the one that has this name in any case',
  extension: true,
  access: 'write',
  params: z.object({}),
  query: z.object({}),
  body: z.strictObject({ name: tagName }),
  idempotent: true,
  reads: tagReads,
  responses: { 200: tag, 201: tag },
  handle: async ({ body, command }, services) => {
    const { id, state, isNew, position } = await addTag(services, body.name, command);
    if (state.status === 'absent') throw new Error(`the tag ${id} was neither found nor created`);
    return { status: isNew ? 201 : 200, position, body: { id, slug: state.slug, name: state.name } };
  },
});

const showTag = defineRoute({
  method: 'GET',
  path: '/tags/:slug',
  tag: 'Tags',
  summary: 'Show a tag with the orgs and products that have it',
  extension: true,
  access: 'public',
  params: z.object({ slug: z.string() }),
  query: z.object({}),
  cache: 'slow',
  reads: tagReads,
  responses: { 200: tagDetailBody },
  handle: async ({ params }, { view }) => ({ status: 200, body: await tagDetail(await view(), { tag: params.slug }) }),
});

export const tagRoutes: readonly Route[] = [createTagRoute, showTag];
