import type { NaiveRelease } from './naive-registry.ts';
import { inFeedOrder, isPrerelease, publishedAtOf, publishedMsOf } from './naive-view.ts';

// The numbers of contract 2.12. Each takes the counted releases, in any order.

const dayMs = 24 * 60 * 60 * 1000;

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

const datesOf = (releases: readonly NaiveRelease[]): number[] =>
  releases
    .map(publishedMsOf)
    .filter((ms) => ms !== null)
    .sort((a, b) => a - b);

const toText = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

export const recentReleaseCount = (releases: readonly NaiveRelease[], nowMs: number): number =>
  datesOf(releases).filter((ms) => ms >= nowMs - 30 * dayMs).length;

export const avgReleasesPerWeek = (releases: readonly NaiveRelease[], nowMs: number): number => {
  const dates = datesOf(releases);
  const [oldest] = dates;
  if (oldest === undefined) return 0;
  const ageDays = Math.max(0, nowMs - oldest) / dayMs;
  const windowDays = Math.min(90, ageDays);
  const inWindow = ageDays <= 90 ? dates : dates.filter((ms) => ms >= nowMs - 90 * dayMs);
  return oneDecimal(inWindow.length / Math.max(1, windowDays / 7));
};

/** 30 UTC days; index 29 is today. */
export const sparkline = (releases: readonly NaiveRelease[], nowMs: number): number[] => {
  const todayMs = Date.parse(`${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00.000Z`);
  return Array.from({ length: 30 }, (_, index) => {
    const day = new Date(todayMs - (29 - index) * dayMs).toISOString().slice(0, 10);
    return releases.filter((release) => publishedAtOf(release)?.slice(0, 10) === day).length;
  });
};

/** The days up to today that have releases, oldest first. */
export const dailyCounts = (releases: readonly NaiveRelease[], nowMs: number, days: number) => {
  const todayMs = Date.parse(`${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00.000Z`);
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(todayMs - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    return { date, count: releases.filter((release) => publishedAtOf(release)?.slice(0, 10) === date).length };
  }).filter(({ count }) => count > 0);
};

/** Of the newest release that is no prerelease; of the newest prerelease when there are only those. */
export const latest = (
  releases: readonly NaiveRelease[],
): { latestVersion: string | null; latestDate: string | null } => {
  const inOrder = inFeedOrder(releases);
  const newest = inOrder.find((release) => !isPrerelease(release)) ?? inOrder[0];
  if (newest === undefined) return { latestVersion: null, latestDate: null };
  return { latestVersion: newest.given.version ?? null, latestDate: publishedAtOf(newest) };
};

export const lastActivity = (releases: readonly NaiveRelease[]): string | null => toText(datesOf(releases).at(-1));

export const latestAddedAt = (releases: readonly NaiveRelease[]): string | null =>
  releases
    .map(({ fetchedAt }) => fetchedAt)
    .sort()
    .at(-1) ?? null;

export const trackingSince = (releases: readonly NaiveRelease[], createdAt: string): string =>
  toText(datesOf(releases)[0]) ?? createdAt;

export const medianGapDays = (releases: readonly NaiveRelease[], nowMs: number): number | null => {
  const dates = datesOf(releases).filter((ms) => ms >= nowMs - 180 * dayMs);
  if (dates.length < 3) return null;
  const gaps: number[] = [];
  for (let index = 1; index < dates.length; index += 1) gaps.push(dates[index]! - dates[index - 1]!);
  gaps.sort((a, b) => a - b);
  const middle = Math.floor(gaps.length / 2);
  const medianMs = gaps.length % 2 === 1 ? gaps[middle]! : (gaps[middle - 1]! + gaps[middle]!) / 2;
  return oneDecimal(medianMs / dayMs);
};
