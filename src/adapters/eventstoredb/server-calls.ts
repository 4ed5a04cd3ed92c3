import type {
  AppendExpectedRevision,
  AppendResult,
  EventData,
  EventStoreDBClient,
  ReadStreamOptions,
  RecordedEvent,
} from '@eventstore/db-client';
import { failureKind } from './failure-kind.ts';
import { type ClientRead, readEvents } from './read-events.ts';
import { type Tries, tryAgain } from './try-again.ts';
import { createTurns } from './turns.ts';

/** One try, with a bound in time. */
export type SendAppend = (
  stream: string,
  events: EventData[],
  expectedRevision: AppendExpectedRevision,
) => Promise<AppendResult>;

export interface ServerCalls {
  /** Tried again with the same ids at the same revision, which the server takes for the same append. */
  readonly append: SendAppend;
  /** Opened anew for a second try, so `take` must go on from what it has seen, or begin again with `open`. */
  readonly read: (
    what: string,
    open: (client: EventStoreDBClient) => ClientRead,
    take: (event: RecordedEvent) => boolean,
  ) => Promise<number>;
}

export interface ServerCallsOptions {
  readonly client: EventStoreDBClient;
  readonly send: SendAppend;
  readonly appendsAtOnce: number;
  readonly timeoutMs: number;
  readonly tries: Tries;
}

/** A connection carries 100 calls: with 64 appends these leave room for 20 subscriptions. */
const readsAtOnce = 16;
const appendTriesMax = 3;
const readTriesMax = 2;

export function createServerCalls(options: ServerCallsOptions): ServerCalls {
  const { client, send, tries, timeoutMs } = options;
  const appendTurn = createTurns(options.appendsAtOnce);
  const readTurn = createTurns(readsAtOnce);
  return {
    append: (stream, events, expectedRevision) =>
      appendTurn(() =>
        tryAgain(tries, appendTriesMax, `append to ${stream}`, () => send(stream, events, expectedRevision)),
      ),
    read: (what, open, take) =>
      readTurn(() => tryAgain(tries, readTriesMax, what, () => readEvents(open(client), { what, timeoutMs }, take))),
  };
}

/** What is there of a stream; nothing when it is not there. */
export async function readStream(
  calls: ServerCalls,
  stream: string,
  options: ReadStreamOptions,
): Promise<RecordedEvent[]> {
  let events: RecordedEvent[] = [];
  try {
    await calls.read(
      `read ${stream}`,
      (client) => {
        events = [];
        return client.readStream(stream, options);
      },
      (event) => {
        events.push(event);
        return true;
      },
    );
  } catch (error) {
    if (failureKind(error) !== 'absent') throw error;
  }
  return events;
}
