import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import { type ReleaseDocument, releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { Sight } from '../../../src/catalogue/visibility.ts';
import { coverageCounts } from './coverage-counts.ts';
import type { QueryDeps } from '../query-deps.ts';
import { releaseTexts } from './release-texts.ts';
import { type FeedItem, type FullFeedItem, feedItem, listedDetail, listedRow } from './feed-item.ts';

// A page is asked for by its sources, which come from the catalogue.
const sourceOf = (catalogue: Catalogue, { id, sourceId }: { id: string; sourceId: string }): SourceDocument => {
  const source = catalogue.source(sourceId);
  if (source === undefined) throw new Error(`release ${id} names the source ${sourceId}, which is not known`);
  return source;
};

/** Some rows, as somebody sees them at a moment. */
export interface SeenRows {
  readonly rows: readonly FeedRow[];
  readonly sight: Sight;
  readonly nowMs: number;
}

type ItemDeps = Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>;

export const releaseItems = async (deps: ItemDeps, { rows, sight, nowMs }: SeenRows): Promise<FeedItem[]> => {
  const counts = await coverageCounts(deps, rows, nowMs);
  return rows.map((row) => feedItem(deps, listedRow(row, counts), sourceOf(deps.catalogue, row), sight));
};

/** With content. A release that was erased since its row was read is left out. */
export const fullReleaseItems = async (deps: ItemDeps, { rows, sight, nowMs }: SeenRows): Promise<FullFeedItem[]> => {
  if (rows.length === 0) return [];
  const counts = await coverageCounts(deps, rows, nowMs);
  const found = await deps.models.of(releaseDetailProjection).get(rows.map(({ id }) => id));
  const details = new Map<string, ReleaseDocument>(found.map((detail) => [detail.id, detail]));
  const texts = await releaseTexts(deps, [...details.values()]);
  return rows.flatMap(({ id }) => {
    const detail = details.get(id);
    if (detail === undefined) return [];
    const item = feedItem(deps, listedDetail(detail, counts), sourceOf(deps.catalogue, detail), sight);
    return [{ ...item, content: texts.get(id) ?? '' }];
  });
};
