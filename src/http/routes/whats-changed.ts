import { z } from 'zod';
import { whatsChanged, whatsChangedReads } from '../../../queries/whats-changed/whats-changed.ts';
import { ecosystems } from '../../domain/enumerations.ts';
import { whatsChanged as whatsChangedBody } from '../answers/whats-changed.ts';
import { enumParam, requiredParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';

const showWhatsChanged = defineRoute({
  method: 'GET',
  path: '/whats-changed',
  tag: 'Upgrades',
  summary: 'What changed in a package between two versions, the first one left out',
  access: 'public',
  params: z.object({}),
  query: z.object({
    package: requiredParam,
    from: requiredParam,
    to: requiredParam,
    ecosystem: enumParam(ecosystems),
  }),
  cache: 'entity',
  reads: whatsChangedReads,
  responses: { 200: whatsChangedBody },
  handle: async ({ query, nowMs, admin }, { view }) => ({
    status: 200,
    body: await whatsChanged(await view(), query, { nowMs, admin }),
  }),
});

export const whatsChangedRoutes: readonly Route[] = [showWhatsChanged];
