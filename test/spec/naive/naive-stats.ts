import type { FetchLogEntry } from '../../../src/records/fetch-log.ts';
import { inOrderOfNames, type NaiveView, orgOf, publishedMsOf, releasesOf } from './naive-view.ts';

const dayMs = 86_400_000;

export interface NaiveFetches {
  /** When each source was last fetched. */
  readonly last: ReadonlyMap<string, number>;
  /** The newest first. */
  readonly log: readonly FetchLogEntry[];
}

const recentActivity = (view: NaiveView, log: readonly FetchLogEntry[]) =>
  log
    .flatMap(({ id: _, createdMs: __, sourceId, ...fetch }) => {
      const source = view.sources.find((row) => row.id === sourceId);
      if (source === undefined) return [];
      return { ...fetch, sourceName: source.name, sourceSlug: source.slug, orgName: orgOf(view, source)?.name ?? null };
    })
    .slice(0, 20);

/** Contract 10.1. */
export const naiveStats = (view: NaiveView, days: number, { last: lastFetches, log }: NaiveFetches) => {
  const { nowMs, orgs, products, sources } = view;
  const cutoffMs = nowMs - days * dayMs;
  const isRecent = (ms: number | null) => ms !== null && ms >= cutoffMs;
  const rows = inOrderOfNames(sources).map((source) => {
    const releases = releasesOf(view, [source]);
    const fetchedMs = lastFetches.get(source.id) ?? null;
    return {
      sourceName: source.name,
      sourceSlug: source.slug,
      sourceType: source.type,
      orgName: orgOf(view, source)?.name ?? null,
      lastFetchedAt: fetchedMs === null ? null : new Date(fetchedMs).toISOString(),
      totalReleases: releases.length,
      recentReleases: releases.filter((release) => isRecent(publishedMsOf(release))).length,
    };
  });
  const releases = releasesOf(view, sources);
  const fetched = sources.flatMap(({ id }) => lastFetches.get(id) ?? []);
  const upToDate = fetched.filter(isRecent).length;
  const totals = { organizations: orgs.length, sources: sources.length, releases: releases.length };
  return {
    orgs: orgs.length,
    sources: sources.length,
    releases: releases.length,
    products: products.length,
    period: { days, cutoff: new Date(cutoffMs).toISOString() },
    totals: { ...totals, releasesInPeriod: releases.filter((each) => isRecent(publishedMsOf(each))).length },
    sourceHealth: { upToDate, stale: fetched.length - upToDate, neverFetched: sources.length - fetched.length },
    // The sort keeps the order of names among equals.
    sourceActivity: rows.sort((a, b) => b.recentReleases - a.recentReleases),
    recentActivity: recentActivity(view, log),
  };
};
