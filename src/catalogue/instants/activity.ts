import { isPrereleaseRun } from '../../domain/release/feed/feed-runs.ts';
import { type DatedRange, eachCountedIn } from './known-releases.ts';
import { dayMs } from '../../kernel/dates.ts';
import type { SourceInstants } from './source-instants.ts';

/** The versions of the first and the last release by date, prereleases aside; null also where that one has none. */
interface VersionEnds {
  earliestVersion: string | null;
  latestVersion: string | null;
}

/** The releases of one week in a range. */
export interface WeekActivity extends Readonly<VersionEnds> {
  /** The UTC day of its Monday. */
  readonly monday: number;
  readonly count: number;
}

export interface SourceActivity extends Readonly<VersionEnds> {
  readonly count: number;
  /** Of the last release that is no prerelease; of the last one when there are only those. */
  readonly latestMs: number | null;
  /** Those with releases, the oldest first. */
  readonly weeks: readonly WeekActivity[];
}

/** The first day of 1970 was a Thursday. */
const mondayOf = (day: number): number => day - ((day + 3) % 7);

interface Tally extends VersionEnds {
  count: number;
  hasStable: boolean;
}

const newTally = (): Tally => ({ count: 0, hasStable: false, earliestVersion: null, latestVersion: null });

const addTo = (tally: Tally, isStable: boolean, version: string | null): void => {
  tally.count += 1;
  if (!isStable) return;
  if (!tally.hasStable) tally.earliestVersion = version;
  tally.hasStable = true;
  tally.latestVersion = version;
};

/** The counted releases of a source in a range, by week (contract 3.4). */
export const activityOf = (instants: SourceInstants, range: DatedRange): SourceActivity => {
  const whole = newTally();
  const weeks: (Tally & { readonly monday: number })[] = [];
  let latestMs: number | null = null;
  let latestStableMs: number | null = null;
  eachCountedIn(instants, range, (publishedMs, runCode, version) => {
    const monday = mondayOf(Math.floor(publishedMs / dayMs));
    if (weeks.at(-1)?.monday !== monday) weeks.push({ monday, ...newTally() });
    const isStable = !isPrereleaseRun(runCode);
    addTo(whole, isStable, version);
    addTo(weeks.at(-1)!, isStable, version);
    latestMs = publishedMs;
    if (isStable) latestStableMs = publishedMs;
  });
  return { ...whole, latestMs: latestStableMs ?? latestMs, weeks };
};
