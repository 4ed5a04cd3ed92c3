import type { SourceType } from '../enumerations.ts';

// Google Play is none of them: its listings have no lookup that gives versions and notes, so the page is read instead.
const storeHosts = ['apps.apple.com', 'itunes.apple.com'];
const videoHosts = ['youtube.com', 'youtu.be', 'vimeo.com', 'wistia.com'];

const isHostOf = (host: string, sites: readonly string[]): boolean =>
  sites.some((site) => host === site || host.endsWith(`.${site}`));

/** What a source is when nobody says so: told by the host of its address, or by the feed that it names. */
export function detectSourceType(url: string, metadata: Readonly<Record<string, unknown>>): SourceType {
  const host = new URL(url).hostname;
  if (host === 'github.com' || host === 'www.github.com') return 'github';
  if (typeof metadata.feedUrl === 'string') return 'feed';
  if (isHostOf(host, storeHosts)) return 'appstore';
  if (isHostOf(host, videoHosts)) return 'video';
  return 'scrape';
}
