import { canExist, coordinateParts } from '../../domain/source/github-coordinate.ts';
import type { ReleaseItem } from '../../domain/release/fields.ts';
import { createTurns } from '../../concurrency/turns.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { changelogEntries, itemOfEntry } from '../changelog/changelog-entries.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { FetchedRepository, RepositoryFetcher } from './repository-fetcher.ts';
import { askThirdParty, type ThirdPartyDeps } from '../third-party.ts';
import { acceptableItem, changelogIn, nextPage, readRelease, repositoryAnswer } from './read-answers.ts';

export interface GithubFetcherDeps extends ThirdPartyDeps {
  readonly clock: Clock;
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly token: string | undefined;
  /** For all of it, waiting for a turn too (contract 8). */
  readonly withinMs?: number;
}

/** Each may hold an answer of `pageBytesMax` in memory. */
const atOnceMax = 8;
const releasesMax = 100;
/** All releases go in as one batch, which must not take a gigabyte. */
const charsMax = 4_000_000;
const smallBytesMax = 2 * 1024 * 1024;
const pageBytesMax = 10 * 1024 * 1024;
/** Stored changelog files are no longer than this either (contract 5.4). */
const fileBytesMax = 5 * 1024 * 1024;
/** Entries are found on the thread that answers requests, so only in as much as the newest of them usually take. */
const readBytesMax = 256 * 1024;
const pageSize = 50;
/** Of releases with hundreds of assets, which would make a usual page too large to read. */
const smallPageSize = 10;

const absent = new Set([404, 410]);

/** GitHub says 403 both to who may not and to who asks too often. */
function isLimited({ status, headers, body }: HttpResponse): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  if (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined) return true;
  return /rate limit/i.test(new TextDecoder().decode(body.subarray(0, 2_000)));
}

function failureOf(response: HttpResponse): FetchFailed {
  const { status } = response;
  if (isLimited(response)) return new FetchFailed('limited', status);
  if (status >= 500) return new FetchFailed('server_error', status);
  return new FetchFailed([401, 403, 451].includes(status) ? 'refused' : 'unreadable', status);
}

function jsonOf({ status, body, truncated }: HttpResponse): unknown {
  if (truncated) throw new FetchFailed('too_large', status);
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw new FetchFailed('unreadable', status, { cause: error });
  }
}

function listOf(response: HttpResponse): readonly unknown[] {
  const list = jsonOf(response);
  if (!Array.isArray(list)) throw new FetchFailed('unreadable', response.status);
  return list;
}

/** The first ones, as many as a batch takes. */
function firstOf(items: readonly ReleaseItem[]): ReleaseItem[] {
  let chars = 0;
  const tooMany = items.findIndex(({ content = '' }, index) => {
    chars += content.length;
    return index === releasesMax || (chars > charsMax && index > 0);
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}

/** Reads the releases of repositories; of those without releases, what their changelog tells. */
export function createGithubFetcher(deps: GithubFetcherDeps): RepositoryFetcher {
  const { clock, apiUrl, token, withinMs = 10_000 } = deps;
  const turns = createTurns(clock, atOnceMax);
  const commonHeaders = {
    'user-agent': `${serviceName}/${serviceVersion}`,
    'x-github-api-version': '2022-11-28',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };

  async function fetchBefore(coordinate: string, deadlineMs: number): Promise<FetchedRepository | null> {
    /** Null when there is no such thing. */
    const get = async (url: string, bodyBytesMax: number, accept = 'application/vnd.github+json') => {
      if (!URL.canParse(url)) throw new FetchFailed('unreadable');
      if (new URL(url).origin !== new URL(apiUrl).origin) throw new FetchFailed('blocked');
      const headers = { ...commonHeaders, accept };
      const response = await askThirdParty(deps, { url, headers, deadlineMs, bodyBytesMax });
      if (response.status === 200) return response;
      if (absent.has(response.status)) return null;
      throw failureOf(response);
    };

    async function releasesOf(repository: string, perPage: number): Promise<FetchedRepository> {
      let items: ReleaseItem[] = [];
      let leftOut = 0;
      let url: string | null = `${apiUrl}/repos/${repository}/releases?per_page=${perPage}`;
      // Drafts take places on pages without counting, but only who may write to the repository is shown any.
      for (let page = 0; url !== null && page < (2 * releasesMax) / perPage; page += 1) {
        const response: HttpResponse | null = await get(url, pageBytesMax);
        if (response === null) break;
        const read = listOf(response).map(readRelease);
        leftOut += read.filter((release) => release === 'unreadable').length;
        const all = [...items, ...read.filter((release) => typeof release === 'object')];
        items = firstOf(all);
        url = items.length < all.length || items.length === releasesMax ? null : nextPage(response.headers['link']);
      }
      return { coordinate: repository, items, leftOut };
    }

    async function releasesInPages(repository: string): Promise<FetchedRepository> {
      try {
        return await releasesOf(repository, pageSize);
      } catch (error) {
        if (!(error instanceof FetchFailed && error.reason === 'too_large')) throw error;
        return releasesOf(repository, smallPageSize);
      }
    }

    async function changelogOf(repository: string): Promise<FetchedRepository> {
      const contents = `${apiUrl}/repos/${repository}/contents`;
      const folder = await get(contents, smallBytesMax);
      const name = folder === null ? null : changelogIn(listOf(folder)); // a repository without a file has no folder
      const file =
        name === null
          ? null
          : await get(`${contents}/${encodeURIComponent(name)}`, fileBytesMax, 'application/vnd.github.raw+json');
      // Of a longer file the beginning counts, which has the newest entries.
      const text = file === null ? '' : new TextDecoder().decode(file.body.subarray(0, readBytesMax));
      const entries = changelogEntries(text);
      const items = entries.slice(0, releasesMax).map((entry) => acceptableItem(itemOfEntry(entry)));
      const accepted = items.filter((item) => item !== null);
      return { coordinate: repository, items: firstOf(accepted), leftOut: items.length - accepted.length };
    }

    const found = await get(`${apiUrl}/repos/${coordinate}`, smallBytesMax);
    if (found === null) return null;
    const repository = repositoryAnswer.safeParse(jsonOf(found));
    if (!repository.success || !canExist(coordinateParts(repository.data.full_name))) {
      throw new FetchFailed('unreadable', found.status);
    }
    // Our credential may see more than the public, which is to see none of it.
    if (repository.data.private) return null;
    const { full_name: name } = repository.data;
    const released = await releasesInPages(name);
    if (released.items.length > 0) return released;
    const told = await changelogOf(name);
    return { ...told, leftOut: told.leftOut + released.leftOut };
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
