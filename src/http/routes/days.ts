import { orgHeatmap, orgHeatmapReads } from '../../../queries/orgs/org-heatmap.ts';
import { orgSparklines, orgSparklinesReads } from '../../../queries/orgs/org-sparklines.ts';
import { sourceHeatmap, sourceHeatmapReads } from '../../../queries/sources/source-heatmap.ts';
import {
  orgHeatmap as orgHeatmapBody,
  orgSparklines as orgSparklinesBody,
  sourceHeatmap as sourceHeatmapBody,
} from '../answers/days.ts';
import type { ZodObject } from 'zod';
import { defineRoute, type Route } from '../route.ts';
import { noQuery, orgParams } from './org-path.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const daily = {
  method: 'GET' as const,
  extension: true,
  access: 'public' as const,
  query: noQuery,
  cache: 'activity' as const,
};

const showSparklines = defineRoute({
  ...daily,
  path: '/orgs/:slug/sparklines',
  tag: 'Orgs',
  summary: 'Releases of each of the last 30 days, by source and by product',
  params: orgParams,
  reads: orgSparklinesReads,
  responses: { 200: orgSparklinesBody },
  handle: async ({ params, nowMs, admin }, { view }) => ({
    status: 200,
    body: orgSparklines(await view(), { org: params.slug }, { nowMs, admin }),
  }),
});

const showOrgHeatmap = defineRoute({
  ...daily,
  path: '/orgs/:slug/heatmap',
  tag: 'Orgs',
  summary: 'Days of the last 52 weeks on which an org had releases',
  params: orgParams,
  reads: orgHeatmapReads,
  responses: { 200: orgHeatmapBody },
  handle: async ({ params, nowMs, admin }, { view }) => ({
    status: 200,
    body: orgHeatmap(await view(), { org: params.slug }, { nowMs, admin }),
  }),
});

const showSourceHeatmapAt = <Params extends ZodObject>({ path, params, resolve }: SourceAddress<Params>) =>
  defineRoute({
    ...daily,
    path: `${path}/heatmap`,
    tag: 'Sources',
    summary: 'Days of the last 52 weeks on which a source had releases',
    params,
    reads: sourceHeatmapReads,
    responses: { 200: sourceHeatmapBody },
    handle: async (request, services) => {
      const view = await services.view();
      const source = resolve(view.catalogue, request.params, request.admin);
      return { status: 200, body: sourceHeatmap(view, source, request) };
    },
  });

/** Releases by day (contract 3.5, 5.3). */
export const dayRoutes: readonly Route[] = [
  showSparklines,
  showOrgHeatmap,
  showSourceHeatmapAt(sourceByItself),
  showSourceHeatmapAt(sourceBelowOrg),
];
