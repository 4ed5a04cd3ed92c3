import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { type KnownRelease, newestReleases } from '../../src/catalogue/known-releases.ts';
import { isCoverageRun, isPrereleaseRun } from '../../src/domain/release/feed/feed-runs.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import { timestampOrNull } from './timestamps.ts';

export interface LatestVersion {
  readonly latestVersion: string | null;
  readonly latestDate: string | null;
}

/** Of the newest stable release in the feed order; of the newest prerelease when there is no other (contract 2.12). */
export const latestVersion = (
  catalogue: Pick<Catalogue, 'instantsOf'>,
  sourceId: string,
  nowMs: number,
): LatestVersion => {
  let newest: KnownRelease | undefined;
  for (const release of newestReleases(catalogue.instantsOf(sourceId), dueUntilMs(nowMs))) {
    if (isCoverageRun(release.runCode)) continue;
    newest ??= release;
    if (isPrereleaseRun(release.runCode)) continue;
    newest = release;
    break;
  }
  return { latestVersion: newest?.version ?? null, latestDate: timestampOrNull(newest?.publishedMs ?? null) };
};
