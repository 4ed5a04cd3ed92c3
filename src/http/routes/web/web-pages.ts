import { z } from 'zod';
import type { ReleaseDetail } from '../../../../queries/releases/release-detail.ts';
import { sourceDetail as sourceDetailQuery, sourceDetailReads } from '../../../../queries/sources/source-detail.ts';
import type { SourceDocument } from '../../../../projections/source/source.ts';
import { collectionOfWebPath, orgOfWebPath, partOfWebPath, sourceOfWebPath } from '../../../catalogue/web-address.ts';
import { collectionWebPath, orgWebPath, partWebPath } from '../../../domain/web-paths.ts';
import type { FeedEntity } from '../../../forms/atom/atom-feed.ts';
import { sourceDetail } from '../../answers/source.ts';
import { knownParameters } from '../../known-parameters.ts';
import { defineRoute, type Route } from '../../route.ts';
import type { ReadView } from '../../services.ts';
import { listCollectionReleases } from '../collections-read.ts';
import { listOrgReleases, showOrg } from '../orgs-read.ts';
import { showProduct } from '../products-read.ts';
import { showRelease } from '../releases-read.ts';
import { sourceForm } from '../source-form.ts';
import { detailQuery, showSource } from '../sources-read.ts';
import { suffixRoutes } from './page.ts';
import type { Asked, WebThing } from './web-thing.ts';

const orgPage = suffixRoutes({
  path: '/:org',
  params: z.object({ org: z.string() }),
  summary: 'An org, as the API shows it or as a feed',
  extension: false,
  answers: [showOrg],
  feeds: [listOrgReleases],
  find: ({ catalogue }, params) => {
    const org = orgOfWebPath(catalogue, params.org);
    const asked = { slug: org.id };
    return {
      webPath: orgWebPath(org),
      answer: { route: showOrg, params: asked },
      feed: { route: listOrgReleases, params: asked, entity: org },
    };
  },
});

/** A source that has no org, which no path below one leads to. */
const showStandalone = defineRoute({
  method: 'GET',
  path: '/sources/:slug',
  tag: 'Sources',
  summary: 'Show a source with a page of its releases',
  access: 'public',
  params: z.object({ slug: z.string() }),
  query: detailQuery,
  reads: sourceDetailReads,
  responses: { 200: sourceDetail },
  handle: async ({ params, query, sent, nowMs, admin }, { view }) => ({
    status: 200,
    body: await sourceDetailQuery(
      await view(),
      {
        org: null,
        source: params.slug,
        cursor: query.cursor,
        limit: query.limit,
        includeCoverage: query.include_coverage,
        includePrereleases: query.include_prereleases,
        sent: knownParameters(detailQuery, sent),
      },
      { nowMs, admin },
    ),
  }),
  markdown: sourceForm,
});

const sourceThing = ({ catalogue }: ReadView, source: SourceDocument): WebThing => {
  const org = source.orgId === null ? null : (catalogue.org(source.orgId) ?? null);
  const answer: Asked =
    org === null
      ? { route: showStandalone, params: { slug: source.id } }
      : { route: showSource, params: { orgSlug: org.id, sourceSlug: source.id } };
  return { webPath: partWebPath(org?.slug ?? null, source), answer, feed: { ...answer, entity: source } };
};

const partPage = suffixRoutes({
  path: '/:org/:slug',
  params: z.object({ org: z.string(), slug: z.string() }),
  summary: 'A product or source of an org, as the API shows it or as a feed',
  extension: false,
  answers: [showProduct, showSource],
  feeds: [showProduct, showSource],
  find: (view, params) => {
    const org = orgOfWebPath(view.catalogue, params.org);
    const part = partOfWebPath(view.catalogue, org.id, params.slug);
    if ('source' in part) return sourceThing(view, part.source);
    const { product } = part;
    const answer = { route: showProduct, params: { orgSlug: org.id, productSlug: product.id } };
    return { webPath: partWebPath(org.slug, product), answer, feed: { ...answer, entity: product } };
  },
});

const sourcePage = suffixRoutes({
  path: '/source/:slug',
  params: z.object({ slug: z.string() }),
  summary: 'A source without an org, as the API shows it or as a feed; one with an org is below that',
  extension: false,
  answers: [showStandalone],
  feeds: [showStandalone],
  find: (view, { slug }) => sourceThing(view, sourceOfWebPath(view.catalogue, slug)),
});

const releasePage = suffixRoutes({
  path: '/release/:release',
  params: z.object({ release: z.string() }),
  summary: 'A release, as the API shows it',
  extension: true,
  answers: [showRelease],
  feeds: [],
  find: async ({ webBaseUrl }, { release }, askAsAnybody) => {
    const asked = { route: showRelease, params: { id: release } };
    const body = await askAsAnybody(asked);
    const { webUrl } = body as ReleaseDetail;
    return { webPath: webUrl.slice(webBaseUrl.length), answer: { ...asked, body }, feed: null };
  },
});

interface FeedPage {
  readonly path: `/${string}/:slug`;
  readonly summary: string;
  /** Answers with the feed. */
  readonly route: Route;
  /** Where the page is now, whose releases they are, and what the route knows that by. */
  readonly find: (view: ReadView, slug: string) => { webPath: string; entity: FeedEntity; params: Asked['params'] };
}

/** A page that is a feed and nothing else. */
const feedPage = ({ path, summary, route, find }: FeedPage): Route[] =>
  suffixRoutes({
    path,
    params: z.object({ slug: z.string() }),
    summary,
    extension: true,
    answers: [route],
    feeds: [route],
    find: (view, { slug }) => {
      const { webPath, entity, params } = find(view, slug);
      return { webPath, answer: { route, params }, feed: { route, params, entity } };
    },
  });

const collectionPage = feedPage({
  path: '/collections/:slug',
  summary: 'The releases of a collection, as the API lists them or as a feed',
  route: listCollectionReleases,
  find: ({ catalogue }, slug) => {
    const entity = collectionOfWebPath(catalogue, slug);
    return { webPath: collectionWebPath(entity), entity, params: { slug: entity.id } };
  },
});

/** Below the host root. Where two patterns match a path, the earlier one is taken. */
export const webRoutes: readonly Route[] = [...sourcePage, ...releasePage, ...collectionPage, ...orgPage, ...partPage];
