import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import { type ReleaseDocument, releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { Sight } from '../../src/catalogue/visibility.ts';
import type { QueryDeps } from './query-deps.ts';
import { releaseTexts } from './release-texts.ts';
import { type FeedItem, type FullFeedItem, feedItem, listedRow } from './feed-item.ts';

// A page is asked for by its sources, which come from the catalogue.
const sourceOf = (catalogue: Catalogue, { id, sourceId }: { id: string; sourceId: string }): SourceDocument => {
  const source = catalogue.source(sourceId);
  if (source === undefined) throw new Error(`release ${id} names the source ${sourceId}, which is not known`);
  return source;
};

export const releaseItems = (
  deps: Pick<QueryDeps, 'catalogue' | 'webBaseUrl'>,
  rows: readonly FeedRow[],
  sight: Sight,
): FeedItem[] => rows.map((row) => feedItem(deps, listedRow(row), sourceOf(deps.catalogue, row), sight));

/** With content. A release that was erased since its row was read is left out. */
export const fullReleaseItems = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  rows: readonly FeedRow[],
  sight: Sight,
): Promise<FullFeedItem[]> => {
  if (rows.length === 0) return [];
  const found = await deps.models.of(releaseDetailProjection).get(rows.map(({ id }) => id));
  const details = new Map<string, ReleaseDocument>(found.map((detail) => [detail.id, detail]));
  const texts = await releaseTexts(deps, [...details.values()]);
  return rows.flatMap(({ id }) => {
    const detail = details.get(id);
    if (detail === undefined) return [];
    const item = feedItem(deps, detail, sourceOf(deps.catalogue, detail), sight);
    return [{ ...item, content: texts.get(id) ?? '' }];
  });
};
