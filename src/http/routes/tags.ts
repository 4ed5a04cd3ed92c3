import { z } from 'zod';
import { createTag } from '../../../commands/tag/create-tag.ts';
import { tagName } from '../../domain/tag-list.ts';
import { tagDetail, tagReads } from '../../../queries/tag-detail.ts';
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
  responses: { 200: tag, 201: tag },
  handle: async ({ body, command }, { commands }) => {
    const { id, state, events, position } = await commands.run(createTag, body, command);
    if (state.status === 'absent') throw new Error(`the tag ${id} was neither found nor created`);
    return { status: events.length === 0 ? 200 : 201, position, body: { id, slug: state.slug, name: state.name } };
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
