import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { type CataloguedRelease, newestReleases } from '../../src/catalogue/instants/known-releases.ts';
import { countUpTo, type SourceInstants } from '../../src/catalogue/instants/source-instants.ts';
import { isCoverageRun, isPrereleaseRun } from '../../src/domain/release/feed/feed-runs.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import { timestampOrNull } from './timestamps.ts';

export interface LatestVersion {
  readonly latestVersion: string | null;
  readonly latestDate: string | null;
}

interface Known {
  readonly dueCount: number;
  readonly latest: LatestVersion;
}

/** Of a source with nothing but prereleases all of them are gone through, so it is done once for each that comes. */
const known = new WeakMap<SourceInstants, Known>();

const findLatest = (instants: SourceInstants, untilMs: number): LatestVersion => {
  let newest: CataloguedRelease | undefined;
  for (const release of newestReleases(instants, untilMs)) {
    if (isCoverageRun(release.runCode)) continue;
    newest ??= release;
    if (isPrereleaseRun(release.runCode)) continue;
    newest = release;
    break;
  }
  return { latestVersion: newest?.version ?? null, latestDate: timestampOrNull(newest?.publishedMs ?? null) };
};

/** Of the newest stable release in the feed order; of the newest prerelease when there is no other (contract 2.12). */
export const latestVersion = (
  catalogue: Pick<Catalogue, 'instantsOf'>,
  sourceId: string,
  nowMs: number,
): LatestVersion => {
  const instants = catalogue.instantsOf(sourceId);
  const untilMs = dueUntilMs(nowMs);
  const dueCount = countUpTo(instants.published, untilMs);
  const before = known.get(instants);
  if (before?.dueCount === dueCount) return before.latest;
  const latest = findLatest(instants, untilMs);
  known.set(instants, { dueCount, latest });
  return latest;
};
