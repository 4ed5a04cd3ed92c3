import { z } from 'zod';
import { stats, statsReads } from '../../../queries/stats.ts';
import { stats as statsBody } from '../answers/stats.ts';
import { sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';

const showStats = defineRoute({
  method: 'GET',
  path: '/stats',
  tag: 'Stats',
  summary: 'How much there is, how fresh it is, and which sources are active',
  access: 'public',
  params: z.object({}),
  query: z.object({ days: sizeParam({ fallback: 30, max: 36_500 }) }),
  cache: 'slow',
  reads: statsReads,
  responses: { 200: statsBody },
  handle: async ({ query, nowMs }, { view }) => ({ status: 200, body: await stats(await view(), query, { nowMs }) }),
});

export const statsRoutes: readonly Route[] = [showStats];
