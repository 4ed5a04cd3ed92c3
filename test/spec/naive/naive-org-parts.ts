import { membersOf, naiveCollectionList } from './naive-collections.ts';
import { locatorOf } from './naive-manifest.ts';
import { dailyCounts, sparkline } from './naive-numbers.ts';
import type { NaiveOrg, NaiveProduct } from './naive-registry.ts';
import {
  inOrderOfNames,
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

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compareInAnyCase = (a: string, b: string): number =>
  compareTexts(a.toLowerCase(), b.toLowerCase()) || compareTexts(a, b);

export const inAlphabet = (texts: readonly string[]): string[] => [...texts].sort(compareInAnyCase);

/** Contract 3.2 and 2.6. */
export const naiveLocations = (view: NaiveView, org: NaiveOrg) => {
  const stored = org.locations
    .filter(({ productId }) => productId === null || view.products.some(({ id }) => id === productId))
    .filter(({ sourceId }) => sourceId === null || view.sources.some(({ id }) => id === sourceId))
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

export const naiveOverview = ({ overview }: NaiveOrg | NaiveProduct) =>
  overview && { content: overview.content, releaseCount: overview.releaseCount, updatedAt: overview.updatedAt };

/** Contract 3.1 and 2.6: also of hidden orgs, the latest request first. */
export const naiveTrackingRequests = ({ registry }: NaiveView) =>
  registry.orgs
    .filter(({ deleted, trackingRequestedAt }) => !deleted && trackingRequestedAt !== null)
    .map(({ id, slug, trackingRequestedAt }) => ({ id, slug, trackingRequestedAt: trackingRequestedAt! }))
    .sort((a, b) => compareTexts(b.trackingRequestedAt, a.trackingRequestedAt) || compareTexts(a.id, b.id))
    .map((each) => ({ ...each, sourceCount: 0, releaseCount: 0, topProducts: [], lastActivity: null }));

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
