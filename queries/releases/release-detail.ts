import { bodiesProjection } from '../../projections/bodies/bodies.ts';
import { type ReleaseDocument, releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads, type EntityReads } from '../../src/catalogue/catalogue.ts';
import { allSight, isSourceVisible, resolvedCategory, sightOn } from '../../src/catalogue/visibility.ts';
import { effectiveRelease } from '../../src/domain/release/effective.ts';
import { isReleaseVisible } from '../../src/domain/release/visible.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseIdOfPath } from '../../src/kernel/ids.ts';
import { coverageCounts } from '../shape/release/coverage-counts.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { releaseTexts } from '../../src/texts/release-texts.ts';
import { detailCoverage, feedItem, itemParents, orgCard, orgOf } from '../shape/release/feed-item.ts';
import { appStoreOf, videoOf } from '../shape/source/source-media.ts';

export const releaseDetailReads = [...catalogueReads, bodiesProjection, releaseDetailProjection, releaseFeedProjection];

/** To those who ask: an admin also sees what is hidden, taken down or lies ahead (contract 2.9). */
export const isReleaseShown = (
  { catalogue }: { readonly catalogue: EntityReads },
  { given, derived, suppression }: ReleaseDocument,
  source: SourceDocument,
  { nowMs, admin }: Asking,
): boolean => {
  if (admin) return isSourceVisible(catalogue, source, allSight);
  const { publishedAt } = effectiveRelease(given, derived);
  const org = orgOf(catalogue, source) ?? undefined;
  return isReleaseVisible({ publishedAt, suppressed: suppression !== null }, { source, org }, toTimestamp(nowMs));
};

/** The release of an address, if whoever asks may see it. */
export const shownRelease = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue'>,
  identifier: string,
  asking: Asking,
): Promise<{ readonly release: ReleaseDocument; readonly source: SourceDocument }> => {
  const id = releaseIdOfPath(identifier);
  const [release] = id === null ? [] : await deps.models.of(releaseDetailProjection).get([id]);
  const source = release && deps.catalogue.source(release.sourceId);
  if (release === undefined || source === undefined || !isReleaseShown(deps, release, source, asking)) {
    throw notFound('release', identifier);
  }
  return { release, source };
};

interface WholeRelease {
  readonly release: ReleaseDocument;
  readonly source: SourceDocument;
  readonly content: string;
  /** How many cover it, by its id. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A release of which all is known, at some moment. */
export const releaseDetailOf = (
  deps: Pick<QueryDeps, 'webBaseUrl'> & { readonly catalogue: EntityReads },
  { release, source, content, counts }: WholeRelease,
  admin: boolean,
) => {
  const { catalogue } = deps;
  const org = orgOf(catalogue, source);
  // A hidden product does not show on a release, whoever asks.
  const sight = sightOn(admin, source.id, source.orgId);
  return {
    ...feedItem(deps.webBaseUrl, release, detailCoverage(release, counts), itemParents(catalogue, source, sight)),
    content,
    contentHash: release.derived.contentHash,
    migrationNotes: effectiveRelease(release.given, release.derived).migrationNotes,
    revision: release.revision,
    sourceName: source.name,
    sourceSlug: source.slug,
    sourceType: source.type,
    sourceIsHidden: source.hidden,
    org: org && { ...orgCard(org), discovery: org.discovery, isHidden: org.hidden },
    effectiveCategory: resolvedCategory(catalogue, source, sight),
    appStore: appStoreOf(source),
    video: videoOf(source),
    ...(admin && {
      suppressed: release.suppression !== null,
      suppressedReason: release.suppression?.reason ?? null,
    }),
  };
};

export type ReleaseDetail = ReturnType<typeof releaseDetailOf>;

/** Everything that is shown of one release (contract 6.2). */
export const releaseDetail = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  { release: identifier }: { readonly release: string },
  asking: Asking,
): Promise<ReleaseDetail> => {
  const { release, source } = await shownRelease(deps, identifier, asking);
  const content = (await releaseTexts(deps, [release])).get(release.id);
  if (content === undefined) throw notFound('release', identifier);
  const counts = await coverageCounts(deps, [release], asking.nowMs);
  return releaseDetailOf(deps, { release, source, content, counts }, asking.admin);
};
