import type { SourceDocument } from '../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../src/catalogue/catalogue.ts';
import { publicProductFilter } from '../src/catalogue/lists/part-facets.ts';
import { isSourceVisible } from '../src/catalogue/visibility.ts';
import { dayMs, toTimestamp } from '../src/kernel/dates.ts';
import type { FetchLogEntry } from '../src/records/fetch-log.ts';
import type { LastFetches } from '../src/records/last-fetches.ts';
import { orgOf } from './shape/release/feed-item.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';
import { fetchFacts } from './shape/source/fetch-log-entry.ts';

export interface StatsQueryDeps {
  /** Of all sources, as the operational store has it now. */
  readonly lastFetches: () => Promise<LastFetches>;
  /** Of the sources that are wanted, newest first. */
  readonly newestFetches: (isWanted: (sourceId: string) => boolean, limit: number) => Promise<FetchLogEntry[]>;
}

export const statsReads = catalogueReads;

const activityMax = 500;
const recentMax = 20;

interface Counted {
  readonly source: SourceDocument;
  readonly fetchedMs: number | undefined;
  readonly total: number;
  readonly recent: number;
}

/** The most active of those that come by name; so they stay among equals, and of these no more than all are kept. */
const createMostActive = () => {
  const byRecent = new Map<number, Counted[]>();
  return {
    /** Told as it is, so that of most nothing has to be made. */
    add: (source: SourceDocument, fetchedMs: number | undefined, total: number, recent: number) => {
      const same = byRecent.get(recent);
      if (same === undefined) byRecent.set(recent, [{ source, fetchedMs, total, recent }]);
      else if (same.length < activityMax) same.push({ source, fetchedMs, total, recent });
    },
    inOrder: (): Counted[] =>
      [...byRecent]
        .sort(([a], [b]) => b - a)
        .flatMap(([, same]) => same)
        .slice(0, activityMax),
  };
};

const activityOf = (catalogue: Catalogue, { source, fetchedMs, total, recent }: Counted) => ({
  sourceName: source.name,
  sourceSlug: source.slug,
  sourceType: source.type,
  orgName: orgOf(catalogue, source)?.name ?? null,
  lastFetchedAt: fetchedMs === undefined ? null : toTimestamp(fetchedMs),
  totalReleases: total,
  recentReleases: recent,
});

/** How much there is, how fresh it is and where something happens (contract 10.1): one walk over the sources. */
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
  const [fetches, recentFetches] = await Promise.all([
    lastFetches(),
    newestFetches((sourceId) => seen(sourceId) !== null, recentMax),
  ]);
  const mostActive = createMostActive();
  let [sources, releases, releasesInPeriod, upToDate, neverFetched] = [0, 0, 0, 0, 0];
  catalogue.releaseCounts().each({ sinceMs: cutoffMs, nowMs }, (source, total, recent) => {
    const fetchedMs = fetches.get(source.id);
    sources += 1;
    releases += total;
    releasesInPeriod += recent;
    if (fetchedMs === undefined) neverFetched += 1;
    else if (fetchedMs >= cutoffMs) upToDate += 1;
    mostActive.add(source, fetchedMs, total, recent);
  });
  const orgs = catalogue.publicOrgs(null, nowMs).all.length;
  return {
    orgs,
    sources,
    releases,
    products: catalogue.productList().count(publicProductFilter(null)),
    period: { days, cutoff: toTimestamp(cutoffMs) },
    totals: { organizations: orgs, sources, releases, releasesInPeriod },
    sourceHealth: { upToDate, stale: sources - upToDate - neverFetched, neverFetched },
    sourceActivity: mostActive.inOrder().map((each) => activityOf(catalogue, each)),
    // One may have been hidden between the two looks.
    recentActivity: recentFetches.flatMap((entry) => {
      const source = seen(entry.sourceId);
      return source === null ? [] : [fetchFacts(catalogue, source, entry)];
    }),
  };
};
