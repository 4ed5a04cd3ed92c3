import { randomUUID } from 'node:crypto';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { allStart } from './all-start.ts';
import { type EventFilter, readFilter } from './event-filter.ts';
import { faultStatus } from '../faults.ts';
import { streamDeleted } from '../grpc-failure.ts';
import type { Outlet } from './outlet.ts';
import { streamNameOf } from './proposed-message.ts';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  fellBehindMessage,
} from './read-message.ts';
import type { FailureStatus } from '../standin-command.ts';
import type { StandinParts } from '../standin-parts.ts';
import { deletedRevision, type StoredEvent } from '../log/stored-event.ts';
import { firstVisible, isSoftDeleted } from '../log/stream-state.ts';

/** A live reader with more than this many events before it has fallen behind and catches up again. */
const liveBufferEvents = 32;

/** The next event behind the cursor, which it moves; nothing at the end. */
interface Source {
  readonly next: () => StoredEvent | undefined;
  readonly behind: () => number;
  /** A stream that is not there cannot be caught up with, unless only its future was asked for. */
  readonly isThere: () => boolean;
}

/** Confirmation, stored events, caught-up, live events: from one cursor, so without gap or repeat. */
export async function subscribe(parts: StandinParts, options: ReadReq.Options, outlet: Outlet): Promise<void> {
  const { log, faults, calls, subscriptionEnds } = parts;
  const stream = options.hasAll() ? '$all' : streamNameOf(options.getStream());
  const source = options.hasAll() ? allSource(parts, options) : streamSource(parts, stream, options);
  const filterOptions = options.getFilter();
  const filter: EventFilter | undefined = filterOptions && readFilter(filterOptions);
  const asText = options.getUuidOption()?.hasString() ?? false;
  const record = calls.subscription(randomUUID(), stream);
  const fault = faults.take('end-subscriptions');
  const endWith = (status: FailureStatus | 'OK'): void => outlet.end(status === 'OK' ? undefined : faultStatus(status));
  subscriptionEnds.add(endWith);

  let wake = (): void => undefined;
  const unlisten = log.onCommit(() => wake());
  outlet.onOver(() => {
    record.open = false;
    subscriptionEnds.delete(endWith);
    unlisten();
    wake();
  });

  await outlet.write(confirmationMessage(record.id));
  let live = false;
  let considered = 0;
  while (!outlet.isOver()) {
    if (fault && record.eventsWritten >= (fault.afterEvents ?? 0)) return endWith(fault.status ?? 'OK');
    if (live && source.behind() > liveBufferEvents) {
      live = false;
      await outlet.write(fellBehindMessage());
    }
    const event = source.next();
    if (!event) {
      if (!live && source.isThere()) {
        live = true;
        await outlet.write(caughtUpMessage());
      }
      if (source.behind() === 0 && !outlet.isOver()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      continue;
    }
    if (event.revision === deletedRevision && stream !== '$all') return outlet.end(streamDeleted(stream));
    if (!filter || filter.accepts(event)) {
      record.eventsWritten += 1;
      await outlet.write(eventMessage(event, asText));
    }
    considered += 1;
    if (filter && considered % filter.checkpointEvery === 0 && !outlet.isOver()) {
      record.checkpointsWritten += 1;
      await outlet.write(checkpointMessage(event.position));
    }
  }
}

function allSource({ log }: StandinParts, options: ReadReq.Options): Source {
  let cursor = allStart(log, options);
  const position = BigInt(options.getAll()?.getPosition()?.getCommitPosition() ?? 0);
  if (position > 0n && cursor < log.length()) cursor += 1; // exclusive
  return {
    next: () => {
      while (cursor < log.length()) {
        const event = log.at(cursor);
        cursor += 1;
        if (event) return event;
      }
      return undefined;
    },
    behind: () => log.length() - cursor,
    isThere: () => true,
  };
}

function streamSource({ log }: StandinParts, name: string, options: ReadReq.Options): Source {
  const from = options.getStream();
  const events = (): number => log.stream(name)?.events.length ?? 0;
  let cursor = 0;
  if (from?.hasEnd()) cursor = events();
  if (from?.hasRevision()) cursor = Number(from.getRevision()) + 1;
  return {
    next: () => {
      const state = log.stream(name);
      if (state?.tombstoned) return { ...tombstone, stream: name };
      if (state) cursor = Math.max(cursor, firstVisible(state));
      while (cursor < events()) {
        const event = state?.events[cursor];
        cursor += 1;
        if (event) return event;
      }
      return undefined;
    },
    behind: () => (log.stream(name)?.tombstoned ? 1 : Math.max(0, events() - cursor)),
    isThere: () => {
      const state = log.stream(name);
      return from?.hasEnd() === true || (state !== undefined && state.events.length > 0 && !isSoftDeleted(state));
    },
  };
}

const tombstone: StoredEvent = {
  id: '',
  type: '$streamDeleted',
  isJson: true,
  data: new Uint8Array(),
  metadata: new Uint8Array(),
  stream: '',
  revision: deletedRevision,
  position: 0n,
  createdMs: 0,
};
