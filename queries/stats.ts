import type { SourceDocument } from '../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../src/catalogue/catalogue.ts';
import { dayMs, releaseCount, releasesSince } from '../src/catalogue/numbers.ts';
import { isSourceVisible } from '../src/catalogue/visibility.ts';
import { toTimestamp } from '../src/kernel/dates.ts';
import type { FetchLogEntry } from '../src/records/fetch-log.ts';
import type { LastFetches } from '../src/records/last-fetches.ts';
import { orgOf } from './shape/feed-item.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';

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

/** The most active first; the sources come by name, and so they stay among equals. */
const mostActive = (counted: readonly Counted[]): Counted[] => {
  const byRecent = new Map<number, Counted[]>();
  for (const each of counted) {
    const same = byRecent.get(each.recent);
    if (same === undefined) byRecent.set(each.recent, [each]);
    else same.push(each);
  }
  const found: Counted[] = [];
  for (const recent of [...byRecent.keys()].sort((a, b) => b - a)) {
    found.push(...byRecent.get(recent)!.slice(0, activityMax - found.length));
    if (found.length === activityMax) break;
  }
  return found;
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

const fetchOf = (catalogue: Catalogue, entry: FetchLogEntry) => {
  const source = catalogue.source(entry.sourceId)!; // only those of visible sources were asked for
  return {
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
  };
};

const sumOf = (counted: readonly Counted[], value: (each: Counted) => number): number =>
  counted.reduce((sum, each) => sum + value(each), 0);

/** How much there is, how fresh it is and where something happens (contract 10.1): one walk over the sources. */
export const stats = async (
  { catalogue, lastFetches, newestFetches }: Pick<QueryDeps, 'catalogue'> & StatsQueryDeps,
  { days }: { readonly days: number },
  { nowMs }: Pick<Asking, 'nowMs'>,
) => {
  const cutoffMs = nowMs - days * dayMs;
  const isSeen = (sourceId: string): boolean => {
    const source = catalogue.source(sourceId);
    return source !== undefined && isSourceVisible(catalogue, source);
  };
  const [fetches, recentFetches] = await Promise.all([lastFetches(), newestFetches(isSeen, recentMax)]);
  const counted = catalogue.publicSourceList().map((source): Counted => {
    const instants = [catalogue.instantsOf(source.id)];
    return {
      source,
      fetchedMs: fetches.get(source.id),
      total: releaseCount(instants, nowMs),
      recent: releasesSince(instants, cutoffMs, nowMs),
    };
  });
  const orgs = catalogue.publicOrgs(null, nowMs).all.length;
  const sources = counted.length;
  const releases = sumOf(counted, ({ total }) => total);
  const upToDate = sumOf(counted, ({ fetchedMs = Number.NEGATIVE_INFINITY }) => Number(fetchedMs >= cutoffMs));
  const neverFetched = sumOf(counted, ({ fetchedMs }) => Number(fetchedMs === undefined));
  return {
    orgs,
    sources,
    releases,
    products: catalogue.publicProducts(null).length,
    period: { days, cutoff: toTimestamp(cutoffMs) },
    totals: { organizations: orgs, sources, releases, releasesInPeriod: sumOf(counted, ({ recent }) => recent) },
    sourceHealth: { upToDate, stale: sources - upToDate - neverFetched, neverFetched },
    sourceActivity: mostActive(counted).map((each) => activityOf(catalogue, each)),
    // One may have been hidden between the two looks.
    recentActivity: recentFetches.filter(({ sourceId }) => isSeen(sourceId)).map((entry) => fetchOf(catalogue, entry)),
  };
};
