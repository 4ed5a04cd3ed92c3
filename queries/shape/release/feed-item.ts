import type { ReleaseDocument } from '../../../projections/release-detail/release-detail.ts';
import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { OrgDocument } from '../../../projections/org/org.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { EntityReads } from '../../../src/catalogue/catalogue.ts';
import { type Sight, shownProduct } from '../../../src/catalogue/visibility.ts';
import { githubHandleOf } from '../../../src/domain/org/accounts.ts';
import { effectiveCard } from '../../../src/domain/release/effective.ts';
import { releaseWebPath } from '../../../src/domain/release/web-path.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import { appStoreOf, videoOf } from '../source/source-media.ts';

/** What a release says of itself, but for the long texts. */
export type ListedRelease = Pick<FeedRow, 'id' | 'given' | 'derived'> & { readonly fetchedAt: string };

/** What covers it, and what it covers. */
export interface ListedCoverage {
  readonly coverageCount: number;
  readonly coverageOf: string | null;
}

export const listedRow = ({ id, given, derived, fetchedMs }: FeedRow): ListedRelease => ({
  id,
  given,
  derived,
  fetchedAt: toTimestamp(fetchedMs),
});

export const detailCoverage = (
  { id, coverage }: Pick<ReleaseDocument, 'id' | 'coverage'>,
  coverageCounts: ReadonlyMap<string, number>,
): ListedCoverage => ({ coverageCount: coverageCounts.get(id) ?? 0, coverageOf: coverage?.canonicalId ?? null });

export const orgOf = (catalogue: EntityReads, { orgId }: SourceDocument): OrgDocument | null =>
  orgId === null ? null : (catalogue.org(orgId) ?? null);

export const orgCard = ({ id, slug, name, avatarUrl, accounts }: OrgDocument) => ({
  id,
  slug,
  name,
  avatarUrl,
  githubHandle: githubHandleOf(accounts),
});

const sourceCard = (source: SourceDocument, org: OrgDocument | null, product: ProductDocument | null) => {
  const appStore = appStoreOf(source);
  const video = videoOf(source);
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    kind: source.kind ?? product?.kind ?? null,
    orgSlug: org?.slug ?? null,
    orgName: org?.name ?? null,
    ...(appStore && { appStore }),
    ...(video && { video }),
  };
};

const productCard = ({ id, slug, name, kind }: ProductDocument) => ({ id, slug, name, kind });

/** The first part of an item. */
export const ownPart = (webBaseUrl: string, { id, given, derived, fetchedAt }: ListedRelease) => {
  const values = effectiveCard(given, derived);
  return {
    id,
    version: values.version,
    title: values.title,
    summary: values.summary,
    description: values.summary,
    publishedAt: values.publishedAt,
    fetchedAt,
    url: values.url,
    webUrl: `${webBaseUrl}${releaseWebPath(id, values)}`,
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
  };
};

/** Whose release it is. */
export interface ItemParents {
  readonly source: SourceDocument;
  readonly org: OrgDocument | null;
  /** The one that is shown. */
  readonly product: ProductDocument | null;
}

export const itemParents = (catalogue: EntityReads, source: SourceDocument, sight: Sight): ItemParents => ({
  source,
  org: orgOf(catalogue, source),
  product: shownProduct(catalogue, source, sight),
});

/** The last part of an item. */
export const parentsPart = ({ source, org, product }: ItemParents) => ({
  orgId: source.orgId,
  productId: product?.id ?? null,
  sourceId: source.id,
  source: sourceCard(source, org, product),
  org: org && orgCard(org),
  product: product && productCard(product),
  groupSlug: product?.slug ?? source.slug,
  groupName: product?.name ?? source.name,
});

/** A release as every list shows it (contract 2.13), without its content. */
export const feedItem = (
  webBaseUrl: string,
  release: ListedRelease,
  { coverageCount, coverageOf }: ListedCoverage,
  parents: ItemParents,
) => ({ ...ownPart(webBaseUrl, release), coverageCount, coverageOf, ...parentsPart(parents) });

export type FeedItem = ReturnType<typeof feedItem>;

/**
 * When the release was last revised, as the document says that the item was made of. JSON leaves it out; forms, which are
 * made of the same item, tell it beside its text.
 */
export const revisedAt: unique symbol = Symbol('revisedAt');

export type FullFeedItem = FeedItem & { readonly content: string; readonly [revisedAt]: string };
