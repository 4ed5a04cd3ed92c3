import { isUrl } from '../kernel/address/parse-url.ts';
import type { FetchWay } from './fetch-routing.ts';

/** All sources of these ways are read at one place. */
const sharedPlaces: ReadonlySet<FetchWay> = new Set(['github', 'appstore']);

interface PlacedSource {
  readonly url: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Names where a source is read first: sources of one name are asked for at one host. */
export function fetchHostOf(way: FetchWay, { url, metadata }: PlacedSource): string {
  if (sharedPlaces.has(way)) return way;
  const { feedUrl } = metadata;
  const address = way === 'feed' && typeof feedUrl === 'string' ? feedUrl : url;
  return isUrl(address) ? new URL(address).host : way;
}
