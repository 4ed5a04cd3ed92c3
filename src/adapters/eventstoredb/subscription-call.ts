import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { batchBytesMax } from '../../ports/event-store.ts';
import { TimedOut } from '../within-time.ts';
import type { Connection, OpenClient } from './client.ts';
import type { ReadAnswer, ServerEvent } from './wire/read-answer.ts';
import { startRead } from './wire/streams-calls.ts';

/** The client has gone to another node, which leads now; the one that the subscription is at may be behind. */
class LeaderChanged extends Error {
  readonly type = 'cancelled';

  constructor() {
    super('EventStoreDB has another leader now.');
    this.name = 'LeaderChanged';
  }
}

/** The server may end a subscription without an error. */
class SubscriptionEnded extends Error {
  readonly type = 'cancelled';

  constructor() {
    super('EventStoreDB ended the subscription.');
    this.name = 'SubscriptionEnded';
  }
}

export interface SubscriptionCall {
  /** The next event that has come; undefined when there is none now. */
  readonly take: () => ServerEvent | undefined;
  /** Resolves when there is something to take or it was stopped; rejects when no more will come. */
  readonly next: () => Promise<void>;
  /** Waits for more, until there is as much as is held ready; false when there is no use in waiting longer. */
  readonly fill: (ms: number) => Promise<boolean>;
  readonly close: () => void;
}

export interface SubscriptionCallOptions {
  readonly request: ReadReq;
  readonly confirmTimeoutMs: number;
  readonly stop: AbortSignal;
  /** So many events are held ready, or `batchBytesMax` bytes; the server is slowed down when they are not taken. */
  readonly readyMax: number;
}

/** One call that follows the events, until it is closed or fails. */
export function startSubscriptionCall(
  open: Pick<OpenClient, 'call' | 'connection' | 'onMoved'>,
  { request, confirmTimeoutMs, stop, readyMax }: SubscriptionCallOptions,
): SubscriptionCall {
  let ready: ServerEvent[] = [];
  let taken = 0;
  let bytes = 0;
  let failure: unknown;
  let isClosed = false;
  let wake = (): void => {};
  let wakeWhenFull = (): void => {};
  let resume = (): void => {};
  let cancel = (): void => {};

  const isOver = (): boolean => failure !== undefined || stop.aborted;
  const isFull = (): boolean => ready.length >= readyMax || bytes >= batchBytesMax;
  const wakeAll = (): void => {
    wake();
    wakeWhenFull();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    wakeAll();
  };
  // The call has no deadline: a server that takes it and never confirms would be waited for until the end.
  const timer = setTimeout(
    () => fail(new TimedOut({ server: 'EventStoreDB', what: 'subscribe', timeoutMs: confirmTimeoutMs })),
    confirmTimeoutMs,
  );
  stop.addEventListener('abort', wakeAll);

  const read = (connection: Connection): Promise<void> =>
    new Promise((over, failed) => {
      if (isClosed) return over();
      const source = startRead(connection, request);
      const onAnswer = (answer: ReadAnswer): void => {
        if (answer.kind === 'confirmed') clearTimeout(timer);
        if (answer.kind !== 'event') return;
        ready.push(answer);
        bytes += answer.data.length;
        wake();
        if (!isFull()) return;
        source.pause();
        wakeWhenFull();
      };
      resume = () => source.resume();
      cancel = () => source.cancel();
      source.on('error', (error) => (isClosed ? over() : failed(error)));
      source.on('end', over);
      source.on('data', onAnswer);
    });
  open.call(read).then(() => fail(new SubscriptionEnded()), fail);

  const askedOver = open.connection(); // the call above may have begun it
  // Confirmed or not: a node that led when it was asked may confirm later. One that has itself moved the client stays.
  const offMoved = open.onMoved((movedTo) => {
    if (movedTo > askedOver) fail(new LeaderChanged());
  });

  return {
    take: () => {
      const event = ready[taken];
      if (event === undefined) return undefined;
      taken += 1;
      if (taken === ready.length) {
        ready = [];
        taken = 0;
        bytes = 0;
        resume();
      }
      return event;
    },
    next: async () => {
      while (ready.length === 0 && !isOver()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      // What came before the failure is still taken.
      if (ready.length === 0 && !stop.aborted) throw failure;
    },
    fill: async (ms) => {
      if (!isFull() && !isOver()) {
        let waiting: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wakeWhenFull = resolve;
          waiting = setTimeout(resolve, ms);
        });
        clearTimeout(waiting);
        await nextTurn(); // when this thread was held up, what has come meanwhile is taken in before
      }
      return !isOver();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      offMoved();
      stop.removeEventListener('abort', wakeAll);
      cancel();
    },
  };
}
