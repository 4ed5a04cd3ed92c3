import { createHash } from 'node:crypto';
import type { CacheClass } from './route.ts';

/** max-age and stale-while-revalidate in seconds (contract 16.5). */
const seconds: Readonly<Record<Exclude<CacheClass, 'none'>, readonly [number, number]>> = {
  entity: [60, 30],
  activity: [120, 60],
  search: [30, 30],
  slow: [300, 60],
  document: [3600, 300],
};

export const cacheControlOf = (cache: CacheClass, hasCredential: boolean): string => {
  if (cache === 'none' || hasCredential) return 'private, no-store';
  const [maxAge, stale] = seconds[cache];
  return `public, max-age=${maxAge}, stale-while-revalidate=${stale}`;
};

/** Strong: the same bytes, the same tag. */
export const etagOf = (bytes: Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** A tag of a compressed answer names the same content. */
const plainTag = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-(gzip|br)"$/, '"');

export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => plainTag(tag) === etag));
