import { z } from 'zod';
import { categoryCard, resolveCategory } from '../../../../queries/categories/category-card.ts';
import type { ReleaseDetail } from '../../../../queries/releases/release-detail.ts';
import type { OrgDocument } from '../../../../projections/org/org.ts';
import type { SourceDocument } from '../../../../projections/source/source.ts';
import type { Catalogue } from '../../../catalogue/catalogue.ts';
import {
  collectionOfWebPath,
  orgOfWebPath,
  partOfWebPath,
  sourceOfWebPath,
  sourceWebPath,
} from '../../../catalogue/web-address.ts';
import { categoryWebPath, collectionWebPath, orgWebPath, partWebPath } from '../../../domain/web-paths.ts';
import type { Route } from '../../route.ts';
import type { ReadView } from '../../services.ts';
import { listCategoryReleases } from '../categories.ts';
import { listCollectionReleases } from '../collections-read.ts';
import { listOrgReleases, showOrg } from '../orgs-read.ts';
import { showProduct } from '../products-read.ts';
import { showRelease } from '../releases-read.ts';
import { listBareSourceReleases, showBareSource, showSource } from '../sources-read.ts';
import { suffixRoutes } from './page.ts';
import type { Asked, AskedFeed, WebThing } from './web-thing.ts';

const idOf = ({ id }: { readonly id: string }): string => id;

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
      feed: { route: listOrgReleases, params: asked, entity: org, owners: { entities: [], orgs: [org.id] } },
    };
  },
});

/** A product with the same slug has the address of the source while it is to be seen. */
const ownersAbove = (catalogue: Catalogue, org: OrgDocument | null, { slug }: SourceDocument): string[] =>
  org === null ? [] : [org, ...catalogue.productsOfOrg(org.id).filter((product) => product.slug === slug)].map(idOf);

const sourceThing = ({ catalogue }: ReadView, source: SourceDocument): WebThing => {
  const org = source.orgId === null ? null : (catalogue.org(source.orgId) ?? null);
  const answer: Asked =
    org === null
      ? { route: showBareSource, params: { slug: source.id } }
      : { route: showSource, params: { orgSlug: org.id, sourceSlug: source.id } };
  const owners = { entities: [source.id, ...ownersAbove(catalogue, org, source)], orgs: [] };
  // The detail of a source by itself has its releases by number, in pages that are whole however long they are.
  const feed = org === null ? { ...answer, route: listBareSourceReleases } : answer;
  return { webPath: sourceWebPath(catalogue, source), answer, feed: { ...feed, entity: source, owners } };
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
    // A source that left the product is still one of its org.
    const owners = { entities: [], orgs: [org.id] };
    return { webPath: partWebPath(org.slug, product), answer, feed: { ...answer, entity: product, owners } };
  },
});

const sourcePage = suffixRoutes({
  path: '/source/:slug',
  params: z.object({ slug: z.string() }),
  summary: 'A source without an org, as the API shows it or as a feed; one with an org is below that',
  extension: false,
  answers: [showBareSource],
  feeds: [listBareSourceReleases],
  find: (view, { slug }) => sourceThing(view, sourceOfWebPath(view.catalogue, slug)),
});

const releasePage = suffixRoutes({
  path: '/release/:release',
  params: z.object({ release: z.string() }),
  summary: 'A release, as the API shows it',
  extension: true,
  answers: [showRelease],
  feeds: [],
  find: async ({ webBaseUrl }, { release }, now) => {
    const asked = { route: showRelease, params: { id: release } };
    const answered = await now.ask(asked);
    const { webUrl } = answered.body as ReleaseDetail;
    const answer = now.isAsked ? { ...asked, answered } : asked;
    return { webPath: webUrl.slice(webBaseUrl.length), answer, feed: null };
  },
});

interface FeedPage {
  readonly path: `/${string}/:slug`;
  readonly summary: string;
  /** Answers with the feed. */
  readonly route: Route;
  /** Where the page is now, whose releases they are, and what the route knows that by. */
  readonly find: (
    view: ReadView,
    slug: string,
  ) => Pick<AskedFeed, 'entity' | 'owners' | 'params'> & { webPath: string };
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
      const { webPath, ...found } = find(view, slug);
      return { webPath, answer: { route, params: found.params }, feed: { route, ...found } };
    },
  });

const collectionPage = feedPage({
  path: '/collections/:slug',
  summary: 'The releases of a collection, as the API lists them or as a feed',
  route: listCollectionReleases,
  find: ({ catalogue }, slug) => {
    const entity = collectionOfWebPath(catalogue, slug);
    const members = entity.members.map(idOf);
    const orgs = members.map((id) => catalogue.product(id)?.orgId ?? id);
    const owners = { entities: [entity.id, ...members], orgs };
    return { webPath: collectionWebPath(entity), entity, owners, params: { slug: entity.id } };
  },
});

/** Categories have no ids and were always there; of a feed without a release something has to be said all the same. */
const categoriesSince = '2026-01-01T00:00:00.000Z';

const categoryPage = feedPage({
  path: '/categories/:slug',
  summary: 'The releases of a category, as the API lists them or as a feed',
  route: listCategoryReleases,
  find: (_, slug) => {
    const category = categoryCard(resolveCategory(slug));
    const entity = { id: `category-${category.slug}`, name: category.name, createdAt: categoriesSince };
    // Whatever has left a category, it may be anywhere.
    const owners = { entities: [], orgs: null };
    return { webPath: categoryWebPath(category), entity, owners, params: { slug: category.slug } };
  },
});

/** Below the host root. Where two patterns match a path, the earlier one is taken. */
export const webRoutes: readonly Route[] = [
  ...sourcePage,
  ...releasePage,
  ...collectionPage,
  ...categoryPage,
  ...orgPage,
  ...partPage,
];
