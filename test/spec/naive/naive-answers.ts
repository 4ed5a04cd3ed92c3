import { createHash } from 'node:crypto';
import {
  avgReleasesPerWeek,
  latest,
  latestAddedAt,
  medianGapDays,
  recentReleaseCount,
  trackingSince,
} from './naive-numbers.ts';
import { madeUpEmbeddedAt } from './naive-fetches.ts';
import type { NaiveOrg, NaiveProduct, NaiveRelease, NaiveSource } from './naive-registry.ts';
import { naiveChangelogFiles, naiveFileUrl, naiveShownSummaries } from './naive-texts.ts';
import {
  inAlphabet,
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
  sourcesOfProduct,
} from './naive-view.ts';

const naiveOrgCard = (org: NaiveOrg) => {
  const { id, slug, name, avatarUrl } = org;
  return { id, slug, name, avatarUrl, githubHandle: naiveGithubHandle(org) };
};

/** JSON of what everybody may know of the metadata (contract 5.1); histories tell nothing else. */
const naiveMetadata = ({ metadata }: NaiveSource): string | null =>
  Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);

/** Contract 2.13: what only sources of these types tell, of what their metadata say. */
const naiveMediaOf = ({ type, metadata }: NaiveSource) => {
  const { appStore, video } = metadata as { appStore?: { platform?: string; iconUrl?: string }; video?: object };
  const { platform, iconUrl = null } = appStore ?? {};
  return {
    ...(type === 'appstore' && platform !== undefined && { appStore: { platform, iconUrl } }),
    ...(type === 'video' && video !== undefined && { video }),
  };
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
      ...naiveMediaOf(source),
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
    ...{ appStore: null, video: null },
    ...naiveMediaOf(source),
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
  const { coverageOf, coverage } = release;
  const siblingOf = (sibling: NaiveRelease) => {
    const { id, version, title, publishedAt, source, org, media } = naiveItem(view, sibling);
    const thumbnail = media.find(({ type }) => type === 'image')?.url ?? null;
    return { id, version, title, publishedAt, sourceName: source.name, org, thumbnail };
  };
  const row = (coverageId: string, decision: NaiveRelease['coverage'], sibling: NaiveRelease) => ({
    coverageId,
    ...decision,
    sibling: siblingOf(sibling),
  });
  const canonical = view.releases.find(({ id }) => id === coverageOf);
  const covering = view.releases
    .filter((each) => each.coverageOf === release.id)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    role: coverageOf !== null ? 'coverage' : covering.length > 0 ? 'canonical' : 'standalone',
    canonical: coverage !== null && canonical ? row(release.id, coverage, canonical) : null,
    covers: covering.map((each) => row(each.id, each.coverage, each)),
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
    metadata: naiveMetadata(source),
    releaseCount: releases.length,
    ...latest(releases),
    latestAddedAt: latestAddedAt(releases),
    medianGapDays: medianGapDays(releases, view.nowMs),
    ...view.fetchStateOf(source.id),
  };
};

/** Contract 5.2, without the releases. */
export const naiveSourceDetail = (view: NaiveView, source: NaiveSource) => {
  const releases = releasesOf(view, [source]);
  const [file] = naiveChangelogFiles(view, source);
  const { lastFetchedAt, lastPolledAt, changeDetectedAt, stars, starsFetchedAt } = view.fetchStateOf(source.id);
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
    metadata: naiveMetadata(source) ?? '{}',
    changelogUrl: source.metadata['changelogUrl'] ?? (file ? naiveFileUrl(source, file) : null),
    hasChangelogFile: file !== undefined,
    lastFetchedAt,
    lastPolledAt,
    changeDetectedAt,
    stars,
    starsFetchedAt,
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
    url: product.url,
    description: product.description,
    avatarUrl: product.avatarUrl,
    category: product.category,
    kind: product.kind,
    createdAt: product.createdAt,
    deletedAt: null,
    embeddedAt: madeUpEmbeddedAt(sources.map(({ id }) => id)),
    tags: inAlphabet(product.tags),
    aliases: inAlphabet(product.aliases),
    notice: product.notice,
    sourceCount: sources.length,
    sources: inOrderOfNames(sources).map((source) => {
      const { id, slug, name, type, url, kind } = source;
      return { id, slug, name, type, url, kind, metadata: naiveMetadata(source) };
    }),
  };
};
