import type { NewEvent } from '../../../src/kernel/event.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { newEvents, testId } from '../../spec/events/events.ts';

export const eventsPerAppend = 3;

/** One append: its events name the command that made them, so that half of one can be told. */
function commandEvents(): NewEvent[] {
  const commandId = testId();
  return newEvents(eventsPerAppend).map((event) => ({ ...event, metadata: { ...event.metadata, commandId } }));
}

/** Single appends and batches, several at once; each id is told after its append was acknowledged, never before. */
export async function appendForever(store: EventStore, tell: (acknowledgedId: string) => void): Promise<never> {
  const write = async (lane: number): Promise<never> => {
    for (let round = 0; ; round++) {
      const appends = Array.from({ length: lane }, (_, index) => ({
        stream: `org-${lane}-${index}`,
        expectedVersion: round * eventsPerAppend,
        events: commandEvents(),
      }));
      const [first] = appends;
      const outcomes = lane === 1 && first ? [await store.append(first)] : await store.appendMany(appends);
      if (outcomes.some(({ outcome }) => outcome !== 'appended')) throw new Error('An append met a conflict.');
      for (const { events } of appends) for (const { id } of events) tell(id);
    }
  };
  return Promise.race([write(1), write(2), write(5)]);
}
