import { type ZodObject, z } from 'zod';
import { orgActivity, orgActivityReads } from '../../../queries/orgs/org-activity.ts';
import { sourceActivity, sourceActivityReads } from '../../../queries/sources/source-activity.ts';
import { checkBounds, parseDay } from '../../kernel/dates.ts';
import { orgActivity as orgActivityBody, sourceActivity as sourceActivityBody } from '../answers/days.ts';
import { dayParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { orgParams } from './org-path.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const weekly = {
  method: 'GET' as const,
  access: 'public' as const,
  query: z.object({ from: dayParam, to: dayParam }),
  cache: 'activity' as const,
};

interface SentDays {
  readonly from: string | null;
  readonly to: string | null;
}

/** Refused when one is no day or they are the wrong way round. */
function parseDays({ from, to }: SentDays) {
  const dayMs = (text: string | null, name: keyof SentDays) => (text === null ? null : parseDay(text, name));
  const [fromMs, toMs] = [dayMs(from, 'from'), dayMs(to, 'to')];
  checkBounds(fromMs, toMs, ['from', 'to']);
  return { fromMs, toMs };
}

const showOrgActivity = defineRoute({
  ...weekly,
  path: '/orgs/:slug/activity',
  tag: 'Orgs',
  summary: 'Releases of an org and of each of its sources by week',
  params: orgParams,
  reads: orgActivityReads,
  responses: { 200: orgActivityBody },
  handle: async ({ params, query, nowMs, admin }, { view }) => {
    const days = parseDays(query);
    return { status: 200, body: orgActivity(await view(), { org: params.slug, ...days }, { nowMs, admin }) };
  },
});

const showSourceActivityAt = <Params extends ZodObject>(
  { path, params, resolve }: SourceAddress<Params>,
  { extension }: { readonly extension: boolean },
) =>
  defineRoute({
    ...weekly,
    path: `${path}/activity`,
    tag: 'Sources',
    summary: 'Releases of a source by week',
    extension,
    params,
    reads: sourceActivityReads,
    responses: { 200: sourceActivityBody },
    handle: async (request, services) => {
      const days = parseDays(request.query);
      const view = await services.view();
      const source = resolve(view.catalogue, request.params, request.admin);
      return { status: 200, body: sourceActivity(view, { source, ...days }, request) };
    },
  });

/** Releases by week (contract 3.4, 5.3). */
export const activityRoutes: readonly Route[] = [
  showOrgActivity,
  showSourceActivityAt(sourceByItself, { extension: false }),
  showSourceActivityAt(sourceBelowOrg, { extension: true }),
];
