import { latestReleases } from '../../../queries/releases/latest-releases.ts';
import type { FeedItem } from '../../../queries/shape/release/feed-item.ts';

/** The newest releases as their JSON says them. */
export const readLatest = async (...asked: Parameters<typeof latestReleases>): Promise<{ releases: FeedItem[] }> =>
  JSON.parse(String(await latestReleases(...asked))) as { releases: FeedItem[] };
