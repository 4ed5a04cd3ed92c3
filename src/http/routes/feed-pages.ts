import type { ReleaseFeedAnswer } from '../../../queries/feed/release-feed-answer.ts';
import { type ExcerptedRelease, excerpted } from '../../forms/markdown/sections.ts';

export type ReadPage = (paging: {
  readonly limit: number;
  readonly cursor: string | null;
}) => Promise<ReleaseFeedAnswer>;

type Pages = AsyncGenerator<ReleaseFeedAnswer['releases']>;

/** A page and what of it had no room in it, as far as that goes: so many as were asked for. One that has a number is whole. */
export async function* restOfPage({ releases, pagination }: ReleaseFeedAnswer, readPage: ReadPage): Pages {
  yield releases;
  const left = pagination.limit - releases.length;
  if (!('page' in pagination) && left > 0 && pagination.nextCursor !== null)
    yield* feedPages(left, readPage, pagination.nextCursor);
}

/** So many of a feed, page by page: long texts make a page short, and more of it than one at a time would be too much. */
export async function* feedPages(count: number, readPage: ReadPage, after: string | null = null): Pages {
  let cursor = after;
  let left = count;
  do {
    const { releases, pagination }: ReleaseFeedAnswer = await readPage({ limit: left, cursor });
    yield releases;
    left -= releases.length;
    cursor = pagination.nextCursor;
  } while (left > 0 && cursor !== null);
}

/** Of each only as much as a document shows: their texts are let go page by page. */
export async function excerptsOf(pages: Pages): Promise<ExcerptedRelease[]> {
  const releases: ExcerptedRelease[] = [];
  for await (const page of pages) releases.push(...page.map(excerpted));
  return releases;
}
