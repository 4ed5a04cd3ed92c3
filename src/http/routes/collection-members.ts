import { z } from 'zod';
import { addCollectionMember } from '../../../commands/collection/add-collection-member.ts';
import { removeCollectionMember } from '../../../commands/collection/remove-collection-member.ts';
import { replaceCollectionMembers } from '../../../commands/collection/replace-collection-members.ts';
import { collectionReads } from '../../../queries/collections/collection-detail.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { resolveCollection, resolveOrg, resolveProduct } from '../../catalogue/resolve.ts';
import { memberPosition, membersMax } from '../../domain/collection/fields.ts';
import { collectionDetail } from '../answers/collection.ts';
import { memberReference, namedMemberId, namesOneMember, notOneMember } from '../request/body-references.ts';
import { defineRoute, type Route } from '../route.ts';
import { writtenCollection } from './written-collection.ts';

const bySlug = z.object({ slug: z.string() });
const noQuery = z.object({});

const sentMember = z
  .strictObject({ ...memberReference, position: memberPosition.exactOptional() })
  .refine(namesOneMember, notOneMember);

const memberOf = (catalogue: Catalogue, { position, ...named }: z.output<typeof sentMember>, admin: boolean) => ({
  id: namedMemberId(catalogue, named, admin),
  position: position ?? null,
});

const replaceMembers = defineRoute({
  method: 'PUT',
  path: '/collections/:slug/members',
  tag: 'Collections',
  summary: 'Replace all members of a collection',
  extension: true,
  access: 'write',
  params: bySlug,
  query: noQuery,
  body: z.strictObject({ members: z.array(sentMember).max(membersMax) }),
  reads: collectionReads,
  responses: { 200: collectionDetail },
  handle: async ({ params, body, admin, command }, services) => {
    const { catalogue } = await services.view();
    const { id: collectionId } = resolveCollection(catalogue, params.slug);
    const members = body.members.map((member) => memberOf(catalogue, member, admin));
    const written = await services.commands.run(replaceCollectionMembers, { collectionId, members }, command);
    return writtenCollection(services, 200, written);
  },
});

const addMember = defineRoute({
  method: 'POST',
  path: '/collections/:slug/members',
  tag: 'Collections',
  summary: 'Add a member to a collection',
  extension: true,
  access: 'write',
  params: bySlug,
  query: noQuery,
  body: sentMember,
  idempotent: true,
  reads: collectionReads,
  responses: { 201: collectionDetail },
  handle: async ({ params, body, admin, command }, services) => {
    const { catalogue } = await services.view();
    const { id: collectionId } = resolveCollection(catalogue, params.slug);
    const member = memberOf(catalogue, body, admin);
    const written = await services.commands.run(addCollectionMember, { collectionId, member }, command);
    return writtenCollection(services, 201, written);
  },
});

const removeMember = defineRoute({
  method: 'DELETE',
  path: '/collections/:slug/members/:id',
  tag: 'Collections',
  summary: 'Take an org or product out of a collection',
  extension: true,
  access: 'write',
  params: z.object({ slug: z.string(), id: z.string() }),
  query: noQuery,
  reads: collectionReads,
  responses: { 204: null },
  handle: async ({ params, admin, command }, services) => {
    const { catalogue } = await services.view();
    const { id: collectionId } = resolveCollection(catalogue, params.slug);
    const resolve = params.id.startsWith('prod_') ? resolveProduct : resolveOrg;
    const { id: memberId } = resolve(catalogue, params.id, admin);
    const { position } = await services.commands.run(removeCollectionMember, { collectionId, memberId }, command);
    await services.viewAfter(collectionReads, position);
    return { status: 204, position };
  },
});

export const collectionMemberRoutes: readonly Route[] = [replaceMembers, addMember, removeMember];
