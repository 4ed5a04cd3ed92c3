import type { ZodObject, z } from 'zod';
import { writeOverview } from '../../../commands/overview/write-overview.ts';
import { orgListReads } from '../../../queries/orgs/org-list.ts';
import { overviewOf, overviewReads } from '../../../queries/overview.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { resolveOrg } from '../../catalogue/resolve.ts';
import { overviewFields } from '../../domain/overview/fields.ts';
import { overview } from '../answers/overview.ts';
import { defineRoute, type Route } from '../route.ts';
import { noQuery, orgParams } from './org-path.ts';
import { productByItself } from './product-addresses.ts';

const writtenReads = [...orgListReads, ...overviewReads];

interface OwnerAddress<Params extends ZodObject> {
  readonly tag: string;
  readonly summary: string;
  readonly path: string;
  readonly params: Params;
  readonly resolve: (catalogue: Catalogue, params: z.output<Params>, admin: boolean) => { readonly id: string };
}

const writeOverviewOf = <Params extends ZodObject>({ resolve, path, ...address }: OwnerAddress<Params>) =>
  defineRoute({
    ...address,
    method: 'PUT',
    path: `${path}/overview`,
    extension: true,
    access: 'write',
    query: noQuery,
    body: overviewFields,
    reads: writtenReads,
    responses: { 200: overview },
    handle: async ({ params, body: fields, nowMs, admin, command }, services) => {
      const { id: ownerId } = resolve((await services.view()).catalogue, params, admin);
      const { position } = await services.commands.run(writeOverview, { ownerId, fields }, command);
      const view = await services.viewAfter(writtenReads, position);
      return { status: 200, position, body: await overviewOf(view, ownerId, nowMs) };
    },
  });

export const overviewRoutes: readonly Route[] = [
  writeOverviewOf({
    tag: 'Orgs',
    summary: 'Write what an org is about',
    path: '/orgs/:slug',
    params: orgParams,
    resolve: (catalogue, { slug }, admin) => resolveOrg(catalogue, slug, admin),
  }),
  writeOverviewOf({ tag: 'Products', summary: 'Write what a product is about', ...productByItself }),
];
