import type { RecordedEvent } from '../../kernel/event.ts';
import type { EventCodec } from '../../kernel/event-codec.ts';
import { batchBytesMax, type EventBatch, type ReadAllOptions } from '../../ports/event-store.ts';
import type { ServerCalls } from './server-calls.ts';
import { isSystemEvent, positionOf, storedEvent } from './stored-event.ts';
import type { ServerEvent } from './wire/read-answer.ts';
import { allRequest } from './wire/read-request.ts';

export interface AllEvents {
  readonly readAll: (options: ReadAllOptions) => Promise<EventBatch>;
  readonly head: () => Promise<number>;
  /** Somebody has seen an event there: the head is never before it again. */
  readonly seen: (position: number) => void;
}

/** Events of one call. */
const pageMin = 32;
const pageMax = 1000;

/** The order of all events, without the server's own. */
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
    const take = (event: ServerEvent): boolean => {
      const at = positionOf(event);
      if (at <= last) return true; // the answer begins with the event at the position
      last = at;
      if (isSystemEvent(event)) return true;
      position = at;
      if (wanted && !wanted.has(event.type)) return true;
      events.push(codec.decode(storedEvent(event)));
      bytes += event.data.length;
      return !isFull();
    };
    for (let isEnd = false; !isEnd && !isFull(); ) {
      const page = wanted ? pageMax : Math.min(pageMax, Math.max(pageMin, limit - events.length + 1));
      const ask = () => allRequest({ limit: page, ...(last > 0 && { from: last }) });
      isEnd = ((await calls.read('read all events', ask, take)) ?? 0) < page;
    }
    seen(position);
    return { events, position };
  };

  const head = async (): Promise<number> => {
    let lowest = Number.POSITIVE_INFINITY;
    for (let page = pageMin; ; page = Math.min(pageMax, page * 4)) {
      let found = false;
      const count = await calls.readNow(
        'read the last events',
        () => allRequest({ backwards: true, limit: page, ...(Number.isFinite(lowest) && { from: lowest }) }),
        (event) => {
          const at = positionOf(event);
          if (at >= lowest) return true;
          lowest = at;
          found = !isSystemEvent(event);
          if (found) seen(at);
          return !found && at > known;
        },
      );
      if (found || (count ?? 0) < page || lowest <= known) return known;
    }
  };

  return { readAll, head, seen };
}
