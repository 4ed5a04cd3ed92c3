import { type ZodObject, z } from 'zod';
import { changeSource } from '../../../commands/source/change-source.ts';
import { deleteSource } from '../../../commands/source/delete-source.ts';
import { purgeSource } from '../../../commands/source/purge-source.ts';
import { sourceDetail as sourceDetailQuery, sourceDetailReads } from '../../../queries/sources/source-detail.ts';
import { isPrimarySource } from '../../catalogue/primary-source.ts';
import { sourceChangeFields, sourceCreateFields } from '../../domain/source/fields.ts';
import { addSource, restoreSource } from '../../use-cases/add-source.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import {
  namedOrg,
  namedProductId,
  namesOneOrg,
  namesOneProduct,
  optionalOrgReference,
  productReference,
  twoOrgs,
  twoProducts,
} from '../request/body-references.ts';
import { deletedEntity } from '../answers/deleted.ts';
import { sourceDetail } from '../answers/source.ts';
import { type Answer, defineRoute, type Route, type RouteRequest } from '../route.ts';
import { sentField } from '../request/sent-field.ts';
import type { Services } from '../services.ts';
import { answerDeleted, deletionQuery, hardOption } from './deletion.ts';
import { firstPage } from './first-page.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const noQuery = z.object({});

const answerWritten = async (
  status: number,
  { id, position }: { readonly id: string; readonly position: number },
  { nowMs, admin }: RouteRequest<unknown, unknown, unknown>,
  services: Services,
): Promise<Answer> => {
  const view = await services.viewAfter(sourceDetailReads, position);
  const body = await sourceDetailQuery(view, { ...firstPage, org: null, source: id }, { nowMs, admin });
  // A purge finds an answer that was kept for repeats as an erasure does: by the id of what it tells of.
  return { status, position, releaseIds: [id], body };
};

const createSourceRoute = defineRoute({
  method: 'POST',
  path: '/sources',
  tag: 'Sources',
  summary: 'Create a source, of an org or standing alone',
  extension: true,
  access: 'write',
  params: z.object({}),
  query: noQuery,
  body: sourceCreateFields
    .extend({ ...optionalOrgReference, ...productReference })
    .refine(namesOneOrg, twoOrgs)
    .refine(namesOneProduct, twoProducts),
  adminOption: sentField('isHidden'),
  idempotent: true,
  reads: sourceDetailReads,
  responses: { 201: sourceDetail },
  handle: async (request, services) => {
    const { body, admin, command } = request;
    const { orgId: _orgId, orgSlug: _orgSlug, productId: _productId, productSlug: _productSlug, ...fields } = body;
    const { catalogue } = await services.view();
    const orgId = namedOrg(catalogue, body, admin)?.id ?? null;
    const productId = namedProductId(catalogue, orgId, body, admin) ?? null;
    const written = await addSource(services, { ...fields, orgId, productId }, command);
    return answerWritten(201, written, request, services);
  },
});

const changeSourceAt = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>) =>
  defineRoute({
    method: 'PATCH',
    path,
    tag: 'Sources',
    summary: 'Change a source',
    extension: true,
    access: 'write',
    params,
    query: noQuery,
    body: sourceChangeFields.safeExtend(productReference).refine(namesOneProduct, twoProducts),
    adminOption: sentField('isHidden'),
    reads: sourceDetailReads,
    responses: { 200: sourceDetail },
    handle: async (request, services) => {
      const { body, admin, command } = request;
      const { productId: _productId, productSlug: _productSlug, ...fields } = body;
      const { catalogue } = await services.view();
      const source = resolve(catalogue, request.params, admin);
      const { id: sourceId, orgId } = source;
      const productId = namedProductId(catalogue, orgId, body, admin);
      const changes = { ...fields, ...(productId !== undefined && { productId }) };
      const isPrimaryNow = productId === undefined && isPrimarySource(catalogue, source);
      const written = await services.commands.run(changeSource, { sourceId, changes, isPrimaryNow }, command);
      return answerWritten(200, written, request, services);
    },
  });

const deleteSourceAt = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>) =>
  defineRoute({
    method: 'DELETE',
    path,
    tag: 'Sources',
    summary: 'Delete a source',
    extension: true,
    access: 'write',
    params,
    query: deletionQuery,
    adminOption: hardOption,
    reads: sourceDetailReads,
    responses: { 200: deletedEntity },
    handle: async (request, services) => {
      const { query, params, admin, command } = request;
      const { id: sourceId } = resolve((await services.view()).catalogue, params, admin);
      const deleted = query.hard
        ? await services.commands.run(purgeSource, { sourceId, isAsked: true }, command)
        : await services.commands.run(deleteSource, { sourceId }, command);
      return answerDeleted(query, deleted, { services, reads: sourceDetailReads });
    },
  });

const restoreSourceRoute = defineRoute({
  method: 'POST',
  path: '/sources/:slug/restore',
  tag: 'Sources',
  summary: 'Bring back a deleted source, by its id',
  extension: true,
  access: 'admin',
  params: sourceByItself.params,
  query: noQuery,
  reads: sourceDetailReads,
  responses: { 200: sourceDetail },
  handle: async (request, services) => {
    const { slug: sourceId } = request.params;
    // What is deleted has given its slug away.
    if (!isId('src', sourceId)) throw notFound('source', sourceId);
    const written = await restoreSource(services, sourceId, request.command);
    return answerWritten(200, written, request, services);
  },
});

export const sourceRoutes: readonly Route[] = [
  createSourceRoute,
  changeSourceAt(sourceByItself),
  changeSourceAt(sourceBelowOrg),
  deleteSourceAt(sourceByItself),
  deleteSourceAt(sourceBelowOrg),
  restoreSourceRoute,
];
