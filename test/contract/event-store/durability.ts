import { expect, it } from 'vitest';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { eventsPerAppend } from './append-forever.ts';
import { everyEvent } from './every-event.ts';
import type { EventStoreHarness } from './harness.ts';

function groupByCommand(events: readonly RecordedEvent[]): RecordedEvent[][] {
  const groups = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.metadata.commandId) ?? [];
    groups.set(event.metadata.commandId, [...group, event]);
  }
  return [...groups.values()];
}

/**
 * Up to the head as it stands. What the killed writer had sent may still be stored while this reads, so a last batch
 * may end inside an append behind that head.
 */
async function everyEventNow(store: EventStore): Promise<RecordedEvent[]> {
  const head = await store.head();
  return (await everyEvent(store)).filter((event) => event.position <= head);
}

export function specifyDurability(harness: EventStoreHarness): void {
  it.each([1, 50, 400])(
    'keeps every acknowledged event and no half append when a writer is killed after %i',
    async (least) => {
      const writer = await harness.spawnWriter();
      await eventually('the writer has written', () => writer.acknowledged().length >= least);
      await writer.kill();
      const store = await writer.reopen();
      const events = await everyEventNow(store);
      const stored = new Set(events.map((event) => event.id));
      expect(writer.acknowledged().filter((id) => !stored.has(id))).toEqual([]);
      for (const group of groupByCommand(events)) {
        expect(new Set(group.map((event) => event.stream.name)).size).toBe(1);
        expect(group).toHaveLength(eventsPerAppend);
      }

      const { stream } = events.at(-1) as RecordedEvent;
      await eventually('the stream goes on at the version that was read', async () => {
        const { version } = await store.read(stream.name);
        const outcome = await store.append({ stream: stream.name, expectedVersion: version, events: newEvents(1) });
        return outcome.outcome === 'appended' && outcome.version === version + 1;
      });
    },
  );
}
