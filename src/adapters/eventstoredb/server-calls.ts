import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Call } from './client.ts';
import { readEvents } from './read-events.ts';
import { type Tries, tryAgain } from './try-again.ts';
import type { AppendSuccess } from './wire/batch-append-answer.ts';
import type { ProposedAppend } from './wire/batch-append-request.ts';
import type { ServerEvent } from './wire/read-answer.ts';
import { type Page, streamRequest } from './wire/read-request.ts';

/** One try, with a bound in time. */
export type SendAppend = (append: ProposedAppend) => Promise<AppendSuccess>;

export interface ServerCalls {
  /** Tried again with the same ids at the same revision, which the server takes for the same append. */
  readonly append: SendAppend;
  /**
   * How many events came; null when there is no such stream. Asked anew for a second try, so `take` must go on from what
   * it has seen, or begin again with `ask`.
   */
  readonly read: (what: string, ask: () => ReadReq, take: (event: ServerEvent) => boolean) => Promise<number | null>;
  /** The same without waiting for a turn, for the one question whether the server is well. */
  readonly readNow: ServerCalls['read'];
}

export interface ServerCallsOptions {
  readonly call: Call;
  readonly send: SendAppend;
  readonly timeoutMs: number;
  readonly tries: Tries;
}

/** A connection carries 100 calls: these leave room for 20 subscriptions. */
const appendsAtOnce = 64;
const readsAtOnce = 16;
const appendTriesMax = 3;
const readTriesMax = 2;
/** One call that hangs is tried again, a second one is not: the server hangs. */
const triesFactor = 1.5;

interface Turns {
  /** Runs work with at most so many at once; the others wait in line. */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Sends everybody away who waits in line. */
  readonly refuse: (reason: unknown) => void;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

function createTurns(atOnceMax: number): Turns {
  let waiting: Waiting[] = [];
  let running = 0;
  return {
    take: async (work) => {
      if (running < atOnceMax) running += 1;
      else await new Promise<void>((begin, refuse) => waiting.push({ begin, refuse })); // the turn is handed over
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next.begin();
      }
    },
    refuse: (reason) => {
      const refused = waiting;
      waiting = [];
      for (const { refuse } of refused) refuse(reason);
    },
  };
}

export function createServerCalls({ call, send, tries, timeoutMs }: ServerCallsOptions): ServerCalls {
  const appendTurns = createTurns(appendsAtOnce);
  const readTurns = createTurns(readsAtOnce);

  /** Who waits for a server that has just been found away would only find the same, one after another. */
  const orRefuseAll = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof BackendUnavailable) for (const turns of [appendTurns, readTurns]) turns.refuse(error);
      throw error;
    }
  };
  const readNow: ServerCalls['read'] = (what, ask, take) => {
    const max = { tries: readTriesMax, withinMs: triesFactor * timeoutMs };
    const read = () => readEvents(call, { what, request: ask(), timeoutMs }, take);
    return orRefuseAll(tryAgain(tries, max, what, read));
  };
  return {
    append: (proposed) => {
      const max = { tries: appendTriesMax, withinMs: triesFactor * timeoutMs };
      const append = () => tryAgain(tries, max, `append to ${proposed.stream}`, () => send(proposed));
      return appendTurns.take(() => orRefuseAll(append()));
    },
    read: (what, ask, take) => readTurns.take(() => readNow(what, ask, take)),
    readNow,
  };
}

/** What is there of a stream; null when the leader knows none of that name, or a deleted one: decisions are made on it. */
export async function readStream(calls: ServerCalls, stream: string, page: Page): Promise<ServerEvent[] | null> {
  let events: ServerEvent[] = [];
  const ask = (): ReadReq => {
    events = [];
    return streamRequest(stream, page);
  };
  const count = await calls.read(`read ${stream}`, ask, (event) => {
    events.push(event);
    return true;
  });
  return count === null ? null : events;
}
