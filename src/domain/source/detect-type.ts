import type { SourceType, VideoProvider } from '../enumerations.ts';

// Google Play is none of them: its listings have no lookup that gives versions and notes, so the page is read instead.
const storeHosts = ['apps.apple.com', 'itunes.apple.com'];
const videoHosts: Readonly<Record<string, VideoProvider>> = {
  'youtube.com': 'youtube',
  'youtu.be': 'youtube',
  'vimeo.com': 'vimeo',
  'wistia.com': 'wistia',
};

const isHostOf = (host: string, sites: readonly string[]): boolean =>
  sites.some((site) => host === site || host.endsWith(`.${site}`));

/** Who hosts the videos at an address; null when it is none of those we know. */
export function videoProviderOf(url: string): VideoProvider | null {
  const host = new URL(url).hostname;
  const site = Object.keys(videoHosts).find((known) => isHostOf(host, [known]));
  return site === undefined ? null : (videoHosts[site] ?? null);
}

/** What a source is when nobody says so: told by the host of its address, or by the feed that it names. */
export function detectSourceType(url: string, metadata: Readonly<Record<string, unknown>>): SourceType {
  const host = new URL(url).hostname;
  if (host === 'github.com' || host === 'www.github.com') return 'github';
  if (typeof metadata.feedUrl === 'string') return 'feed';
  if (isHostOf(host, storeHosts)) return 'appstore';
  if (videoProviderOf(url) !== null) return 'video';
  return 'scrape';
}
