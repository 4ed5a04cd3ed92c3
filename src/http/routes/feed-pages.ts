import type { ReleaseFeedAnswer } from '../../../queries/feed/release-feed-answer.ts';

type ReadPage = (paging: { readonly limit: number; readonly cursor: string | null }) => Promise<ReleaseFeedAnswer>;

/** So many of a feed, page by page: long texts make a page short, and more of it than one at a time would be too much. */
export async function* feedPages(count: number, readPage: ReadPage): AsyncGenerator<ReleaseFeedAnswer['releases']> {
  let cursor: string | null = null;
  let left = count;
  do {
    const { releases, pagination }: ReleaseFeedAnswer = await readPage({ limit: left, cursor });
    yield releases;
    left -= releases.length;
    cursor = pagination.nextCursor;
  } while (left > 0 && cursor !== null);
}
