import { canExist, coordinateParts } from '../../domain/source/github-coordinate.ts';
import { createTurns } from '../../concurrency/turns.ts';
import type { Clock } from '../../ports/clock.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { changelogItems } from './changelog-items.ts';
import { findChangelogInRoot } from './find-changelog.ts';
import { createGithubClient, type GithubClientDeps } from './github-client.ts';
import { readReleases } from './read-releases.ts';
import { readRepository } from './read-repository.ts';
import type { FetchedRepository, RepositoryFetcher } from './repository-fetcher.ts';

export interface GithubFetcherDeps extends Omit<GithubClientDeps, 'isPatient'> {
  readonly clock: Clock;
  /** For all of it, waiting for a turn too (contract 8). */
  readonly withinMs?: number;
}

/** Each may hold a page of releases in memory. */
const atOnceMax = 8;
/** All releases go in as one batch, which must not take a gigabyte. */
const bounds = { itemsMax: 100, charsMax: 4_000_000 };
/** Stored changelog files are no longer than this either (contract 5.4). */
const fileBytesMax = 5 * 1024 * 1024;
/** Entries are found on the thread that answers requests, so only in as much as the newest of them usually take. */
const readBytesMax = 256 * 1024;

/** Looks repositories up: their releases; of those without releases, what their changelog tells. */
export function createGithubFetcher(deps: GithubFetcherDeps): RepositoryFetcher {
  const { clock, withinMs = 10_000 } = deps;
  const turns = createTurns(clock, atOnceMax);
  const client = createGithubClient({ ...deps, isPatient: false });

  async function changelogOf(repository: string, deadlineMs: number): Promise<FetchedRepository> {
    const path = await findChangelogInRoot(client, repository, deadlineMs);
    const url = `${client.apiUrl}/repos/${repository}/contents/${encodeURIComponent(path ?? '')}`;
    const accept = 'application/vnd.github.raw+json';
    const file = path === null ? null : await client.get({ url, deadlineMs, bodyBytesMax: fileBytesMax, accept });
    // Of a longer file the beginning counts, which has the newest entries.
    const text = file === null ? '' : new TextDecoder().decode(file.body.subarray(0, readBytesMax));
    const { items, leftOut } = changelogItems(text, bounds);
    return { coordinate: repository, items, leftOut: leftOut.length };
  }

  async function fetchBefore(coordinate: string, deadlineMs: number): Promise<FetchedRepository | null> {
    const repository = (await readRepository(client, coordinate, deadlineMs))?.name;
    if (repository === undefined) return null;
    const released = await readReleases(client, { repository, deadlineMs, pagesUntilMs: deadlineMs, ...bounds });
    const { items, leftOut } = released ?? { items: [], leftOut: [] };
    if (items.length > 0) return { coordinate: repository, items, leftOut: leftOut.length };
    const told = await changelogOf(repository, deadlineMs);
    return { ...told, leftOut: told.leftOut + leftOut.length };
  }

  return {
    fetch: async (coordinate) => {
      if (!canExist(coordinateParts(coordinate))) return null;
      const deadlineMs = clock.nowMs() + withinMs;
      const ended = await turns.run(withinMs, async () => ({ fetched: await fetchBefore(coordinate, deadlineMs) }));
      if (ended === null) throw new FetchFailed('timeout');
      return ended.fetched;
    },
  };
}
