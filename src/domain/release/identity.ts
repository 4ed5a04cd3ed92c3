import { derivedId } from '../../kernel/ids.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

export interface ReleaseIdentity {
  readonly kind: 'url' | 'version' | 'title';
  readonly value: string;
}

export interface IdentifiedRelease {
  readonly url: string | null;
  /** Without placeholder words: `latest` is no identity. */
  readonly version: string | null;
  readonly title: string;
  /** A canonical timestamp; only its day counts. */
  readonly publishedAt: string | null;
}

const withoutTracking = (search: string): string => {
  if (!/[?&]utm_/i.test(search)) return search;
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !/^utm_/i.test(part));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
};

/** One spelling per address, or null for what is no web address. */
export const normalizeReleaseUrl = (text: string): string | null => {
  if (!isUrl(text)) return null;
  // URL lowers scheme and host and drops the default port; query and fragment stay as they are.
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const credentials = username === '' && password === '' ? '' : `${username}${password && `:${password}`}@`;
  return `${protocol}//${credentials}${host}${pathname.replace(/\/+$/, '')}${withoutTracking(search)}${hash}`;
};

const versionValue = (version: string): string =>
  version
    .trim()
    .toLowerCase()
    .replace(/(^|@)v(?=\d)/, '$1');

const titleValue = (title: string, publishedAt: string | null): string =>
  `${title.trim().toLowerCase().replace(/\s+/g, ' ')}\n${publishedAt?.slice(0, 10) ?? '-'}`;

/** The first that applies: its own address, its version, its title with the day. */
export const releaseIdentity = (release: IdentifiedRelease, sourceUrl: string | null): ReleaseIdentity => {
  const url = release.url === null ? null : normalizeReleaseUrl(release.url);
  // Every item of a single-page changelog carries the page's address: it tells none of them apart.
  if (url !== null && url !== (sourceUrl === null ? null : normalizeReleaseUrl(sourceUrl))) {
    return { kind: 'url', value: url };
  }
  const version = release.version === null ? '' : versionValue(release.version);
  if (version !== '') return { kind: 'version', value: version };
  return { kind: 'title', value: titleValue(release.title, release.publishedAt) };
};

export const releaseIdOf = (sourceId: string, identity: ReleaseIdentity): string =>
  derivedId('rel', sourceId, identity.kind, identity.value);
