import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import { type ReleaseDocument, releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import type { Sight } from '../../../src/catalogue/visibility.ts';
import { coverageCounts } from './coverage-counts.ts';
import type { QueryDeps } from '../query-deps.ts';
import { releaseTexts } from '../../../src/texts/release-texts.ts';
import {
  detailCoverage,
  type FeedItem,
  type FullFeedItem,
  feedItem,
  type ItemParents,
  itemParents,
  type ListedCoverage,
  listedRow,
  revisedAt,
} from './feed-item.ts';
import { feedItemBytes, type FullRelease, fullItemText } from './item-text.ts';

/** Some rows, as somebody sees them at a moment. */
export interface SeenRows {
  readonly rows: readonly FeedRow[];
  readonly sight: Sight;
  readonly nowMs: number;
}

type ItemDeps = Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>;

/** A release whose source was purged since its row was read is left out. */
const eachItem = async <Item>(
  deps: ItemDeps,
  { rows, sight, nowMs }: SeenRows,
  make: (row: FeedRow, coverage: ListedCoverage, parents: ItemParents) => Item,
): Promise<Item[]> => {
  const counts = await coverageCounts(deps, rows, nowMs);
  const items: Item[] = [];
  for (const row of rows) {
    const source = deps.catalogue.source(row.sourceId);
    if (source === undefined) continue;
    const coverage = { coverageCount: counts.get(row.id) ?? 0, coverageOf: row.coverageOf };
    items.push(make(row, coverage, itemParents(deps.catalogue, source, sight)));
  }
  return items;
};

export const releaseItems = (deps: ItemDeps, seen: SeenRows): Promise<FeedItem[]> =>
  eachItem(deps, seen, (row, coverage, parents) => feedItem(deps.webBaseUrl, listedRow(row), coverage, parents));

/** The same items as JSON, in bytes that nobody may change. */
export const releaseItemBytes = (deps: ItemDeps, seen: SeenRows): Promise<Buffer[]> =>
  eachItem(deps, seen, (row, coverage, parents) => feedItemBytes(deps.webBaseUrl, row, coverage, parents));

/** With content. A release that was erased since its row was read is left out, too. */
const eachFullItem = async <Item>(
  deps: ItemDeps,
  { rows, sight, nowMs }: SeenRows,
  make: (full: FullRelease) => Item,
): Promise<Item[]> => {
  if (rows.length === 0) return [];
  const counts = await coverageCounts(deps, rows, nowMs);
  const found = await deps.models.of(releaseDetailProjection).get(rows.map(({ id }) => id));
  const details = new Map<string, ReleaseDocument>(found.map((detail) => [detail.id, detail]));
  const texts = await releaseTexts(deps, [...details.values()]);
  const items: Item[] = [];
  for (const { id } of rows) {
    const release = details.get(id);
    const source = release && deps.catalogue.source(release.sourceId);
    const content = texts.get(id);
    if (release === undefined || source === undefined || content === undefined) continue;
    const parents = itemParents(deps.catalogue, source, sight);
    items.push(make({ release, content, coverage: detailCoverage(release, counts), parents }));
  }
  return items;
};

export const fullReleaseItems = (deps: ItemDeps, seen: SeenRows): Promise<FullFeedItem[]> =>
  eachFullItem(deps, seen, ({ release, content, coverage, parents }) => ({
    ...feedItem(deps.webBaseUrl, release, coverage, parents),
    content,
    [revisedAt]: release.updatedAt,
  }));

/** The same items as JSON. */
export const fullReleaseItemTexts = (deps: ItemDeps, seen: SeenRows): Promise<string[]> =>
  eachFullItem(deps, seen, (full) => fullItemText(deps.webBaseUrl, full));
