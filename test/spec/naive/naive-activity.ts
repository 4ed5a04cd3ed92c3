import type { NaiveOrg, NaiveRelease, NaiveSource } from './naive-registry.ts';
import {
  inFeedOrder,
  inOrderOfNames,
  isPrerelease,
  type NaiveView,
  orgOf,
  publishedAtOf,
  releasesOf,
  sourcesOfOrg,
} from './naive-view.ts';

// Releases by week (contract 3.4, 5.3).

const dayMs = 24 * 60 * 60 * 1000;

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayOf = (release: NaiveRelease): string => publishedAtOf(release)!.slice(0, 10);

const mondayOf = (day: string): string => {
  const ms = Date.parse(day);
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return dayText(ms - sinceMonday * dayMs);
};

/** Days as sent; null where none was. */
export interface NaiveDays {
  readonly from: string | null;
  readonly to: string | null;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

const datedOf = (view: NaiveView, sources: readonly NaiveSource[]): NaiveRelease[] =>
  inFeedOrder(releasesOf(view, sources).filter((release) => publishedAtOf(release) !== null)).reverse();

/** An end that was not sent gives way to the one that was. */
const rangeOf = (view: NaiveView, dated: readonly NaiveRelease[], { from, to }: NaiveDays): Range => {
  const days = dated.map(dayOf).sort();
  const range = { from: from ?? days[0] ?? dayText(view.nowMs), to: to ?? days.at(-1) ?? dayText(view.nowMs) };
  if (range.from <= range.to) return range;
  return from === null ? { from: range.to, to: range.to } : { from, to: from };
};

const versionsOf = (releases: readonly NaiveRelease[]) => {
  const stable = releases.filter((release) => !isPrerelease(release));
  return {
    earliestVersion: stable[0]?.given.version ?? null,
    latestVersion: stable.at(-1)?.given.version ?? null,
  };
};

const perWeek = (count: number, { from, to }: Range): number => {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Math.round((count / Math.max(1, days / 7)) * 10) / 10;
};

const weeksOf = (releases: readonly NaiveRelease[]) => {
  const mondays = [...new Set(releases.map((release) => mondayOf(dayOf(release))))].sort();
  return mondays.map((weekStart) => {
    const own = releases.filter((release) => mondayOf(dayOf(release)) === weekStart);
    return { weekStart, count: own.length, ...versionsOf(own) };
  });
};

const within = (releases: readonly NaiveRelease[], { from, to }: Range): NaiveRelease[] =>
  releases.filter((release) => dayOf(release) >= from && dayOf(release) <= to);

export const naiveOrgActivity = (view: NaiveView, org: NaiveOrg, sent: NaiveDays) => {
  const sources = inOrderOfNames(sourcesOfOrg(view, org.id));
  const all = datedOf(view, sources);
  const range = rangeOf(view, all, sent);
  return {
    org: { slug: org.slug, name: org.name },
    range,
    sources: sources.map((source) => {
      const releases = within(datedOf(view, [source]), range);
      const newest = releases.filter((release) => !isPrerelease(release)).at(-1) ?? releases.at(-1);
      return {
        slug: source.slug,
        name: source.name,
        releaseCount: releases.length,
        avgReleasesPerWeek: perWeek(releases.length, range),
        ...versionsOf(releases),
        latestDate: newest === undefined ? null : publishedAtOf(newest),
        weeklyBuckets: weeksOf(releases),
      };
    }),
    aggregateWeekly: weeksOf(within(all, range)).map(({ weekStart, count }) => ({ weekStart, count })),
  };
};

export const naiveSourceActivity = (view: NaiveView, source: NaiveSource, sent: NaiveDays) => {
  const all = datedOf(view, [source]);
  const range = rangeOf(view, all, sent);
  const releases = within(all, range);
  const org = orgOf(view, source);
  return {
    source: { slug: source.slug, name: source.name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null },
    range,
    releaseCount: releases.length,
    avgReleasesPerWeek: perWeek(releases.length, range),
    weeklyBuckets: weeksOf(releases),
  };
};
