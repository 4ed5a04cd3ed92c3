import { z } from 'zod';
import { lookupDomain, lookupProduct, lookupReads, lookupSource } from '../../../queries/lookups.ts';
import { domainLookup, productLookup, sourceLookup } from '../answers/lookup.ts';
import { requiredParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';

const lookup = {
  method: 'GET' as const,
  tag: 'Lookups',
  access: 'public' as const,
  params: z.object({}),
  cache: 'entity' as const,
  reads: lookupReads,
};

export const lookupReadRoutes: readonly Route[] = [
  defineRoute({
    ...lookup,
    path: '/lookups/by-domain',
    summary: 'The org that owns a domain, and the products that have it as an alias',
    query: z.object({ domain: requiredParam }),
    responses: { 200: domainLookup },
    handle: async ({ query, admin }, { view }) => ({ status: 200, body: lookupDomain(await view(), query, { admin }) }),
  }),
  defineRoute({
    ...lookup,
    path: '/lookups/source-by-slug',
    summary: 'Where a source with this slug is at home',
    query: z.object({ slug: requiredParam }),
    responses: { 200: sourceLookup },
    handle: async ({ query, admin }, { view }) => ({ status: 200, body: lookupSource(await view(), query, { admin }) }),
  }),
  defineRoute({
    ...lookup,
    path: '/lookups/product-by-slug',
    summary: 'Where a product with this slug is at home',
    query: z.object({ slug: requiredParam }),
    responses: { 200: productLookup },
    handle: async ({ query, admin }, { view }) => ({
      status: 200,
      body: lookupProduct(await view(), query, { admin }),
    }),
  }),
];
