import type { ReleaseItem } from '../../domain/release/fields.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { firstItems, type ItemBounds, olderLeftOut } from '../first-items.ts';
import { listOf } from '../read-json.ts';
import type { LeftOutEntry } from '../source-fetcher.ts';
import type { GithubClient, GithubRequest } from './github-client.ts';
import { nextPage, readRelease, tagOf } from './read-answers.ts';

export interface ReleasesWanted extends ItemBounds {
  readonly repository: string;
  readonly deadlineMs: number;
  /** No page but the first is waited for any longer: what is there by then counts. */
  readonly pagesUntilMs: number;
  /** What an earlier reading left: nothing is read where the first page is still the same. */
  readonly seen?: SeenReleases;
}

export interface SeenReleases {
  readonly perPage: number;
  /** Of the first page. */
  readonly etag: string | null;
  /** Pages behind the one with this release were read before; null when there was none. */
  readonly newestTag: string | null;
}

export interface ReadReleases {
  readonly items: readonly ReleaseItem[];
  /** That no item could be made of. */
  readonly leftOut: readonly LeftOutEntry[];
  /** What is behind the bounds. */
  readonly older: readonly LeftOutEntry[];
  readonly seen: SeenReleases;
}

const pageBytesMax = 10 * 1024 * 1024;
const pageSize = 50;
/** Of releases with hundreds of assets, which would make a usual page too large to read. */
const smallPageSize = 10;

const leftOutEntry = (answer: unknown): LeftOutEntry => ({
  entry: tagOf(answer) ?? 'a release without a tag',
  reason: 'No release can be made of what GitHub tells about it.',
});

const unreadPages: LeftOutEntry = {
  entry: 'older releases',
  reason: 'GitHub answered too slowly to be asked for all of them; they are asked for again with the next fetch.',
};

const isTooSlow = (error: unknown): boolean => error instanceof FetchFailed && error.reason === 'timeout';

async function readPages(client: GithubClient, wanted: ReleasesWanted, perPage: number): Promise<ReadReleases | null> {
  const { repository, seen, itemsMax } = wanted;
  const isSamePage = seen?.perPage === perPage;
  let [items, leftOut, older]: [ReleaseItem[], LeftOutEntry[], LeftOutEntry[]] = [[], [], []];
  let [etag, newestTag]: [string | null, string | null] = [null, null];
  let url: string | null = `${client.apiUrl}/repos/${repository}/releases?per_page=${perPage}`;
  // Drafts take places on pages without counting, but only who may write to the repository is shown any.
  for (let page = 0; url !== null && page < (2 * itemsMax) / perPage; page += 1) {
    const known: string | null = page === 0 && isSamePage ? seen.etag : null;
    const deadlineMs = page === 0 ? wanted.deadlineMs : wanted.pagesUntilMs;
    const request: GithubRequest = { url, deadlineMs, bodyBytesMax: pageBytesMax, etag: known };
    const response: HttpResponse | 'too slow' | null = await client.get(request).catch((error: unknown) => {
      if (page === 0 || !isTooSlow(error)) throw error;
      return 'too slow';
    });
    // Without a validator the next fetch begins anew.
    if (response === 'too slow') {
      return { items, leftOut, older: [unreadPages], seen: { perPage, etag: null, newestTag: null } };
    }
    if (response === null) break;
    if (response.status === 304) return null;
    const answers = listOf(response);
    const read = answers.map(readRelease);
    leftOut = [...leftOut, ...answers.filter((_, index) => read[index] === 'unreadable').map(leftOutEntry)];
    const all = [...items, ...read.filter((release) => typeof release === 'object')];
    items = firstItems(all, wanted);
    if (page === 0) {
      etag = response.headers['etag'] ?? null;
      newestTag = answers.map(tagOf).find((_, index) => read[index] !== 'draft') ?? null;
    }
    const isFull = items.length < all.length || items.length === itemsMax;
    const isKnown = seen?.newestTag != null && answers.some((answer) => tagOf(answer) === seen.newestTag);
    const next = nextPage(response.headers['link']);
    if (isFull && !isKnown) older = olderLeftOut(next === null ? all.length - items.length : null);
    url = isFull || isKnown ? null : next;
  }
  return { items, leftOut, older, seen: { perPage, etag, newestTag } };
}

/** The newest releases of a repository; null when nothing is new since they were seen. Throws FetchFailed. */
export async function readReleases(client: GithubClient, wanted: ReleasesWanted): Promise<ReadReleases | null> {
  try {
    return await readPages(client, wanted, wanted.seen?.perPage ?? pageSize);
  } catch (error) {
    if (!(error instanceof FetchFailed && error.reason === 'too_large')) throw error;
    return readPages(client, wanted, smallPageSize);
  }
}
