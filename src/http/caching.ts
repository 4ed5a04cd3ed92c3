import { hash } from 'node:crypto';
import type { CacheClass, LastModified } from './route.ts';

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

export const keptMsOf = (cache: CacheClass): number => (cache === 'none' ? 0 : seconds[cache][0] * 1_000);

/** Strong: the same bytes, the same tag. */
export const etagOf = (bytes: Uint8Array): string => `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;

/** A tag of a compressed answer names the same content. */
const plainTag = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-(gzip|br)"$/, '"');

export const namesTag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch === etag || ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => plainTag(tag) === etag);

export interface Validators {
  readonly etag: string;
  readonly lastModified: LastModified | undefined;
}

/** Headers as they were sent; '' when they were not. */
export interface Unless {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
}

/** Of a text whose own date is `updatedMs`, and which last became another one without it at `undatedMs`. */
export const lastModifiedOf = (updatedMs: number, undatedMs: number, nowMs: number): LastModified => {
  // A date ahead of our own clock is none to tell (RFC 9110, 8.8.2.1).
  const atMs = Math.min(updatedMs, nowMs);
  return { atMs, isProof: undatedMs <= atMs, changedMs: Math.max(undatedMs, updatedMs) };
};

/**
 * A change is seen a moment after it was recorded, here and in other processes, and for as long as an answer may be kept on the
 * way (contract 16.5): who had the feed within this time after a change may have had the one before it.
 */
const seenMs = 600_000;

/**
 * The date counts only without tags, and in whole seconds: it has no more. One that cannot be read says nothing. What was
 * taken down makes an answer as old as the rest of it, and it is another one all the same; where that was not the newest, the
 * date is the same as before, and proves nothing. A later date is when somebody had it: that proves it if all had seen the last
 * change by then, and none that has not come yet (RFC 9110, 13.1.3).
 */
const isSameSince = (sentMs: number, { atMs, isProof, changedMs }: LastModified, nowMs: () => number): boolean => {
  const datedMs = Math.floor(atMs / 1_000) * 1_000;
  return sentMs === datedMs ? isProof : sentMs > changedMs + seenMs && sentMs <= nowMs();
};

export const isUnchanged = (unless: Unless, { etag, lastModified }: Validators, nowMs: () => number): boolean => {
  if (unless.ifNoneMatch !== '') return namesTag(unless.ifNoneMatch, etag);
  return lastModified !== undefined && isSameSince(Date.parse(unless.ifModifiedSince), lastModified, nowMs);
};
