import type { RecordedEvent } from '../../../src/kernel/event.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';

/** All events after a position, in chunks, as a catching-up reader sees them. */
export async function everyEvent(
  store: EventStore,
  { afterPosition = 0, types }: { afterPosition?: number; types?: readonly string[] } = {},
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const head = await store.head();
  let position = afterPosition;
  while (position < head) {
    const batch = await store.readAll({ afterPosition: position, limit: 100, ...(types && { types }) });
    if (batch.position <= position) throw new Error(`Stuck at position ${position} before the head ${head}`);
    events.push(...batch.events);
    position = batch.position;
  }
  return events;
}

export const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map((event) => event.id);
