import type { Category } from '../../../src/domain/enumerations.ts';
import { naiveSourceRecord } from './naive-answers.ts';
import { membersOf, naiveCollectionList } from './naive-collections.ts';
import { newestFetches } from './naive-fetches.ts';
import { locatorOf } from './naive-manifest.ts';
import {
  avgReleasesPerWeek,
  dailyCounts,
  lastActivity,
  recentReleaseCount,
  sparkline,
  trackingSince,
} from './naive-numbers.ts';
import type { NaiveOrg, NaiveProduct, NaiveRelease } from './naive-registry.ts';
import {
  compareInAnyCase,
  compareText,
  inAlphabet,
  inOrderOfNames,
  isPrerelease,
  isPrimary,
  type NaiveView,
  releasesOf,
  shownProduct,
  sourcesOfOrg,
  sourcesOfProduct,
} from './naive-view.ts';

const dayMs = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const productsOf = (view: NaiveView, orgId: string) =>
  inOrderOfNames(view.products.filter((product) => product.orgId === orgId));

/** Contract 3.5. */
export const naiveOrgProducts = (view: NaiveView, org: NaiveOrg, kind: string | null) =>
  productsOf(view, org.id)
    .filter((product) => kind === null || product.kind === kind)
    .map(({ id, slug, name, orgId, kind: own, url, description, category, createdAt, avatarUrl }) => ({
      id,
      slug,
      name,
      orgId,
      url,
      description,
      category,
      avatarUrl,
      createdAt,
      kind: own,
      sourceCount: sourcesOfProduct(view, id).length,
    }));

export const naiveOrgCollections = (view: NaiveView, org: NaiveOrg) => {
  const ids = [org.id, ...productsOf(view, org.id).map(({ id }) => id)];
  const having = view.registry.collections.filter(
    (row) => !row.deleted && row.members.some(({ id }) => ids.includes(id)) && membersOf(view, row).length > 0,
  );
  return naiveCollectionList(view, false).filter(({ slug }) => having.some((row) => row.slug === slug));
};

export const naiveOrgSparklines = (view: NaiveView, { id: orgId, slug, name }: NaiveOrg) => {
  const sources = inOrderOfNames(sourcesOfOrg(view, orgId));
  const lineOf = (of: typeof sources) => sparkline(releasesOf(view, of), view.nowMs);
  return {
    org: { slug, name },
    range: { from: dayText(view.nowMs - 29 * dayMs), to: dayText(view.nowMs) },
    aggregate: lineOf(sources),
    sources: sources.map((source) => ({ slug: source.slug, name: source.name, sparkline: lineOf([source]) })),
    products: productsOf(view, orgId).map((product) => ({
      slug: product.slug,
      name: product.name,
      sparkline: lineOf(sourcesOfProduct(view, product.id)),
    })),
  };
};

export const naiveHeatmap = (view: NaiveView, sources: ReturnType<typeof sourcesOfOrg>) => {
  const days = dailyCounts(releasesOf(view, sources), view.nowMs, 364);
  return {
    range: { from: dayText(view.nowMs - 363 * dayMs), to: dayText(view.nowMs) },
    dailyCounts: days,
    total: days.reduce((sum, { count }) => sum + count, 0),
  };
};

/** A source stays when its product is deleted, without one (contract 14.2). */
export const withLivingProduct =
  (view: NaiveView) =>
  (location: NaiveOrg['locations'][number]): NaiveOrg['locations'][number] => {
    const isProductGone = !view.registry.products.some(({ id, deleted }) => id === location.productId && !deleted);
    return location.sourceId !== null && isProductGone ? { ...location, productId: null } : location;
  };

/** Contract 3.2 and 2.6. */
export const naiveLocations = (view: NaiveView, org: NaiveOrg) => {
  const stored = org.locations
    .filter(({ sourceId }) => sourceId === null || view.sources.some(({ id }) => id === sourceId))
    .map(withLivingProduct(view))
    .filter(({ productId }) => productId === null || view.products.some(({ id }) => id === productId))
    .map(({ id: _, ...location }) => {
      const source = view.sources.find(({ id }) => id === location.sourceId);
      return { ...location, canonical: location.canonical || (source !== undefined && isPrimary(view, source)) };
    });
  const others = inOrderOfNames(sourcesOfOrg(view, org.id)).filter(
    (source) => !org.locations.some(({ sourceId }) => sourceId === source.id),
  );
  const generated = others.map((source) => ({
    ...locatorOf(source),
    title: source.name,
    canonical: isPrimary(view, source),
    basis: 'generated',
    productId: shownProduct(view, source)?.id ?? null,
    sourceId: source.id,
  }));
  const address = (location: object): string =>
    Object.entries(location).find(([name]) => ['url', 'feed', 'github', 'appstore'].includes(name))![1] as string;
  return [...stored, ...generated].sort(
    (a, b) =>
      Number(b.canonical) - Number(a.canonical) ||
      compareInAnyCase(a.title ?? address(a), b.title ?? address(b)) ||
      compareInAnyCase(address(a), address(b)),
  );
};

/** Contract 3.5: a generated one is there only while everybody is shown all that it tells of. */
export const naiveOverview = ({ registry, releasesToday }: NaiveView, row: NaiveOrg | NaiveProduct) => {
  if (row.overview === null) return null;
  const { goesWith, ...overview } = row.overview;
  const shown = releasesToday.filter((release) => !isPrerelease(release) && release.coverageOf === null);
  if (!goesWith.every((told) => shown.some(({ id }) => id === told))) return null;
  const org = 'orgId' in row ? registry.orgs.find(({ id }) => id === row.orgId) : row;
  const about = 'orgId' in row ? { scope: 'product', productSlug: row.slug } : { scope: 'org', productSlug: null };
  return { ...about, orgSlug: org?.slug, ...overview };
};

const releaseCountOfProduct = (view: NaiveView, { id }: NaiveProduct): number =>
  releasesOf(view, sourcesOfProduct(view, id)).length;

const releasesOfOrg = (view: NaiveView, orgId: string): NaiveRelease[] => releasesOf(view, sourcesOfOrg(view, orgId));

/** Contract 3.2. */
export const naiveOrgDetail = (view: NaiveView, org: NaiveOrg) => {
  const releases = releasesOfOrg(view, org.id);
  const sources = sourcesOfOrg(view, org.id);
  return {
    id: org.id,
    slug: org.slug,
    name: org.name,
    domain: org.domain,
    description: org.description,
    category: org.category,
    avatarUrl: org.avatarUrl,
    isHidden: org.hidden,
    featured: org.featured,
    status: org.status,
    autoGenerateContent: org.autoGenerateContent,
    fetchPaused: org.fetchPaused,
    overviewCadenceDays: org.overviewCadenceDays,
    discovery: org.discovery,
    ...newestFetches(sources.map(({ id }) => view.fetchStateOf(id))),
    tags: inAlphabet(org.tags),
    notice: org.notice,
    locations: naiveLocations(view, org),
    accounts: org.accounts
      .map(({ platform, handle }) => ({ platform, handle }))
      .sort((a, b) => (JSON.stringify(a).toLowerCase() < JSON.stringify(b).toLowerCase() ? -1 : 1)),
    aliases: inAlphabet(org.aliases),
    overview: naiveOverview(view, org),
    sourceCount: sources.length,
    releaseCount: releases.length,
    releasesLast30Days: recentReleaseCount(releases, view.nowMs),
    avgReleasesPerWeek: avgReleasesPerWeek(releases, view.nowMs),
    trackingSince: trackingSince(releases, org.createdAt),
    products: productsOf(view, org.id).map((product) => ({
      id: product.id,
      slug: product.slug,
      name: product.name,
      url: product.url,
      description: product.description,
      kind: product.kind,
      createdAt: product.createdAt,
      sourceCount: sourcesOfProduct(view, product.id).length,
      releaseCount: releaseCountOfProduct(view, product),
    })),
    sources: inOrderOfNames(sources).map((source) => naiveSourceRecord(view, source)),
  };
};

// By releaseCount desc, then name: the sort keeps the order of names among equals.
const topProducts = (view: NaiveView, orgId: string): string[] =>
  productsOf(view, orgId)
    .sort((a, b) => releaseCountOfProduct(view, b) - releaseCountOfProduct(view, a))
    .slice(0, 3)
    .map(({ name }) => name);

const naiveOrgFields = ({ id, slug, name, domain, category, description, avatarUrl, ...org }: NaiveOrg) => ({
  ...{ id, slug, name, domain, category, description, avatarUrl },
  aliasDomains: org.aliases.toSorted(),
  featured: org.featured,
  status: org.status,
});

export interface NaiveOrgFilters {
  readonly q: string | null;
  readonly category: Category | null;
  readonly featured: boolean;
  readonly includeEmpty: boolean;
}

const everyOrg: NaiveOrgFilters = { q: null, category: null, featured: false, includeEmpty: true };

const nothingCounted = {
  ...{ sourceCount: 0, releaseCount: 0, recentReleaseCount: 0, lastActivity: null, topProducts: [] },
  sparkline: new Array<number>(30).fill(0),
};

/** All items of the org list in their order, and its `emptyOrgCount` (contract 3.1, 2.12). */
export const naiveOrgList = (view: NaiveView, { q, category, featured, includeEmpty }: NaiveOrgFilters) => {
  const ofCategory = view.orgs.filter((org) => category === null || org.category === category);
  const isEmpty = ({ id }: NaiveOrg): boolean => releasesOfOrg(view, id).length === 0;
  const contains = (text: string): boolean => text.toLowerCase().includes((q ?? '').toLowerCase());
  const wanted = ofCategory.filter(
    (org) =>
      (contains(org.name) || contains(org.slug)) && (!featured || org.featured) && (includeEmpty || !isEmpty(org)),
  );
  const items = inOrderOfNames(wanted).map((org) => {
    const releases = releasesOfOrg(view, org.id);
    return {
      ...naiveOrgFields(org),
      sourceCount: sourcesOfOrg(view, org.id).length,
      releaseCount: releases.length,
      recentReleaseCount: recentReleaseCount(releases, view.nowMs),
      lastActivity: lastActivity(releases),
      topProducts: topProducts(view, org.id),
      sparkline: sparkline(releases, view.nowMs),
    };
  });
  return { items, emptyOrgCount: ofCategory.filter(isEmpty).length };
};

/** Contract 3.1 and 2.6: also of hidden orgs, the latest request first; of a stub nothing is counted. */
export const naiveTrackingRequests = (view: NaiveView) => {
  const items = view.registry.orgs
    .filter(({ deleted, trackingRequestedAt }) => !deleted && trackingRequestedAt !== null)
    .map((org) => ({ ...naiveOrgFields(org), trackingRequestedAt: org.trackingRequestedAt! }))
    .sort((a, b) => compareText(b.trackingRequestedAt, a.trackingRequestedAt) || compareText(a.id, b.id))
    .map((each) => ({ ...each, ...nothingCounted }));
  return { items, emptyOrgCount: naiveOrgList(view, everyOrg).emptyOrgCount };
};

/** Contract 8. */
export const naiveDomainLookup = (view: NaiveView, domain: string) => {
  const org = view.orgs.find((row) => row.domain === domain || row.aliases.includes(domain));
  const products = inOrderOfNames(view.products.filter(({ aliases }) => aliases.includes(domain)));
  if (org === undefined && products.length === 0) return null;
  return {
    domain,
    org:
      org === undefined
        ? null
        : {
            id: org.id,
            slug: org.slug,
            name: org.name,
            domain: org.domain,
            description: org.description,
            category: org.category,
            avatarUrl: org.avatarUrl,
            matchedVia: org.domain === domain ? 'primary' : 'alias',
            status: org.status,
            ...(org.status === 'stub' && { locations: naiveLocations(view, org) }),
          },
    products: products.map(({ id, slug, name, orgId, category }) => {
      const owner = view.orgs.find((row) => row.id === orgId)!;
      return { id, slug, name, orgId, orgSlug: owner.slug, orgName: owner.name, category };
    }),
  };
};
