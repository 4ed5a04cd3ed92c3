import type { FeedMoment } from '../domain/release/feed-order.ts';
import { countUpTo, type SourceInstants } from './source-instants.ts';

/** A source, and a moment before which no release of it stands in a feed that leaves coverage out. */
export interface NewestOfSource extends FeedMoment {
  readonly sourceId: string;
}

/** Among what is dated up to a moment, or undated; null looks at the undated only. Undefined: there is nothing. */
export const newestOfSource = (
  sourceId: string,
  { published, newestFetched, undatedNewestFetched }: SourceInstants,
  untilMs: number | null,
): NewestOfSource | undefined => {
  const dated = untilMs === null ? 0 : countUpTo(published, untilMs);
  if (dated > 0) {
    return { sourceId, publishedMs: published[dated - 1] as number, fetchedMs: newestFetched[dated - 1] as number };
  }
  return undatedNewestFetched === null ? undefined : { sourceId, publishedMs: null, fetchedMs: undatedNewestFetched };
};
