import { z } from 'zod';
import type { OrgDetail } from '../../../queries/orgs/org-detail.ts';
import { orgList, orgListReads } from '../../../queries/orgs/org-list.ts';
import { orgFeed, orgReleases, type OrgReleasesInput, orgReleasesReads } from '../../../queries/orgs/org-releases.ts';
import { orgReleasesAt } from '../../../queries/past/org-releases-at.ts';
import { trackingRequests } from '../../../queries/orgs/tracking-requests.ts';
import type { Asking } from '../../../queries/shape/query-deps.ts';
import { resolveOrg } from '../../catalogue/resolve.ts';
import { categories, kinds, sourceTypes } from '../../domain/enumerations.ts';
import { orgMarkdown } from '../../forms/markdown/org-markdown.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { asOfMoment } from '../request/as-of.ts';
import { parseWindow } from '../request/date-window.ts';
import { knownParameters } from '../request/known-parameters.ts';
import { orgDetail as orgDetailBody, orgList as orgListBody, orgReleases as orgReleasesBody } from '../answers/org.ts';
import {
  asOfParam,
  booleanParam,
  cursorParam,
  dateParam,
  enumParam,
  pageParam,
  sizeParam,
  textParam,
} from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import type { ReadView } from '../services.ts';
import { feedAnswer, feedForm } from './feed-form.ts';
import { excerptsOf, feedPages, type ReadPage } from './feed-pages.ts';
import { feedWords } from './feed-words.ts';
import { firstPage } from './first-page.ts';
import { orgAnswer, orgAnswerReads } from './org-answer.ts';
import { orgParams } from './org-path.ts';
import { pathsOfPages } from './paths-of-pages.ts';
import { pastFetches, pastOfToday, shortPages } from './reader-notes.ts';

/** The one enumeration where a value that is not known filters nothing (contract 1.5). */
const categoryFilter = z
  .string()
  .transform((text) => categories.find((category) => category === text) ?? null)
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string', enum: categories } });

/** Checked by the handler: to those who may not ask, no value is a wrong one. */
const trackingRequestedParam = z
  .string()
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string', enum: ['1'] } });

function requireTrackingRequested(value: string): void {
  if (value === '1') return;
  throw invalidParameter({ parameter: 'trackingRequested', reason: 'must be 1', value, allowed: ['1'] });
}

const listOrgs = defineRoute({
  method: 'GET',
  path: '/orgs',
  tag: 'Orgs',
  summary: 'List orgs',
  access: 'public',
  params: z.object({}),
  query: z.object({
    q: textParam(200),
    category: categoryFilter,
    featured: booleanParam(),
    includeEmpty: booleanParam(),
    trackingRequested: trackingRequestedParam,
    include_hidden: booleanParam(),
    page: pageParam,
    limit: sizeParam({ fallback: 500, max: 500 }),
  }),
  adminOption: ({ query }) => {
    if (query.trackingRequested !== null) return 'trackingRequested';
    return query.include_hidden ? 'include_hidden' : undefined;
  },
  cache: 'entity',
  reads: orgListReads,
  responses: { 200: orgListBody },
  handle: async ({ query, admin, nowMs }, services) => {
    const { trackingRequested, include_hidden: includeHidden, ...filters } = query;
    if (trackingRequested !== null) requireTrackingRequested(trackingRequested);
    const view = await services.view();
    const asking = { nowMs, admin };
    return {
      status: 200,
      body:
        trackingRequested === null
          ? orgList(view, { ...filters, includeHidden }, asking)
          : trackingRequests(view, filters, asking),
    };
  },
});

/** Those of now, or of a past moment. */
const releasesOf = (
  view: ReadView,
  input: OrgReleasesInput,
  { nowMs, admin, past }: Asking & { readonly past: ReturnType<typeof asOfMoment> },
) =>
  past === null
    ? orgReleases(view, input, { nowMs, admin })
    : orgReleasesAt(view, { ...input, atMs: past.atMs }, { nowMs, admin });

/** What the Markdown of an org adds to its detail (contract 16.4). */
const recentReleasesMax = 10;
const recentOfOrg = {
  ...firstPage,
  sourceType: null,
  kind: null,
  product: null,
  sinceMs: null,
  untilMs: null,
} as const;

export const showOrg = defineRoute({
  method: 'GET',
  path: '/orgs/:slug',
  tag: 'Orgs',
  summary: 'Show an org with its products and sources',
  description: `${pastOfToday} ${pastFetches}`,
  access: 'public',
  params: orgParams,
  query: z.object({ asOf: asOfParam }),
  cache: 'entity',
  reads: [...new Set([...orgAnswerReads, ...orgReleasesReads])],
  responses: { 200: orgDetailBody },
  handle: async (request, services) => ({
    status: 200,
    ...(await orgAnswer(await services.view(), request.params.slug, {
      ...request,
      past: asOfMoment(request.query.asOf, request.nowMs),
    })),
  }),
  markdown: async (body, request, services) => {
    const view = await services.view();
    const { catalogue, webBaseUrl } = view;
    const org = body as OrgDetail;
    const past = asOfMoment(request.query.asOf, request.nowMs);
    const readPage: ReadPage = (paging) =>
      releasesOf(view, { ...recentOfOrg, ...paging, org: org.id }, { ...request, past });
    const releases = await excerptsOf(feedPages(recentReleasesMax, readPage));
    return orgMarkdown({ org, webPathOf: pathsOfPages(catalogue, org.slug), releases, webBaseUrl });
  },
});

/** Of any length: what names no product of the org is not found, not a matter of form. */
const productOfFeed = z
  .string()
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string' } });

const orgReleasesQuery = z.object({
  cursor: cursorParam,
  limit: sizeParam({ fallback: 20, max: 100 }),
  source_type: enumParam(sourceTypes),
  kind: enumParam(kinds),
  product: productOfFeed,
  include_coverage: booleanParam(),
  include_prereleases: booleanParam(),
  since: dateParam,
  until: dateParam,
  q: textParam(200),
  asOf: asOfParam,
});

export const listOrgReleases = defineRoute({
  method: 'GET',
  path: '/orgs/:slug/releases',
  markdown: feedForm('org', ({ catalogue }, { slug }, admin) => resolveOrg(catalogue, slug, admin).slug),
  tag: 'Orgs',
  summary: 'List the releases of all sources of an org, newest first',
  description: `${shortPages}\n\n${pastOfToday}`,
  access: 'public',
  params: orgParams,
  query: orgReleasesQuery,
  cache: 'entity',
  reads: orgReleasesReads,
  responses: { 200: orgReleasesBody },
  bypasses: ({ sent }) => sent['q'] !== undefined, // asks the search index
  handle: async (request, services) => {
    const { params, query, sent, nowMs, minPosition } = request;
    const input = {
      org: params.slug,
      cursor: query.cursor,
      limit: query.limit,
      sent: knownParameters(orgReleasesQuery, sent),
      sourceType: query.source_type,
      kind: query.kind,
      product: query.product,
      includeCoverage: query.include_coverage,
      includePrereleases: query.include_prereleases,
      ...parseWindow(query, nowMs),
      words: await feedWords(query.q, services, minPosition),
    };
    const past = asOfMoment(query.asOf, nowMs);
    const view = await services.view();
    if (past === null) return feedAnswer(view, orgFeed(view, input, request), request);
    return { status: 200, body: await releasesOf(view, input, { ...request, past }), headers: past.headers };
  },
});

export const orgReadRoutes: readonly Route[] = [listOrgs, showOrg, listOrgReleases];
