import { z } from 'zod';
import { orgHistory as orgHistoryQuery, orgHistoryReads } from '../../../queries/orgs/org-history.ts';
import {
  releaseHistory as releaseHistoryQuery,
  releaseHistoryReads,
} from '../../../queries/releases/release-history.ts';
import { orgHistory } from '../answers/org-history.ts';
import { releaseHistory } from '../answers/release-history.ts';
import { knownParameters } from '../request/known-parameters.ts';
import { cursorParam, sizeParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { orgParams } from './org-path.ts';
import { shortPages } from './reader-notes.ts';
import { byReleaseId } from './release-address.ts';

const pageQuery = z.object({ cursor: cursorParam, limit: sizeParam({ fallback: 20, max: 100 }) });

const showReleaseHistory = defineRoute({
  method: 'GET',
  path: '/releases/:id/history',
  tag: 'Releases',
  summary: 'What happened to a release, newest first; long texts are named by their hash',
  extension: true,
  access: 'public',
  params: byReleaseId,
  query: pageQuery,
  cache: 'activity',
  reads: releaseHistoryReads,
  responses: { 200: releaseHistory },
  handle: async ({ params, query, sent, nowMs, admin }, { view }) => {
    const input = { release: params.id, ...query, sent: knownParameters(pageQuery, sent) };
    return { status: 200, body: await releaseHistoryQuery(await view(), input, { nowMs, admin }) };
  },
});

const showOrgHistory = defineRoute({
  method: 'GET',
  path: '/orgs/:slug/history',
  tag: 'Orgs',
  summary: 'What happened to an org and to its products and sources, newest first',
  description: shortPages,
  extension: true,
  access: 'public',
  params: orgParams,
  query: pageQuery,
  cache: 'activity',
  reads: orgHistoryReads,
  responses: { 200: orgHistory },
  handle: async ({ params, query, sent, admin }, { view }) => {
    const input = { org: params.slug, ...query, sent: knownParameters(pageQuery, sent) };
    return { status: 200, body: await orgHistoryQuery(await view(), input, admin) };
  },
});

/** How something came to be what it is (contract 3.5, 6.3). */
export const historyRoutes: readonly Route[] = [showReleaseHistory, showOrgHistory];
