import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AllStreamSubscription } from '@eventstore/db-client';
import { TimedOut } from '../within-time.ts';
import type { OpenClient } from './client.ts';

/** The client has gone to another node, which leads now; the one that the subscription is at may be behind. */
class LeaderChanged extends Error {
  readonly type = 'cancelled';

  constructor() {
    super('EventStoreDB has another leader now.');
    this.name = 'LeaderChanged';
  }
}

/** The server may end a subscription without an error. */
export class SubscriptionEnded extends Error {
  readonly type = 'cancelled';

  constructor() {
    super('EventStoreDB ended the subscription.');
    this.name = 'SubscriptionEnded';
  }
}

export interface SubscriptionSignals {
  /** Resolves when there may be something to read or it was stopped; rejects when no more will come. */
  readonly next: () => Promise<void>;
  /** The same for a bounded time; false when there is no use in waiting longer. */
  readonly within: (ms: number) => Promise<boolean>;
  readonly close: () => void;
}

export interface SubscriptionSignalsOptions {
  readonly confirmTimeoutMs: number;
  readonly stop: AbortSignal;
  /** Which the subscription was asked for over. */
  readonly connection: number;
  readonly onMoved: OpenClient['onMoved'];
}

/** Listens from the first moment: an error that nobody listens for would end the process. */
export function createSubscriptionSignals(
  source: AllStreamSubscription,
  { confirmTimeoutMs, stop, connection, onMoved }: SubscriptionSignalsOptions,
): SubscriptionSignals {
  let failure: unknown;
  let isReadable = false;
  let wake = (): void => {};
  const isOver = (): boolean => failure !== undefined || stop.aborted;
  const onReadable = (): void => {
    isReadable = true;
    wake();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };
  const onStop = (): void => wake();
  // The call has no deadline: a server that takes it and never confirms would be waited for until the end.
  const timer = setTimeout(
    () => fail(new TimedOut({ server: 'EventStoreDB', what: 'subscribe', timeoutMs: confirmTimeoutMs })),
    confirmTimeoutMs,
  );

  // Confirmed or not: a node that led when it was asked may confirm later. One that has itself moved the client stays.
  const offMoved = onMoved((movedTo) => {
    if (movedTo > connection) fail(new LeaderChanged());
  });
  source.on('error', fail);
  source.on('confirmation', () => clearTimeout(timer));
  source.on('readable', onReadable);
  source.on('end', () => fail(new SubscriptionEnded()));
  source.on('close', () => fail(new SubscriptionEnded()));
  stop.addEventListener('abort', onStop);

  return {
    next: async () => {
      while (!isReadable && !isOver()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isReadable = false;
      // What came before the failure is still read.
      if (isOver() && !stop.aborted && source.readableLength === 0) throw failure;
    },
    within: async (ms) => {
      if (!isReadable && !isOver()) {
        let lingering: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          lingering = setTimeout(resolve, ms);
        });
        clearTimeout(lingering);
        await nextTurn(); // when this thread was held up, what has come meanwhile is taken in before
      }
      isReadable = false;
      return !isOver();
    },
    close: () => {
      clearTimeout(timer);
      offMoved();
      stop.removeEventListener('abort', onStop);
    },
  };
}
