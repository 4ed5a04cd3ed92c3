import { type ZodObject, z } from 'zod';
import { changeProduct } from '../../../commands/product/change-product.ts';
import { createProduct } from '../../../commands/product/create-product.ts';
import { deleteProduct } from '../../../commands/product/delete-product.ts';
import { purgeProduct } from '../../../commands/product/purge-product.ts';
import { restoreProduct } from '../../../commands/product/restore-product.ts';
import { productDetail as productDetailQuery, productDetailReads } from '../../../queries/product-detail.ts';
import { isSourceVisible, sightOn } from '../../catalogue/visibility.ts';
import { productChangeFields, productCreateFields } from '../../domain/product/fields.ts';
import { bareSlugRejected, notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { namedOrg, namesOneOrg, orgReference, twoOrgs } from '../request/body-references.ts';
import { deletedEntity } from '../answers/deleted.ts';
import { createdProduct, productDetail } from '../answers/product.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { sentField } from '../request/sent-field.ts';
import type { ReadView } from '../services.ts';
import { answerDeleted, deletionQuery, hardOption } from './deletion.ts';
import { firstPage } from './first-page.ts';
import { type ProductAddress, productBelowOrg, productByItself } from './product-addresses.ts';

const noQuery = z.object({});

const detailOf = (view: ReadView, id: string, { nowMs, admin }: RouteRequest<unknown, unknown, unknown>) =>
  productDetailQuery(view, { ...firstPage, org: null, product: id }, { nowMs, admin });

/** An address below the org that names both leads to the product. */
const shadowWarning = ({ catalogue }: ReadView, product: { orgId: string; slug: string }, admin: boolean) => {
  const sight = sightOn(admin, product.orgId);
  const source = catalogue.sourceOfOrg(product.orgId, product.slug);
  const isShadowed = source !== undefined && isSourceVisible(catalogue, source, sight);
  return isShadowed
    ? `The org has a source with the slug ${product.slug} too; where both fit, the product is taken.`
    : undefined;
};

const createProductRoute = defineRoute({
  method: 'POST',
  path: '/products',
  tag: 'Products',
  summary: 'Create a product of an org',
  extension: true,
  access: 'write',
  params: z.object({}),
  query: noQuery,
  body: productCreateFields
    .extend(orgReference)
    .refine(namesOneOrg, twoOrgs)
    .refine(({ orgId, orgSlug }) => (orgId ?? orgSlug) !== undefined, {
      path: ['orgId'],
      error: 'must name the org, here or in orgSlug',
    }),
  idempotent: true,
  reads: productDetailReads,
  responses: { 201: createdProduct },
  handle: async (request, services) => {
    const { orgId: _orgId, orgSlug: _orgSlug, ...fields } = request.body;
    const org = namedOrg((await services.view()).catalogue, request.body, request.admin);
    const { id, position } = await services.commands.run(createProduct, { ...fields, orgId: org?.id }, request.command);
    const view = await services.viewAfter(productDetailReads, position);
    const detail = await detailOf(view, id, request);
    const warning = shadowWarning(view, detail, request.admin);
    // A purge finds an answer that was kept for repeats as an erasure does: by the id of what it tells of.
    return { status: 201, position, releaseIds: [id], body: { ...detail, ...(warning !== undefined && { warning }) } };
  },
});

const changeProductAt = <Params extends ZodObject>({ path, params, resolve }: ProductAddress<Params>) =>
  defineRoute({
    method: 'PATCH',
    path,
    tag: 'Products',
    summary: 'Change a product',
    extension: true,
    access: 'write',
    params,
    query: noQuery,
    body: productChangeFields,
    adminOption: sentField('isHidden'),
    reads: productDetailReads,
    responses: { 200: productDetail },
    handle: async (request, services) => {
      const { body: changes, admin, command } = request;
      const { id: productId } = resolve((await services.view()).catalogue, request.params, admin);
      const { position } = await services.commands.run(changeProduct, { productId, changes }, command);
      const view = await services.viewAfter(productDetailReads, position);
      return { status: 200, position, body: await detailOf(view, productId, request) };
    },
  });

const deleteProductAt = <Params extends ZodObject>({ path, params, resolve }: ProductAddress<Params>) =>
  defineRoute({
    method: 'DELETE',
    path,
    tag: 'Products',
    summary: 'Delete a product; its sources stay',
    extension: true,
    access: 'write',
    params,
    query: deletionQuery,
    adminOption: hardOption,
    reads: productDetailReads,
    responses: { 200: deletedEntity },
    handle: async (request, services) => {
      const { query, params, admin, command } = request;
      const { id: productId } = resolve((await services.view()).catalogue, params, admin);
      const deleted = query.hard
        ? await services.commands.run(purgeProduct, { productId, isAsked: true }, command)
        : await services.commands.run(deleteProduct, { productId }, command);
      return answerDeleted(query, deleted, { services, reads: productDetailReads });
    },
  });

const restoreProductRoute = defineRoute({
  method: 'POST',
  path: '/products/:identifier/restore',
  tag: 'Products',
  summary: 'Bring back a deleted product, by its id',
  extension: true,
  access: 'admin',
  params: productByItself.params,
  query: noQuery,
  reads: productDetailReads,
  responses: { 200: productDetail },
  handle: async (request, services) => {
    const { identifier: productId } = request.params;
    if (!productId.startsWith('prod_')) throw bareSlugRejected('product', productId);
    if (!isId('prod', productId)) throw notFound('product', productId);
    const { position } = await services.commands.run(restoreProduct, { productId }, request.command);
    const view = await services.viewAfter(productDetailReads, position);
    return { status: 200, position, body: await detailOf(view, productId, request) };
  },
});

export const productRoutes: readonly Route[] = [
  createProductRoute,
  changeProductAt(productByItself),
  changeProductAt(productBelowOrg),
  deleteProductAt(productByItself),
  deleteProductAt(productBelowOrg),
  restoreProductRoute,
];
