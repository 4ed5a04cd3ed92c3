import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import type { ReleaseDocument } from '../../../projections/release-detail/release-detail.ts';
import type { OrgDocument } from '../../../projections/org/org.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { EntityReads } from '../../../src/catalogue/catalogue.ts';
import { resolvedKind, type Sight, shownProduct } from '../../../src/catalogue/visibility.ts';
import { githubHandleOf } from '../../../src/domain/org/accounts.ts';
import { effectiveRelease } from '../../../src/domain/release/effective.ts';
import { releaseWebPath } from '../../../src/domain/release/web-path.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { QueryDeps } from '../query-deps.ts';
import { appStoreOf, videoOf } from '../source/source-media.ts';

/** What a release says of itself, and how many cover it. */
export type ListedRelease = Pick<ReleaseDocument, 'id' | 'sourceId' | 'derived' | 'fetchedAt'> & {
  readonly given: Omit<ReleaseDocument['given'], 'content'>;
  readonly coverageOf: string | null;
  readonly coverageCount: number;
};

/** A row has all but the long texts. */
export const listedRow = (row: FeedRow, coverageCounts: ReadonlyMap<string, number>): ListedRelease => ({
  id: row.id,
  sourceId: row.sourceId,
  given: row.given,
  derived: { ...row.derived, contentHash: null, migrationNotes: null },
  fetchedAt: toTimestamp(row.fetchedMs),
  coverageOf: row.coverageOf,
  coverageCount: coverageCounts.get(row.id) ?? 0,
});

export const listedDetail = (release: ReleaseDocument, coverageCounts: ReadonlyMap<string, number>): ListedRelease => ({
  ...release,
  coverageOf: release.coverage?.canonicalId ?? null,
  coverageCount: coverageCounts.get(release.id) ?? 0,
});

export const orgOf = (catalogue: EntityReads, { orgId }: SourceDocument): OrgDocument | null =>
  orgId === null ? null : (catalogue.org(orgId) ?? null);

export const orgCard = ({ id, slug, name, avatarUrl, accounts }: OrgDocument) => ({
  id,
  slug,
  name,
  avatarUrl,
  githubHandle: githubHandleOf(accounts),
});

const sourceCard = (catalogue: EntityReads, source: SourceDocument, sight: Sight) => {
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

const productCard = (catalogue: EntityReads, source: SourceDocument, sight: Sight) => {
  const product = shownProduct(catalogue, source, sight);
  return product && { id: product.id, slug: product.slug, name: product.name, kind: product.kind };
};

/** A release as every list shows it (contract 2.13), without its content. */
export const feedItem = (
  { catalogue, webBaseUrl }: Pick<QueryDeps, 'webBaseUrl'> & { readonly catalogue: EntityReads },
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
    coverageCount: release.coverageCount,
    coverageOf: release.coverageOf,
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

/**
 * When the release was last revised, as the document says that the item was made of. JSON leaves it out; forms, which are
 * made of the same item, tell it beside its text.
 */
export const revisedAt: unique symbol = Symbol('revisedAt');

export type FullFeedItem = FeedItem & { readonly content: string; readonly [revisedAt]: string };
