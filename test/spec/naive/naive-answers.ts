import { createHash } from 'node:crypto';
import type { Category } from '../../../src/domain/enumerations.ts';
import {
  avgReleasesPerWeek,
  lastActivity,
  latest,
  latestAddedAt,
  medianGapDays,
  recentReleaseCount,
  sparkline,
  trackingSince,
} from './naive-numbers.ts';
import type { NaiveOrg, NaiveProduct, NaiveRelease, NaiveSource } from './naive-registry.ts';
import { inAlphabet, naiveLocations, naiveOverview } from './naive-org-parts.ts';
import { naiveChangelogFiles, naiveShownSummaries } from './naive-texts.ts';
import {
  inOrderOfNames,
  isPrerelease,
  isPrimary,
  naiveGithubHandle,
  type NaiveView,
  naiveWebUrl,
  orgOf,
  publishedAtOf,
  releasesOf,
  resolvedKind,
  shownProduct,
  sourcesOfOrg,
  sourcesOfProduct,
} from './naive-view.ts';

const naiveOrgCard = (org: NaiveOrg) => {
  const { id, slug, name, avatarUrl } = org;
  return { id, slug, name, avatarUrl, githubHandle: naiveGithubHandle(org) };
};

/** A feed item (contract 2.13) without content. */
export const naiveItem = (view: NaiveView, release: NaiveRelease) => {
  const { given, derived } = release;
  const source = view.registry.sources.find(({ id }) => id === release.sourceId);
  if (source === undefined) throw new Error(`${release.id} has no source`);
  const org = orgOf(view, source);
  const product = shownProduct(view, source);
  const summary = given.summary ?? derived.summary;
  return {
    id: release.id,
    version: given.version ?? null,
    title: given.title,
    summary,
    description: summary,
    publishedAt: publishedAtOf(release),
    fetchedAt: release.fetchedAt,
    url: given.url ?? null,
    webUrl: naiveWebUrl(release),
    media: given.media ?? [],
    type: given.type ?? derived.type,
    prerelease: isPrerelease(release),
    titleGenerated: given.titleGenerated ?? null,
    titleShort: given.titleShort ?? null,
    breaking: given.breaking ?? derived.breaking,
    importance: given.importance ?? derived.importance,
    composition: given.composition ?? derived.composition,
    contentChars: release.content === '' ? null : release.content.length,
    contentTokens: derived.contentTokens,
    coverageCount: view.releases.filter(({ coverageOf }) => coverageOf === release.id).length,
    coverageOf: release.coverageOf,
    orgId: source.orgId,
    productId: product?.id ?? null,
    sourceId: source.id,
    source: {
      id: source.id,
      slug: source.slug,
      name: source.name,
      type: source.type,
      kind: resolvedKind(view, source),
      orgSlug: org?.slug ?? null,
      orgName: org?.name ?? null,
    },
    org: org && naiveOrgCard(org),
    product: product && { id: product.id, slug: product.slug, name: product.name, kind: product.kind },
    groupSlug: product?.slug ?? source.slug,
    groupName: product?.name ?? source.name,
  };
};

export const naiveFullItem = (view: NaiveView, release: NaiveRelease) => ({
  ...naiveItem(view, release),
  content: release.content,
});

/** Contract 6.2. */
export const naiveReleaseDetail = (view: NaiveView, release: NaiveRelease) => {
  const source = view.registry.sources.find(({ id }) => id === release.sourceId)!;
  const org = orgOf(view, source);
  return {
    ...naiveFullItem(view, release),
    org: org && { ...naiveOrgCard(org), discovery: org.discovery, isHidden: org.hidden },
    migrationNotes: release.given.migrationNotes ?? release.derived.migrationNotes,
    contentHash: release.content === '' ? null : createHash('sha256').update(release.content).digest('hex'),
    revision: release.revision,
    sourceName: source.name,
    sourceSlug: source.slug,
    sourceType: source.type,
    sourceIsHidden: source.hidden,
    effectiveCategory: shownProduct(view, source)?.category ?? org?.category ?? null,
  };
};

/** Contract 6.3, to everybody: of those that are seen. */
export const naiveReleaseCoverage = (view: NaiveView, release: NaiveRelease) => {
  const { coverageOf } = release;
  const siblingOf = (sibling: NaiveRelease) => {
    const { id, version, title, publishedAt, source, org, media } = naiveItem(view, sibling);
    const thumbnail = media.find(({ type }) => type === 'image')?.url ?? null;
    return { id, version, title, publishedAt, sourceName: source.name, org, thumbnail };
  };
  const row = (coverageId: string, canonicalId: string, sibling: NaiveRelease) => ({
    coverageId,
    canonicalId,
    sibling: siblingOf(sibling),
  });
  const canonical = view.releases.find(({ id }) => id === coverageOf);
  const covering = view.releases
    .filter((each) => each.coverageOf === release.id)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    role: coverageOf !== null ? 'coverage' : covering.length > 0 ? 'canonical' : 'standalone',
    canonical: coverageOf !== null && canonical ? row(release.id, coverageOf, canonical) : null,
    covers: covering.map((each) => row(each.id, release.id, each)),
  };
};

/** What the record of a source (contract 5.1) says beyond its own fields. */
export const naiveSourceRecord = (view: NaiveView, source: NaiveSource) => {
  const releases = releasesOf(view, [source]);
  const org = orgOf(view, source);
  const product = shownProduct(view, source);
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    url: source.url,
    discovery: source.discovery,
    fetchPriority: source.fetchPriority,
    orgSlug: org?.slug ?? null,
    orgName: org?.name ?? null,
    productName: product?.name ?? null,
    productSlug: product?.slug ?? null,
    kind: source.kind,
    isPrimary: isPrimary(view, source),
    isHidden: source.hidden,
    releaseCount: releases.length,
    ...latest(releases),
    latestAddedAt: latestAddedAt(releases),
    medianGapDays: medianGapDays(releases, view.nowMs),
  };
};

/** Contract 5.2, without the releases. */
export const naiveSourceDetail = (view: NaiveView, source: NaiveSource) => {
  const releases = releasesOf(view, [source]);
  const org = orgOf(view, source);
  const product = shownProduct(view, source);
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    url: source.url,
    discovery: source.discovery,
    packages: source.packages,
    orgId: source.orgId,
    org: org && { id: org.id, slug: org.slug, name: org.name },
    productId: product?.id ?? null,
    productSlug: product?.slug ?? null,
    kind: source.kind,
    isHidden: source.hidden,
    isPrimary: isPrimary(view, source),
    releaseCount: releases.length,
    releasesLast30Days: recentReleaseCount(releases, view.nowMs),
    avgReleasesPerWeek: avgReleasesPerWeek(releases, view.nowMs),
    ...latest(releases),
    trackingSince: trackingSince(releases, source.createdAt),
    hasChangelogFile: naiveChangelogFiles(view, source).length > 0,
    summaries: naiveShownSummaries(view, source),
  };
};

/** Contract 4, without the releases. */
export const naiveProductDetail = (view: NaiveView, product: NaiveProduct) => {
  const sources = sourcesOfProduct(view, product.id);
  return {
    id: product.id,
    slug: product.slug,
    name: product.name,
    orgId: product.orgId,
    category: product.category,
    kind: product.kind,
    createdAt: product.createdAt,
    deletedAt: null,
    tags: inAlphabet(product.tags),
    aliases: inAlphabet(product.aliases),
    notice: product.notice,
    sourceCount: sources.length,
    sources: inOrderOfNames(sources).map(({ id, slug, name, type, kind }) => ({ id, slug, name, type, kind })),
  };
};

const releaseCountOfProduct = (view: NaiveView, { id }: NaiveProduct): number =>
  releasesOf(view, sourcesOfProduct(view, id)).length;

const productsOfOrg = ({ products }: NaiveView, orgId: string): NaiveProduct[] =>
  inOrderOfNames(products.filter((product) => product.orgId === orgId));

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
    category: org.category,
    isHidden: org.hidden,
    featured: org.featured,
    status: org.status,
    tags: inAlphabet(org.tags),
    notice: org.notice,
    locations: naiveLocations(view, org),
    accounts: org.accounts
      .map(({ platform, handle }) => ({ platform, handle }))
      .sort((a, b) => (JSON.stringify(a).toLowerCase() < JSON.stringify(b).toLowerCase() ? -1 : 1)),
    aliases: inAlphabet(org.aliases),
    overview: naiveOverview(org),
    sourceCount: sources.length,
    releaseCount: releases.length,
    releasesLast30Days: recentReleaseCount(releases, view.nowMs),
    avgReleasesPerWeek: avgReleasesPerWeek(releases, view.nowMs),
    trackingSince: trackingSince(releases, org.createdAt),
    products: productsOfOrg(view, org.id).map((product) => ({
      id: product.id,
      slug: product.slug,
      name: product.name,
      kind: product.kind,
      sourceCount: sourcesOfProduct(view, product.id).length,
      releaseCount: releaseCountOfProduct(view, product),
    })),
    sources: inOrderOfNames(sources).map((source) => naiveSourceRecord(view, source)),
  };
};

// By releaseCount desc, then name: the sort keeps the order of names among equals.
const topProducts = (view: NaiveView, orgId: string): string[] =>
  productsOfOrg(view, orgId)
    .sort((a, b) => releaseCountOfProduct(view, b) - releaseCountOfProduct(view, a))
    .slice(0, 3)
    .map(({ name }) => name);

export interface NaiveOrgFilters {
  readonly q: string | null;
  readonly category: Category | null;
  readonly featured: boolean;
  readonly includeEmpty: boolean;
}

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
      id: org.id,
      slug: org.slug,
      name: org.name,
      domain: org.domain,
      category: org.category,
      description: org.description,
      avatarUrl: org.avatarUrl,
      aliasDomains: org.aliases.toSorted(),
      featured: org.featured,
      status: org.status,
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
