import { streamPages } from '../../concurrency/stream-pages.ts';
import { payloadText } from '../../delivery/payload.ts';
import { isAnnouncement } from '../../domain/release/is-announcement.ts';
import { seqOf } from '../../kernel/event.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';

export type Announcement =
  | {
      readonly kind: 'found';
      /** The bytes that are signed and sent. */
      readonly text: string;
    }
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' };

export interface Announcements {
  readonly get: (releaseId: string, eventId: string) => Promise<Announcement>;
}

/** One announcement goes to many webhooks at about the same time. */
const keptMax = 1_000;
/** What was erased meanwhile may be sent for that long. */
const keptMs = 10_000;

interface Kept {
  readonly announcement: Promise<Announcement>;
  readonly untilMs: number;
}

/** Reads what is to be sent from the stream of the release, which is the truth and knows of an erasure first. */
export function createAnnouncements({
  store,
  clock,
}: {
  readonly store: Pick<EventStore, 'read'>;
  readonly clock: Clock;
}): Announcements {
  const kept = new Map<string, Kept>(); // the least recently used first

  async function read(releaseId: string, eventId: string): Promise<Announcement> {
    let announcement: Announcement = { kind: 'unknown' };
    for await (const { events, isBeginning } of streamPages(store, streamOf('release', releaseId))) {
      if (isBeginning) announcement = { kind: 'unknown' };
      // The text may still be there for a moment after it was erased.
      if (events.some(({ type }) => type === 'ReleaseErased.v1')) return { kind: 'erased' };
      const event = events.filter(isAnnouncement).find(({ data }) => data.eventId === eventId);
      if (event !== undefined) announcement = { kind: 'found', text: payloadText(event.data, seqOf(event)) };
    }
    return announcement;
  }

  const makeRoom = (): void => {
    for (const eldest of kept.keys()) {
      if (kept.size < keptMax) return;
      kept.delete(eldest);
    }
  };

  return {
    get: async (releaseId, eventId) => {
      const key = `${releaseId} ${eventId}`;
      const known = kept.get(key);
      kept.delete(key);
      const isFresh = known !== undefined && known.untilMs > clock.nowMs();
      const own = isFresh ? known : { announcement: read(releaseId, eventId), untilMs: clock.nowMs() + keptMs };
      makeRoom();
      kept.set(key, own);
      const forget = (): void => {
        if (kept.get(key) === own) kept.delete(key);
      };
      try {
        const announcement = await own.announcement;
        if (announcement.kind !== 'found') forget();
        return announcement;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
