import { type ZodObject, z } from 'zod';
import {
  sourceDetailByPage,
  sourceDetail as sourceDetailQuery,
  sourceDetailReads,
} from '../../../queries/sources/source-detail.ts';
import {
  sourceFeed,
  sourceFeedName,
  sourceReleases,
  sourceReleasesReads,
} from '../../../queries/sources/source-releases.ts';
import { parseCutoff, toTimestamp } from '../../kernel/dates.ts';
import { DomainError } from '../../kernel/errors.ts';
import {
  bareSourceDetail,
  recentReleases,
  sourceDetail,
  sourceReleases as sourceReleasesBody,
} from '../answers/source.ts';
import { knownParameters } from '../request/known-parameters.ts';
import {
  booleanParam,
  clampedParam,
  cursorParam,
  pageParam,
  requiredParam,
  sizeParam,
  textParam,
} from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { detailQuery } from './detail-query.ts';
import { feedAnswer } from './feed-form.ts';
import { feedWords } from './feed-words.ts';
import { shortPages } from './reader-notes.ts';
import { sourceForm } from './source-form.ts';
import { type SourceAddress, sourceBelowOrg, sourceByItself } from './source-addresses.ts';

const read = {
  method: 'GET' as const,
  tag: 'Sources',
  access: 'public' as const,
  cache: 'entity' as const,
};

export const showSource = defineRoute({
  ...read,
  path: sourceBelowOrg.path,
  summary: 'Show a source with a page of its releases',
  description: shortPages,
  params: sourceBelowOrg.params,
  query: detailQuery,
  reads: sourceDetailReads,
  responses: { 200: sourceDetail },
  handle: async ({ params, query, sent, nowMs, admin }, { view }) => ({
    status: 200,
    body: await sourceDetailQuery(
      await view(),
      {
        org: params.orgSlug,
        source: params.sourceSlug,
        cursor: query.cursor,
        limit: query.limit,
        includeCoverage: query.include_coverage,
        includePrereleases: query.include_prereleases,
        sent: knownParameters(detailQuery, sent),
      },
      { nowMs, admin },
    ),
  }),
  markdown: sourceForm(detailQuery),
});

const bareDetailQuery = z.object({
  page: pageParam,
  pageSize: clampedParam({ max: 100 }),
  cursor: cursorParam,
  limit: clampedParam({ max: 100 }),
  include_coverage: booleanParam(),
  include_prereleases: booleanParam(),
});

const pageSizeUnlessTold = 20;

/** A cursor says where a page begins, and so does its number. */
function requireOneForm({ cursor, page, pageSize }: Readonly<Record<string, string>>): void {
  if (cursor === undefined || (page === undefined && pageSize === undefined)) return;
  const parameters = ['cursor', page === undefined ? 'pageSize' : 'page'];
  const sentence = `\`cursor\` cannot be sent together with \`${parameters[1]}\`.`;
  throw new DomainError('conflicting_parameters', { parameters }, sentence);
}

export const showBareSource = defineRoute({
  ...read,
  path: sourceByItself.path,
  summary: 'Show a source with a page of its releases, by number or by cursor',
  description: shortPages,
  params: sourceByItself.params,
  query: bareDetailQuery,
  reads: sourceDetailReads,
  responses: { 200: bareSourceDetail },
  handle: async ({ params, query, sent, nowMs, admin }, { view }) => {
    const known = knownParameters(bareDetailQuery, sent);
    requireOneForm(known);
    const { cursor, page } = query;
    const size = query.pageSize ?? query.limit ?? pageSizeUnlessTold;
    const input = {
      source: params.slug,
      includeCoverage: query.include_coverage,
      includePrereleases: query.include_prereleases,
      sent: known,
    };
    const asking = { nowMs, admin };
    const body =
      cursor === null
        ? await sourceDetailByPage(await view(), { ...input, page, pageSize: size }, asking)
        : await sourceDetailQuery(await view(), { ...input, org: null, cursor, limit: size }, asking);
    return { status: 200, body };
  },
  markdown: sourceForm(bareDetailQuery),
});

const releasesQuery = detailQuery.extend({ q: textParam(200) });

const listReleasesAt = <Params extends ZodObject>(
  { path, params, resolve }: SourceAddress<Params>,
  { extension }: { readonly extension: boolean },
) =>
  defineRoute({
    ...read,
    path: `${path}/releases`,
    summary: 'List the releases of a source, newest first',
    description: shortPages,
    extension,
    params,
    query: releasesQuery,
    reads: sourceReleasesReads,
    responses: { 200: sourceReleasesBody },
    bypasses: ({ sent }) => sent['q'] !== undefined, // asks the search index
    handle: async (request, services) => {
      const { query, sent, admin, minPosition } = request;
      const words = await feedWords(query.q, services, minPosition);
      const view = await services.view();
      const input = {
        source: resolve(view.catalogue, request.params, admin),
        feed: sourceFeedName,
        sinceMs: null,
        words,
        cursor: query.cursor,
        limit: query.limit,
        includeCoverage: query.include_coverage,
        includePrereleases: query.include_prereleases,
        sent: knownParameters(releasesQuery, sent),
      };
      return feedAnswer(view, sourceFeed(view, input, request), request);
    },
  });

const recentQuery = z.object({
  cutoff: requiredParam,
  cursor: cursorParam,
  limit: sizeParam({ fallback: 100, max: 500 }),
});

const listRecentAt = <Params extends ZodObject>(
  { path, params, resolve }: SourceAddress<Params>,
  { extension }: { readonly extension: boolean },
) =>
  defineRoute({
    ...read,
    path: `${path}/recent-releases`,
    summary: 'List the releases of a source after a moment, prereleases too',
    description: shortPages,
    extension,
    params,
    query: recentQuery,
    reads: sourceReleasesReads,
    responses: { 200: recentReleases },
    handle: async (request, services) => {
      const { query, sent, admin } = request;
      const cutoffMs = parseCutoff(query.cutoff, 'cutoff');
      const view = await services.view();
      const input = {
        source: resolve(view.catalogue, request.params, admin),
        feed: 'recent-releases',
        sinceMs: cutoffMs + 1,
        cursor: query.cursor,
        limit: query.limit,
        includeCoverage: false,
        includePrereleases: true,
        sent: knownParameters(recentQuery, sent),
      };
      const page = await sourceReleases(view, input, request);
      return { status: 200, body: { cutoff: toTimestamp(cutoffMs), ...page } };
    },
  });

export const listBareSourceReleases = listReleasesAt(sourceByItself, { extension: true });

export const sourceReadRoutes: readonly Route[] = [
  showSource,
  showBareSource,
  listReleasesAt(sourceBelowOrg, { extension: false }),
  listBareSourceReleases,
  listRecentAt(sourceByItself, { extension: false }),
  listRecentAt(sourceBelowOrg, { extension: true }),
];
