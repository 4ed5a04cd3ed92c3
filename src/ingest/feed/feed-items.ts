import type { ReleaseItem } from '../../domain/release/fields.ts';
import type { Clock } from '../../ports/clock.ts';
import { olderLeftOut } from '../first-items.ts';
import type { FetchMemory, LeftOutEntry } from '../source-fetcher.ts';
import { entryAddresses, entryIdentity } from './entry-addresses.ts';
import { entryItem, entryName } from './entry-item.ts';
import type { FeedEntry } from './feed-entry.ts';
import type { ReadFeed } from './read-feed.ts';

/** All of them go in as one batch. */
const itemsMax = 500;
const bytesMax = 8_000_000;
const leftOutMax = 100;
/** Others get a turn in between: a long text takes long to be turned into Markdown. */
const busyMsMax = 10;

export interface FeedItems {
  readonly items: readonly ReleaseItem[];
  readonly leftOut: readonly LeftOutEntry[];
  /** Which addresses they were known by, for the next fetch. */
  readonly memory: FetchMemory;
}

const reasons = {
  empty: 'It has neither a title nor a text or date to make one of, or the registry does not take what it has.',
  repeated: 'The feed has it more than once.',
};

function newestOfEach(entries: readonly FeedEntry[]): { readonly once: FeedEntry[]; readonly repeated: FeedEntry[] } {
  const [once, repeated]: [Map<string, FeedEntry>, FeedEntry[]] = [new Map(), []];
  for (const entry of entries) {
    const identity = entryIdentity(entry);
    if (once.has(identity)) repeated.push(entry);
    else once.set(identity, entry);
  }
  return { once: [...once.values()], repeated };
}

function boundedList(leftOut: readonly LeftOutEntry[]): readonly LeftOutEntry[] {
  if (leftOut.length <= leftOutMax) return leftOut;
  const more = { entry: `${leftOut.length - leftOutMax} more`, reason: 'They were left out for the like reasons.' };
  return [...leftOut.slice(0, leftOutMax), more];
}

/** What the newest entries of a feed tell, as many as one batch takes, and which of them tell nothing. */
export async function feedItems(feed: ReadFeed, clock: Clock, remembered: FetchMemory): Promise<FeedItems> {
  const { once, repeated } = newestOfEach(feed.entries);
  const addresses = entryAddresses({ ...feed, entries: once }, remembered);
  const leftOut: LeftOutEntry[] = repeated.map((entry) => ({ entry: entryName(entry), reason: reasons.repeated }));
  if (feed.unreadable > 0)
    leftOut.push({ entry: `${feed.unreadable} items`, reason: 'They are something else than items.' });
  const items: ReleaseItem[] = [];
  let bytes = 0;
  let turnBeganMs = clock.nowMs();
  let lookedAt = 0;
  for (const entry of once) {
    if (items.length === itemsMax) break;
    const item = entryItem(entry, addresses.isOwn(entry));
    if (item === null) leftOut.push({ entry: entryName(entry), reason: reasons.empty });
    else {
      bytes += Buffer.byteLength(item.title) + Buffer.byteLength(item.content ?? '');
      if (bytes > bytesMax && items.length > 0) break;
      items.push(item);
    }
    lookedAt += 1;
    if (clock.nowMs() - turnBeganMs < busyMsMax) continue;
    await clock.sleep(0);
    turnBeganMs = clock.nowMs();
  }
  // First, as whoever tells of them tells of the first.
  const older = olderLeftOut(once.length - lookedAt + feed.olderCount);
  return { items, leftOut: [...older, ...boundedList(leftOut)], memory: addresses.memory };
}
