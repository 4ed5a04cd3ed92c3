import type { SourceDocument } from '../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../src/catalogue/catalogue.ts';
import { countUpTo } from '../src/catalogue/instants/source-instants.ts';
import { publicProductFilter } from '../src/catalogue/lists/part-facets.ts';
import type { PieceCounts } from '../src/catalogue/lists/release-counts.ts';
import { isSourceVisible } from '../src/catalogue/visibility.ts';
import { dayMs, toTimestamp } from '../src/kernel/dates.ts';
import type { FetchLog } from '../src/records/fetch-log.ts';
import type { LastFetches } from '../src/records/fetch-times.ts';
import { orgOf } from './shape/release/feed-item.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';
import { fetchFacts } from './shape/source/fetch-log-entry.ts';

export interface StatsQueryDeps {
  /** Of all sources, as the operational store has it now. */
  readonly lastFetches: () => Promise<LastFetches>;
  /** Of the sources that are wanted, newest first. */
  readonly newestFetches: FetchLog['newest'];
}

export const statsReads = catalogueReads;

const activityMax = 500;
const recentMax = 20;

interface Counted {
  readonly source: SourceDocument;
  readonly total: number;
  readonly recent: number;
}

/** Of all pieces, which come by name; so sources stay among equals. */
const mostActive = (pieces: readonly PieceCounts[]): Counted[] => {
  const byRecent = new Map<number, PieceCounts[]>();
  for (const piece of pieces) {
    for (const recent of piece.placesByRecent.keys()) {
      const same = byRecent.get(recent);
      if (same === undefined) byRecent.set(recent, [piece]);
      else same.push(piece);
    }
  }
  const found: Counted[] = [];
  for (const [recent, having] of [...byRecent].sort(([a], [b]) => b - a)) {
    for (const { sources, totals, placesByRecent } of having) {
      for (const place of placesByRecent.get(recent)!.slice(0, activityMax - found.length)) {
        found.push({ source: sources[place]!, total: totals[place]!, recent });
      }
      if (found.length === activityMax) return found;
    }
  }
  return found;
};

const activityOf = (catalogue: Catalogue, fetches: LastFetches, { source, total, recent }: Counted) => {
  const fetchedMs = fetches.times.get(source.id);
  return {
    sourceName: source.name,
    sourceSlug: source.slug,
    sourceType: source.type,
    orgName: orgOf(catalogue, source)?.name ?? null,
    lastFetchedAt: fetchedMs === undefined ? null : toTimestamp(fetchedMs),
    totalReleases: total,
    recentReleases: recent,
  };
};

/** How much there is, how fresh it is and where something happens (contract 10.1), of what is known of many sources at a time. */
export const stats = async (
  { catalogue, lastFetches, newestFetches }: Pick<QueryDeps, 'catalogue'> & StatsQueryDeps,
  { days }: { readonly days: number },
  { nowMs }: Pick<Asking, 'nowMs'>,
) => {
  const cutoffMs = nowMs - days * dayMs;
  const seen = (sourceId: string): SourceDocument | null => {
    const source = catalogue.source(sourceId);
    return source !== undefined && isSourceVisible(catalogue, source) ? source : null;
  };
  const fetching = lastFetches();
  const [fetches, recentFetches] = await Promise.all([
    fetching,
    newestFetches({
      isWanted: (sourceId) => seen(sourceId) !== null,
      limit: recentMax,
      lastContacts: async () => (await fetching).contacts,
    }),
  ]);
  const pieces = catalogue.releaseCounts().pieces({ sinceMs: cutoffMs, nowMs });
  let [sources, releases, releasesInPeriod, upToDate, fetched] = [0, 0, 0, 0, 0];
  for (const piece of pieces) {
    const fetchedMs = fetches.ascendingOf(piece.sources);
    sources += piece.sources.length;
    releases += piece.releases;
    releasesInPeriod += piece.recentReleases;
    fetched += fetchedMs.length;
    upToDate += fetchedMs.length - countUpTo(fetchedMs, cutoffMs - 1);
  }
  const orgs = catalogue.publicOrgs(null, nowMs).all.length;
  return {
    orgs,
    sources,
    releases,
    products: catalogue.productList().count(publicProductFilter(null)),
    period: { days, cutoff: toTimestamp(cutoffMs) },
    totals: { organizations: orgs, sources, releases, releasesInPeriod },
    sourceHealth: { upToDate, stale: fetched - upToDate, neverFetched: sources - fetched },
    sourceActivity: mostActive(pieces).map((each) => activityOf(catalogue, fetches, each)),
    // One may have been hidden between the two looks.
    recentActivity: recentFetches.flatMap((entry) => {
      const source = seen(entry.sourceId);
      return source === null ? [] : [fetchFacts(catalogue, source, entry)];
    }),
  };
};
