import { createHash } from 'node:crypto';
import type { FetchMemory } from '../source-fetcher.ts';
import type { FeedEntry } from './feed-entry.ts';
import type { ReadFeed } from './read-feed.ts';

/** As many as go into one batch, 12 characters each. */
const rememberedMax = 500;
const hashChars = 11;

/** The same guid is the same entry; without one, the same address and title. */
export const entryIdentity = ({ guid, address, title, publishedAt }: FeedEntry): string =>
  guid === null ? JSON.stringify([address, title?.value.trim(), publishedAt]) : JSON.stringify(guid);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, hashChars);
const ownershipOf = (entry: FeedEntry): string => hashOf(`${entry.address}\n${entryIdentity(entry)}`);

const hashesIn = (value: FetchMemory[string] | undefined): string[] =>
  typeof value === 'string' && value !== '' ? value.split(' ') : [];

const joined = (now: readonly string[], before: Iterable<string>): string =>
  [...new Set([...now, ...before])].slice(0, rememberedMax).join(' ');

export interface EntryAddresses {
  /** Whether an entry's address is its alone, and so tells it from all others. */
  readonly isOwn: (entry: FeedEntry) => boolean;
  /** For the next fetch. */
  readonly memory: FetchMemory;
}

/**
 * An address that several entries have, or the page of the feed itself, tells none of them from another. But an address is
 * what a release is known by: an entry that was stored with one keeps it when others come to share it, and one that was
 * stored without does not get it when it is the last that has it.
 */
export function entryAddresses(
  { entries, pageAddress }: Pick<ReadFeed, 'entries' | 'pageAddress'>,
  { ownAddresses, sharedAddresses }: FetchMemory,
): EntryAddresses {
  const owned = new Set(hashesIn(ownAddresses));
  const sharedBefore = new Set(hashesIn(sharedAddresses));
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const { address } of entries) {
    if (address === null) continue;
    if (seen.has(address)) shared.add(address);
    seen.add(address);
  }
  const isOwn = (entry: FeedEntry): boolean => {
    const { address } = entry;
    if (address === null) return false;
    if (owned.has(ownershipOf(entry))) return true;
    return address !== pageAddress && !shared.has(address) && !sharedBefore.has(hashOf(address));
  };
  const memory = {
    ownAddresses: joined(entries.filter(isOwn).map(ownershipOf), owned),
    sharedAddresses: joined([...shared].map(hashOf), sharedBefore),
  };
  return { isOwn, memory };
}
