import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { ReleaseDocument } from '../../projections/release-detail/release-detail.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { resolvedKind, type Sight, shownProduct } from '../../src/catalogue/visibility.ts';
import { effectiveRelease } from '../../src/domain/release/effective.ts';
import { releaseWebPath } from '../../src/domain/release/web-path.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { QueryDeps } from './query-deps.ts';
import { appStoreOf, videoOf } from './source-media.ts';

/** What a release says of itself. */
export type ListedRelease = Pick<ReleaseDocument, 'id' | 'sourceId' | 'derived' | 'fetchedAt'> & {
  readonly given: Omit<ReleaseDocument['given'], 'content'>;
};

/** A row has all but the long texts. */
export const listedRow = ({ id, sourceId, given, derived, fetchedMs }: FeedRow): ListedRelease => ({
  id,
  sourceId,
  given,
  derived: { ...derived, contentHash: null, migrationNotes: null },
  fetchedAt: toTimestamp(fetchedMs),
});

export const orgOf = (catalogue: Catalogue, { orgId }: SourceDocument): OrgDocument | null =>
  orgId === null ? null : (catalogue.org(orgId) ?? null);

export const orgCard = ({ id, slug, name, avatarUrl }: OrgDocument) => ({
  id,
  slug,
  name,
  avatarUrl,
  githubHandle: null as string | null, // an org has no linked accounts among its events
});

const sourceCard = (catalogue: Catalogue, source: SourceDocument, sight: Sight) => {
  const org = orgOf(catalogue, source);
  const appStore = appStoreOf(source);
  const video = videoOf(source);
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    kind: resolvedKind(catalogue, source, sight),
    orgSlug: org?.slug ?? null,
    orgName: org?.name ?? null,
    ...(appStore && { appStore }),
    ...(video && { video }),
  };
};

const productCard = (catalogue: Catalogue, source: SourceDocument, sight: Sight) => {
  const product = shownProduct(catalogue, source, sight);
  return product && { id: product.id, slug: product.slug, name: product.name, kind: product.kind };
};

/** A release as every list shows it (contract 2.13), without its content. */
export const feedItem = (
  { catalogue, webBaseUrl }: Pick<QueryDeps, 'catalogue' | 'webBaseUrl'>,
  release: ListedRelease,
  source: SourceDocument,
  sight: Sight,
) => {
  const values = effectiveRelease(release.given, release.derived);
  const org = orgOf(catalogue, source);
  const product = productCard(catalogue, source, sight);
  return {
    id: release.id,
    version: values.version,
    title: values.title,
    summary: values.summary,
    description: values.summary,
    publishedAt: values.publishedAt,
    fetchedAt: release.fetchedAt,
    url: values.url,
    webUrl: `${webBaseUrl}${releaseWebPath(release.id, values)}`,
    media: values.media,
    type: values.type,
    prerelease: values.prerelease,
    titleGenerated: values.titleGenerated,
    titleShort: values.titleShort,
    breaking: values.breaking,
    importance: values.importance,
    composition: values.composition,
    contentChars: values.contentChars,
    contentTokens: values.contentTokens,
    coverageCount: 0,
    coverageOf: null as string | null,
    orgId: source.orgId,
    productId: product?.id ?? null,
    sourceId: source.id,
    source: sourceCard(catalogue, source, sight),
    org: org && orgCard(org),
    product,
    groupSlug: product?.slug ?? source.slug,
    groupName: product?.name ?? source.name,
  };
};

export type FeedItem = ReturnType<typeof feedItem>;
export type FullFeedItem = FeedItem & { readonly content: string };
