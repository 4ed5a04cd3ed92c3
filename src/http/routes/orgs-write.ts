import { z } from 'zod';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createOrg } from '../../../commands/org/create-org.ts';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { purgeOrg } from '../../../commands/org/purge-org.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { resolveProduct, resolveSource } from '../../catalogue/resolve.ts';
import { newReferences } from '../../domain/org/location-references.ts';
import { orgChangeFields, orgCreateFields } from '../../domain/org/fields.ts';
import { invalidParameter, notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { deletedEntity } from '../answers/deleted.ts';
import { orgDetail } from '../answers/org.ts';
import { defineRoute, type Route } from '../route.ts';
import { sentField } from '../request/sent-field.ts';
import { answerDeleted, deletionQuery, hardOption } from './deletion.ts';
import { orgAnswerReads } from './org-answer.ts';
import { answerWrittenOrg, noQuery, orgOfPath, orgParams } from './org-path.ts';

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
  adminOption: sentField('featured'),
  idempotent: true,
  reads: orgAnswerReads,
  responses: { 201: orgDetail },
  handle: async (request, services) => {
    const written = await services.commands.run(createOrg, request.body, request.command);
    return answerWrittenOrg(201, written, request, services);
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
  reads: orgAnswerReads,
  responses: { 200: orgDetail },
  handle: async (request, services) => {
    const { body: changes, command, admin } = request;
    const { id: orgId, locations } = await orgOfPath(request, services);
    const { catalogue } = await services.view();
    for (const { productId, sourceId } of newReferences(orgId, locations, changes.locations ?? [])) {
      if (productId !== null) resolveProduct(catalogue, productId, admin);
      if (sourceId !== null) resolveSource(catalogue, sourceId, admin);
    }
    const written = await services.commands.run(changeOrg, { orgId, changes }, command);
    return answerWrittenOrg(200, written, request, services);
  },
});

const hardNeedsId = () =>
  invalidParameter({ parameter: 'hard', reason: 'needs the id of the org in the path', value: 'true' });

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
  reads: orgAnswerReads,
  responses: { 200: deletedEntity },
  handle: async (request, services) => {
    const { query, params, command } = request;
    // Slugs pass on to others, and what is gone for good does not come back.
    if (query.hard && !isId('org', params.slug)) throw hardNeedsId();
    const { id: orgId } = await orgOfPath(request, services);
    const deleted = query.hard
      ? await services.commands.run(purgeOrg, { orgId, isAsked: true }, command)
      : await services.commands.run(deleteOrg, { orgId }, command);
    return answerDeleted(query, deleted, { services, reads: orgAnswerReads });
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
  reads: orgAnswerReads,
  responses: { 200: orgDetail },
  handle: async (request, services) => {
    const { slug: orgId } = request.params;
    // What is deleted has given its slug and domains away.
    if (!isId('org', orgId)) throw notFound('org', orgId);
    const written = await services.commands.run(restoreOrg, { orgId }, request.command);
    return answerWrittenOrg(200, written, request, services);
  },
});

export const orgWriteRoutes: readonly Route[] = [createOrgRoute, changeOrgRoute, deleteOrgRoute, restoreOrgRoute];
