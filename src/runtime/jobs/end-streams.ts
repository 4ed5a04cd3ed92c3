import type { DomainEvent, EventMetadata } from '../../kernel/event.ts';
import type { EventStore, Truncation } from '../../ports/event-store.ts';
import { newEvents } from '../commands/new-events.ts';

export interface StreamEnd {
  readonly stream: string;
  /** Takes the place of what the stream holds, and holds no text itself. */
  readonly event: DomainEvent;
  /** Of what made it end: as part of that it is recorded. */
  readonly metadata: EventMetadata;
}

/**
 * Leaves of each stream only the event that ends it. That is written once, however often this is repeated, and also where
 * nothing is yet: whoever is about to store a text there finds it and leaves off. Answers the position of the last one.
 */
export async function endStreams(store: EventStore, ends: readonly StreamEnd[]): Promise<number> {
  const truncations: Truncation[] = [];
  let position = 0;
  let waiting = ends;
  while (waiting.length > 0) {
    const names = waiting.map(({ stream }) => stream);
    const slices = await store.readMany(names, { direction: 'backwards', limit: 1 });
    const open: { readonly end: StreamEnd; readonly expectedVersion: number }[] = [];
    for (const [index, end] of waiting.entries()) {
      const { stream, version, events } = slices[index]!;
      const [last] = events;
      if (last?.type === end.event.type) {
        truncations.push({ stream, beforeVersion: version });
        position = Math.max(position, last.position);
      } else open.push({ end, expectedVersion: version });
    }
    const appends = open.map(({ end: { stream, event, metadata }, expectedVersion }) => {
      const target = { stream, expectedVersion };
      return { ...target, events: newEvents([event], target, metadata, metadata.recordedAt) };
    });
    if (appends.length > 0) await store.appendMany(appends);
    // Looked at once more: what somebody else has stored behind the version that was seen must go, too.
    waiting = open.map(({ end }) => end);
  }
  await store.truncateMany(truncations);
  return position;
}
