import { z } from 'zod';
import {
  latestReleases as latestReleasesQuery,
  latestReleasesReads,
} from '../../../queries/releases/latest-releases.ts';
import {
  type ReleaseDetail,
  releaseDetail as releaseDetailQuery,
  releaseDetailReads,
} from '../../../queries/releases/release-detail.ts';
import { releaseDetailAt } from '../../../queries/past/release-detail-at.ts';
import { sourceTypes } from '../../domain/enumerations.ts';
import { releaseMarkdown } from '../../forms/markdown/release-markdown.ts';
import { latestReleases, releaseDetail } from '../answers/release.ts';
import { asOfMoment } from '../request/as-of.ts';
import { parseWindow } from '../request/date-window.ts';
import {
  asOfParam,
  booleanParam,
  dateParam,
  enumListParam,
  integerParam,
  sizeParam,
  identifierParam,
} from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { pastOfToday } from './reader-notes.ts';

const countDefault = 10;
const latestQuery = z.object({
  count: sizeParam({ fallback: countDefault, max: 100 }),
  source: identifierParam,
  org: identifierParam,
  include_coverage: booleanParam(),
  since: dateParam,
  until: dateParam,
  include_prereleases: booleanParam(),
  exclude: enumListParam(sourceTypes),
  minImportance: integerParam({ min: 1, max: 5 }),
});

const narrowing = ['source', 'org', 'since', 'until', 'include_prereleases', 'exclude', 'minImportance'] as const;

/** Contract 6.1. */
const latestKeptMs = 5 * 60_000;

const isDefault = (query: z.output<typeof latestQuery>, sent: Readonly<Record<string, string>>): boolean =>
  query.count === countDefault && !query.include_coverage && narrowing.every((name) => sent[name] === undefined);

const latest = defineRoute({
  method: 'GET',
  path: '/releases/latest',
  tag: 'Releases',
  summary: 'The newest releases of the registry, of an org or of a source',
  access: 'public',
  params: z.object({}),
  query: latestQuery,
  cache: 'entity',
  reads: latestReleasesReads,
  responses: { 200: latestReleases },
  keptMs: latestKeptMs,
  isAlwaysKept: true, // contract 6.1: MISS, then HIT
  bypasses: ({ query, sent }) => !isDefault(query, sent),
  handle: async ({ query, sent, nowMs, admin, minPosition }, { view: takeView, keptLatest }) => {
    const window = parseWindow(query, nowMs);
    const { count, source, org, exclude, minImportance } = query;
    const input = {
      count,
      source,
      org,
      exclude,
      minImportance,
      ...window,
      includeCoverage: query.include_coverage,
      includePrereleases: query.include_prereleases,
    };
    const view = await takeView();
    const make = () => latestReleasesQuery(view, input, { nowMs, admin });
    if (minPosition !== null || !isDefault(query, sent))
      return { status: 200, json: await make(), headers: { 'X-Cache': 'BYPASS' } };
    const { answer, isHit } = await keptLatest(view, nowMs, make);
    return { status: 200, json: answer, headers: { 'X-Cache': isHit ? 'HIT' : 'MISS' } };
  },
});

export const showRelease = defineRoute({
  method: 'GET',
  path: '/releases/:id',
  tag: 'Releases',
  summary: 'One release with its text',
  description: pastOfToday,
  access: 'public',
  params: z.object({ id: z.string() }),
  query: z.object({ asOf: asOfParam }),
  cache: 'entity',
  reads: releaseDetailReads,
  responses: { 200: releaseDetail },
  handle: async ({ params, query, nowMs, admin }, { view }) => {
    const release = params.id;
    const past = asOfMoment(query.asOf, nowMs);
    const asking = { nowMs, admin };
    if (past === null) return { status: 200, body: await releaseDetailQuery(await view(), { release }, asking) };
    const { atMs, headers } = past;
    return { status: 200, body: await releaseDetailAt(await view(), { release, atMs }, asking), headers };
  },
  markdown: async (body) => releaseMarkdown(body as ReleaseDetail),
});

/** `/releases/latest` stands before `/releases/:id`, which would match it too. */
export const releaseReadRoutes: readonly Route[] = [latest, showRelease];
