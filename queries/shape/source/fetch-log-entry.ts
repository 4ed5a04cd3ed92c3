import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { FetchLogEntry } from '../../../src/records/fetch-log.ts';
import { orgOf } from '../release/feed-item.ts';

/** What everybody may know of a fetch (contract 10.1). */
export const fetchFacts = (catalogue: Catalogue, source: SourceDocument, entry: FetchLogEntry) => ({
  sourceName: source.name,
  sourceSlug: source.slug,
  orgName: orgOf(catalogue, source)?.name ?? null,
  releasesFound: entry.releasesFound,
  releasesInserted: entry.releasesInserted,
  totalReleases: entry.totalReleases,
  status: entry.status,
  durationMs: entry.durationMs,
  error: entry.error,
  createdAt: entry.createdAt,
});

/** One fetch as the log shows it (contract 15.4); null when its source is gone. */
export const fetchLogRecord = (catalogue: Catalogue, entry: FetchLogEntry) => {
  const source = catalogue.source(entry.sourceId);
  if (source === undefined) return null;
  return { id: entry.id, sourceId: entry.sourceId, ...fetchFacts(catalogue, source, entry) };
};
