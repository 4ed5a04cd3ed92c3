import { changelogFilesProjection } from '../../projections/changelog-files/changelog-files.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { summariesProjection } from '../../projections/summaries/summaries.ts';
import { instantsOfSource } from '../../src/catalogue/entity-numbers.ts';
import { avgReleasesPerWeek, recentReleaseCount, releaseCount } from '../../src/catalogue/numbers.ts';
import { isPrimarySource } from '../../src/catalogue/primary-source.ts';
import { resolveOrg, resolveSource, resolveSourceOf } from '../../src/catalogue/resolve.ts';
import { shownProduct, sightOn } from '../../src/catalogue/visibility.ts';
import type { LaneChoice } from '../../src/domain/release/feed/lane.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { changelogFileUrl } from '../shape/source/changelog-file.ts';
import { latestVersion } from '../shape/latest-version.ts';
import type { Asking, LongPageDeps, QueryDeps } from '../shape/query-deps.ts';
import { orgOf } from '../shape/release/feed-item.ts';
import { metadataString, metadataText } from '../shape/source/source-metadata.ts';
import { sourceSummaries } from '../shape/source/source-summaries.ts';
import { type NumberedPageInput, sourceReleasesPage } from './source-releases-page.ts';
import { sourceFeedName, sourceReleases, sourceReleasesReads } from './source-releases.ts';
import { trackingSince } from '../shape/tracking-since.ts';

export interface SourceDetailInput extends LaneChoice, FeedPaging {
  /** The org of the path; null on the bare path. */
  readonly org: string | null;
  readonly source: string;
}

export const sourceDetailReads = [...sourceReleasesReads, summariesProjection, changelogFilesProjection];

const detailOf = async <Page extends { readonly releases: unknown; readonly pagination: unknown }>(
  deps: QueryDeps,
  source: SourceDocument,
  { releases, pagination }: Page,
  { nowMs, admin }: Asking,
) => {
  const { catalogue } = deps;
  const sight = sightOn(admin, source.id, source.orgId);
  const instants = instantsOfSource(catalogue, source, sight);
  const org = orgOf(catalogue, source);
  const product = shownProduct(catalogue, source, sight);
  const [changelog] = await deps.models
    .of(changelogFilesProjection)
    .query({ index: 'byChoice', equals: { sourceId: source.id }, limit: 1 });
  const fetched = (await deps.fetchStates([source.id]))[0]!;
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    url: source.url,
    orgId: source.orgId,
    productId: product?.id ?? null,
    productSlug: product?.slug ?? null,
    kind: source.kind,
    isHidden: source.hidden,
    discovery: source.discovery,
    isPrimary: isPrimarySource(catalogue, source),
    metadata: metadataText(source, admin) ?? '{}',
    packages: source.packages,
    changelogUrl: metadataString(source, 'changelogUrl') ?? (changelog ? changelogFileUrl(source, changelog) : null),
    hasChangelogFile: changelog !== undefined,
    org: org && { id: org.id, slug: org.slug, name: org.name },
    releaseCount: releaseCount(instants, nowMs),
    releasesLast30Days: recentReleaseCount(instants, nowMs),
    avgReleasesPerWeek: avgReleasesPerWeek(instants, nowMs),
    ...latestVersion(catalogue, source.id, nowMs),
    trackingSince: trackingSince(instants, source, nowMs),
    lastFetchedAt: fetched.lastFetchedAt,
    lastPolledAt: fetched.lastPolledAt,
    changeDetectedAt: fetched.changeDetectedAt,
    stars: fetched.stars,
    starsFetchedAt: fetched.starsFetchedAt,
    releases: releases as Page['releases'],
    pagination: pagination as Page['pagination'],
    summaries: await sourceSummaries(deps, source.id),
  };
};

/** A source with the page of its releases that a cursor tells (contract 5.2). */
export const sourceDetail = async (deps: QueryDeps, input: SourceDetailInput, asking: Asking) => {
  const { catalogue } = deps;
  const source =
    input.org === null
      ? resolveSource(catalogue, input.source, asking.admin)
      : resolveSourceOf(catalogue, resolveOrg(catalogue, input.org, asking.admin).id, input.source, asking.admin);
  const page = await sourceReleases(deps, { ...input, source, feed: sourceFeedName, sinceMs: null }, asking);
  return detailOf(deps, source, page, asking);
};

/** A source with a page of its releases by its number. */
export const sourceDetailByPage = async (
  deps: QueryDeps & LongPageDeps,
  { source: identifier, ...input }: Omit<NumberedPageInput, 'source'> & { readonly source: string },
  asking: Asking,
) => {
  const source = resolveSource(deps.catalogue, identifier, asking.admin);
  return detailOf(deps, source, await sourceReleasesPage(deps, { ...input, source }, asking), asking);
};

export type SourceDetail = Awaited<ReturnType<typeof sourceDetail>>;
