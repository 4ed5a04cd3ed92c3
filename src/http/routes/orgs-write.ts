import { z } from 'zod';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createOrg } from '../../../commands/org/create-org.ts';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { orgDetailReads } from '../../../queries/org-detail.ts';
import { resolveOrg } from '../../catalogue/resolve.ts';
import { orgChangeFields, orgCreateFields } from '../../domain/org/fields.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { softDeleted } from '../answers/deleted.ts';
import { orgDetail } from '../answers/org.ts';
import { type Answer, defineRoute, type Route, type RouteRequest } from '../route.ts';
import { sentField } from '../sent-field.ts';
import type { Services } from '../services.ts';
import { deletionQuery, hardOption, requireSoft } from './deletion.ts';
import { orgAnswer } from './org-answer.ts';

const orgParams = z.object({ slug: z.string() });
const noQuery = z.object({});

const answerWritten = async (
  status: number,
  { id, position }: { readonly id: string; readonly position: number },
  request: RouteRequest<unknown, unknown, unknown>,
  services: Services,
): Promise<Answer> => {
  const view = await services.viewAfter(orgDetailReads, position);
  return { status, position, ...(await orgAnswer(view, id, request)) };
};

const createOrgRoute = defineRoute({
  method: 'POST',
  path: '/orgs',
  tag: 'Orgs',
  summary: 'Create an org',
  extension: true,
  access: 'write',
  params: z.object({}),
  query: noQuery,
  body: orgCreateFields,
  idempotent: true,
  reads: orgDetailReads,
  responses: { 201: orgDetail },
  handle: async (request, services) => {
    const written = await services.commands.run(createOrg, request.body, request.command);
    return answerWritten(201, written, request, services);
  },
});

const changeOrgRoute = defineRoute({
  method: 'PATCH',
  path: '/orgs/:slug',
  tag: 'Orgs',
  summary: 'Change an org',
  extension: true,
  access: 'write',
  params: orgParams,
  query: noQuery,
  body: orgChangeFields,
  adminOption: sentField('isHidden', 'featured'),
  reads: orgDetailReads,
  responses: { 200: orgDetail },
  handle: async (request, services) => {
    const { params, body: changes, admin, command } = request;
    const { id: orgId } = resolveOrg((await services.view()).catalogue, params.slug, admin);
    const written = await services.commands.run(changeOrg, { orgId, changes }, command);
    return answerWritten(200, written, request, services);
  },
});

const deleteOrgRoute = defineRoute({
  method: 'DELETE',
  path: '/orgs/:slug',
  tag: 'Orgs',
  summary: 'Delete an org with its products and sources',
  extension: true,
  access: 'write',
  params: orgParams,
  query: deletionQuery,
  adminOption: hardOption,
  reads: orgDetailReads,
  responses: { 200: softDeleted },
  handle: async ({ params, query, admin, command }, services) => {
    requireSoft(query);
    const { id: orgId } = resolveOrg((await services.view()).catalogue, params.slug, admin);
    const { state, position } = await services.commands.run(deleteOrg, { orgId }, command);
    await services.viewAfter(orgDetailReads, position);
    return { status: 200, position, body: { deleted: true, deletedAt: state.deletedAt } };
  },
});

const restoreOrgRoute = defineRoute({
  method: 'POST',
  path: '/orgs/:slug/restore',
  tag: 'Orgs',
  summary: 'Bring back a deleted org, by its id',
  extension: true,
  access: 'admin',
  params: orgParams,
  query: noQuery,
  reads: orgDetailReads,
  responses: { 200: orgDetail },
  handle: async (request, services) => {
    const { slug: orgId } = request.params;
    // What is deleted has given its slug and domains away.
    if (!isId('org', orgId)) throw new DomainError('not_found', 'org');
    const written = await services.commands.run(restoreOrg, { orgId }, request.command);
    return answerWritten(200, written, request, services);
  },
});

export const orgWriteRoutes: readonly Route[] = [createOrgRoute, changeOrgRoute, deleteOrgRoute, restoreOrgRoute];
