import { type ZodObject, z } from 'zod';
import { changeOrgTags } from '../../../commands/org/change-org-tags.ts';
import { changeProductTags } from '../../../commands/product/change-product-tags.ts';
import { orgListReads } from '../../../queries/orgs/org-list.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { resolveOrg } from '../../catalogue/resolve.ts';
import { alphabeticalSet } from '../../domain/alphabetical.ts';
import { type TagChanges, tagList } from '../../domain/tag-list.ts';
import type { CommandRequest } from '../../kernel/command.ts';
import { tags } from '../answers/tags.ts';
import { defineRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { noQuery, orgParams } from './org-path.ts';
import { productByItself } from './product-addresses.ts';

interface TaggedResult {
  readonly state: { readonly tags: readonly string[] };
  readonly position: number;
}

/** What has tags: how its path leads to it, and the command that changes them. */
interface Tagged<Params extends ZodObject> {
  readonly noun: string;
  readonly tag: string;
  readonly path: string;
  readonly params: Params;
  readonly resolve: (catalogue: Catalogue, params: z.output<Params>, admin: boolean) => { readonly id: string };
  readonly change: (
    { commands }: Services,
    id: string,
    changes: TagChanges,
    request: CommandRequest,
  ) => Promise<TaggedResult>;
}

const oneTag = z.object({ tag: z.string() });
const sentTags = z.strictObject({ tags: tagList });

const tagRoutesOf = <Params extends ZodObject>({ noun, tag, path, params, resolve, change }: Tagged<Params>) => {
  const common = { tag, extension: true, access: 'write' as const, query: noQuery, reads: orgListReads };

  const changed = async (id: string, changes: TagChanges, request: CommandRequest, services: Services) => {
    const { state, position } = await change(services, id, changes, request);
    await services.viewAfter(orgListReads, position);
    return { position, body: { items: alphabeticalSet(state.tags) } };
  };

  const replace = defineRoute({
    ...common,
    method: 'PUT',
    path: `${path}/tags`,
    summary: `Replace the tags of ${noun}`,
    params,
    body: sentTags,
    responses: { 200: tags },
    handle: async (request, services) => {
      const { id } = resolve((await services.view()).catalogue, request.params, request.admin);
      return { status: 200, ...(await changed(id, { replace: request.body.tags }, request.command, services)) };
    },
  });

  const add = defineRoute({
    ...common,
    method: 'POST',
    path: `${path}/tags`,
    summary: `Add tags to ${noun}`,
    params,
    body: sentTags,
    idempotent: true,
    responses: { 200: tags },
    handle: async (request, services) => {
      const { id } = resolve((await services.view()).catalogue, request.params, request.admin);
      return { status: 200, ...(await changed(id, { add: request.body.tags }, request.command, services)) };
    },
  });

  const remove = defineRoute({
    ...common,
    method: 'DELETE',
    path: `${path}/tags/:tag`,
    summary: `Remove a tag of ${noun}`,
    params: params.extend(oneTag.shape),
    responses: { 204: null },
    handle: async (request, services) => {
      const { id } = resolve((await services.view()).catalogue, params.parse(request.params), request.admin);
      const { position } = await changed(id, { remove: oneTag.parse(request.params).tag }, request.command, services);
      return { status: 204, position };
    },
  });

  return [replace, add, remove];
};

export const tagListRoutes: readonly Route[] = [
  ...tagRoutesOf({
    noun: 'an org',
    tag: 'Orgs',
    path: '/orgs/:slug',
    params: orgParams,
    resolve: (catalogue, { slug }, admin) => resolveOrg(catalogue, slug, admin),
    change: ({ commands }, orgId, tags, request) => commands.run(changeOrgTags, { orgId, tags }, request),
  }),
  ...tagRoutesOf({
    noun: 'a product',
    tag: 'Products',
    ...productByItself,
    change: ({ commands }, productId, tags, request) => commands.run(changeProductTags, { productId, tags }, request),
  }),
];
