import {
  BACKWARDS,
  type RecordedEvent as ClientEvent,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ReadPosition,
  START,
} from '@eventstore/db-client';
import type { RecordedEvent } from '../../kernel/event.ts';
import type { EventCodec } from '../../kernel/event-codec.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import { batchBytesMax, type EventBatch, type ReadAllOptions } from '../../ports/event-store.ts';
import type { ServerCalls } from './server-calls.ts';
import { isSystemEvent, logPosition, positionOf, storedEvent } from './stored-event.ts';

export interface AllEvents {
  readonly readAll: (options: ReadAllOptions) => Promise<EventBatch>;
  readonly head: () => Promise<number>;
  /** Somebody has seen an event there: the head is never before it again. */
  readonly seen: (position: number) => void;
}

/** Events of one call. */
const pageMin = 32;
const pageMax = 1000;

/** The order of all events, without the server's own. The client's reads do not filter, so that is done here. */
export function createAllEvents(calls: ServerCalls, codec: EventCodec): AllEvents {
  let known = 0;
  const seen = (position: number): void => {
    known = Math.max(known, position);
  };

  const readAll = async ({ afterPosition, limit, types }: ReadAllOptions): Promise<EventBatch> => {
    const wanted = types && new Set(codec.storedTypes(types));
    const events: RecordedEvent[] = [];
    let position = afterPosition;
    let bytes = 0;
    let last = afterPosition; // of the server's own events too, so that any number of them in a row is passed
    const isFull = (): boolean => events.length >= limit || bytes >= batchBytesMax;
    const take = (event: ClientEvent): boolean => {
      const at = positionOf(event.position);
      if (at <= last) return true; // the answer begins with the event at the position
      last = at;
      if (isSystemEvent(event)) return true;
      position = at;
      if (wanted && !wanted.has(event.type)) return true;
      events.push(codec.decode(storedEvent(event)));
      bytes += roughBytes(event.data);
      return !isFull();
    };
    for (let isEnd = false; !isEnd && !isFull(); ) {
      const maxCount = wanted ? pageMax : Math.min(pageMax, Math.max(pageMin, limit - events.length + 1));
      const open = (client: EventStoreDBClient) =>
        client.readAll({
          direction: FORWARDS,
          fromPosition: last === 0 ? START : logPosition(last),
          maxCount,
          requiresLeader: true, // another node may be behind the head, and whoever reads up to it would read on and on
        });
      isEnd = (await calls.read('read all events', open, take)) < maxCount;
    }
    seen(position);
    return { events, position };
  };

  const head = async (): Promise<number> => {
    let from: ReadPosition = END;
    let lowest = Number.POSITIVE_INFINITY;
    for (let maxCount = pageMin; ; maxCount = Math.min(pageMax, maxCount * 4)) {
      let found = false;
      const count: number = await calls.readNow(
        'read the last events',
        (client) => client.readAll({ direction: BACKWARDS, fromPosition: from, maxCount, requiresLeader: true }),
        (event) => {
          const at = positionOf(event.position);
          if (at >= lowest) return true;
          lowest = at;
          from = event.position ?? from;
          found = !isSystemEvent(event);
          if (found) seen(at);
          return !found && at > known;
        },
      );
      if (found || count < maxCount || lowest <= known) return known;
    }
  };

  return { readAll, head, seen };
}
