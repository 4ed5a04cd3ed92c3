import { releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { type FeedRow, releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../../src/catalogue/catalogue.ts';
import { isSourceVisible, publicSight, type Sight, sightOn, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { dueUntilMs, isDueMs } from '../../src/domain/release/visible.ts';
import type { SearchFilter, SearchHit } from '../../src/ports/search-index.ts';
import { relatedCosineMin, relatedRank } from '../../src/search/ranking/related-rank.ts';
import { shownRelease } from '../releases/release-detail.ts';
import type { Asking } from '../shape/query-deps.ts';
import type { FeedItem } from '../shape/release/feed-item.ts';
import { releaseItems } from '../shape/release/release-items.ts';
import { relatedAnswer, type RelatedDeps, type RelatedInput, type RelatedScope } from './related-answer.ts';

export const relatedReleasesReads = [...catalogueReads, releaseDetailProjection, releaseFeedProjection];

interface Scope {
  readonly sources: SearchFilter['sources'];
  readonly sight: Sight;
}

/** A source without an org has no siblings. */
const scopeOf = (catalogue: Catalogue, source: SourceDocument, scope: RelatedScope, admin: boolean): Scope => {
  if (scope === 'global') return { sources: { notIn: catalogue.sourceSets().unseen() }, sight: publicSight };
  const sight = sightOn(admin, source.id, source.orgId);
  const siblings = source.orgId === null ? [source] : visibleSourcesOf(catalogue, source.orgId, sight);
  return { sources: { in: new Set(siblings.map(({ id }) => id)) }, sight };
};

const thumbnailOf = ({ media }: FeedItem) => {
  const image = media.find(({ type }) => type === 'image');
  return image === undefined ? null : { url: image.url, ...(image.alt !== undefined && { alt: image.alt }) };
};

/** Releases that say something alike (contract 7.4). */
export async function relatedReleases(
  deps: RelatedDeps,
  input: RelatedInput & { readonly release: string },
  asking: Asking,
) {
  const { catalogue, models } = deps;
  const { nowMs, admin } = asking;
  const { release, source } = await shownRelease(deps, input.release, asking);
  const { sources, sight } = scopeOf(catalogue, source, input.scope, admin);

  const isInScope = (sourceId: string): boolean => {
    if ('in' in sources) return sources.in.has(sourceId);
    const found = catalogue.source(sourceId);
    return found !== undefined && isSourceVisible(catalogue, found);
  };
  const isShown = ({ id, suppressed, coverageOf, publishedMs, sourceId }: FeedRow): boolean =>
    id !== release.id && !suppressed && coverageOf === null && isDueMs(publishedMs, nowMs) && isInScope(sourceId);

  const itemsOf = async (neighbours: readonly SearchHit[]) => {
    const cosines = new Map(neighbours.map(({ id, score }) => [id, score]));
    const near = neighbours.filter(({ score }) => score >= relatedCosineMin).map(({ id }) => id);
    const ranked = (await models.of(releaseFeedProjection).get(near)).filter(isShown).map((row) => {
      const facts = { cosine: cosines.get(row.id)!, publishedMs: row.publishedMs };
      return { row, rank: relatedRank({ ...facts, contentChars: row.derived.contentChars }, nowMs) };
    });
    ranked.sort((a, b) => b.rank - a.rank || (a.row.id < b.row.id ? -1 : 1));
    const rows = ranked.slice(0, input.limit).map(({ row }) => row);
    const items = await releaseItems(deps, { rows, sight, nowMs });
    return items.map((item) => ({ ...item, thumbnail: thumbnailOf(item), score: cosines.get(item.id)! }));
  };

  return relatedAnswer(
    deps,
    {
      anchor: { kind: 'release', id: release.id },
      list: input.scope,
      filter: {
        sources,
        toMs: dueUntilMs(nowMs),
        keepsUndated: true,
        withCoverage: false,
        except: new Set([release.id]),
      },
      itemsOf,
    },
    { ...input, nowMs },
  );
}
