import { type AllStreamSubscription, excludeSystemEvents, START } from '@eventstore/db-client';
import type { RecordedEvent } from '../../kernel/event.ts';
import type { EventCodec } from '../../kernel/event-codec.ts';
import type { Log } from '../../ports/log.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import { batchBytesMax, type SubscribeOptions, type Subscription } from '../../ports/event-store.ts';
import type { OpenClient } from './client.ts';
import { failureKind, portError } from './failure-kind.ts';
import { isSystemEvent, logPosition, positionOf, storedEvent } from './stored-event.ts';
import { createSubscriptionSignals, type SubscriptionSignals } from './subscription-signals.ts';
import { backOffMs, type Patience, type Tries } from './try-again.ts';

export interface SubscriptionDeps extends Omit<Tries, 'stop'>, Pick<OpenClient, 'client' | 'connection' | 'onMoved'> {
  readonly codec: EventCodec;
  readonly log: Log | undefined;
  readonly timeoutMs: number;
  readonly seen: (position: number) => void;
}

/** A server that restarts takes seconds. */
const patience: Patience = { firstMs: 100, mostMs: 10_000 };

/** Events that the client holds ready; the server is slowed down when they are not taken. */
const bufferedMax = 128;

/** How long the first event of a batch waits for those that were written with it. */
const lingerMs = 2;

/** Events of other types after which the handler is told the position all the same. */
const passedMax = 2000;

/** The handler's own error, which ends the subscription; the server's do not. */
class HandlerFailed extends Error {}

interface Gathered {
  readonly events: RecordedEvent[];
  bytes: number;
  passed: number;
  position: number;
}

/** Resumes after the last position that the handler is done with, for ever, until it is closed. */
export function startSubscription(deps: SubscriptionDeps, options: SubscribeOptions): Subscription {
  const { client, connection, onMoved, codec, clock, random, log, timeoutMs, seen } = deps;
  const { batchSize, onBatch, onDrop } = options;
  const wanted = options.types && new Set(codec.storedTypes(options.types));
  const stop = new AbortController();
  let processed = options.afterPosition;
  let failures = 0;

  const isFull = ({ events, bytes, passed }: Gathered): boolean =>
    events.length >= batchSize || bytes >= batchBytesMax || passed >= passedMax;

  /** What is there, without waiting for more. */
  const gather = (source: AllStreamSubscription, gathered: Gathered): void => {
    while (!isFull(gathered)) {
      const resolved = source.read() as { event?: Parameters<typeof storedEvent>[0] } | null;
      if (resolved === null) return;
      const { event } = resolved;
      if (event === undefined || isSystemEvent(event)) continue;
      const position = positionOf(event.position);
      if (position <= gathered.position) continue;
      gathered.position = position;
      gathered.passed += 1;
      if (wanted && !wanted.has(event.type)) continue;
      gathered.events.push(codec.decode(storedEvent(event)));
      gathered.bytes += roughBytes(event.data);
    }
  };

  const handle = async ({ events, position }: Gathered): Promise<void> => {
    try {
      await onBatch({ events, position });
    } catch (error) {
      throw new HandlerFailed('', { cause: error });
    }
    processed = position;
    failures = 0;
    seen(position);
  };

  /** An append comes event by event: what was written together is handed over together, as far as it fits. */
  const gatherAll = async (source: AllStreamSubscription, signals: SubscriptionSignals): Promise<Gathered> => {
    const gathered: Gathered = { events: [], bytes: 0, passed: 0, position: processed };
    gather(source, gathered);
    if (gathered.passed === 0) return gathered;
    const endMs = performance.now() + lingerMs;
    for (let leftMs = lingerMs; leftMs > 0 && !isFull(gathered); leftMs = endMs - performance.now()) {
      if (!(await signals.within(leftMs))) break;
      gather(source, gathered);
    }
    return gathered;
  };

  const follow = async (source: AllStreamSubscription, signals: SubscriptionSignals): Promise<void> => {
    while (!stop.signal.aborted) {
      const gathered = await gatherAll(source, signals);
      if (stop.signal.aborted) return;
      if (gathered.passed > 0) await handle(gathered);
      else await signals.next();
    }
  };

  const connect = async (): Promise<void> => {
    const source = client.subscribeToAll(
      {
        fromPosition: processed === 0 ? START : logPosition(processed),
        filter: excludeSystemEvents(),
        requiresLeader: true, // another node may be cut off, and nothing would come
      },
      { highWaterMark: Math.min(batchSize, bufferedMax) },
    );
    const signals = createSubscriptionSignals(source, {
      confirmTimeoutMs: timeoutMs,
      stop: stop.signal,
      connection: connection(),
      onMoved,
    });
    try {
      await follow(source, signals);
    } finally {
      signals.close();
      source.unsubscribe().catch(() => undefined); // a call that was never made has failed with the reason of it
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const startedMs = clock.nowMs();
      try {
        await connect();
      } catch (error) {
        if (error instanceof HandlerFailed) throw error.cause;
        const kind = failureKind(error);
        if (kind !== 'unreachable' && kind !== 'unexplained') throw portError(error, 'subscribe');
        if (stop.signal.aborted) return;
        if (clock.nowMs() - startedMs > patience.mostMs) failures = 0; // it was well for a while
        failures += 1;
        log?.warn('A subscription to EventStoreDB was dropped and is resumed.', {
          position: processed,
          failures,
          error,
        });
        onDrop?.(error as Error);
        await clock.sleep(backOffMs(failures, patience, random), stop.signal);
      }
    }
  };

  const done = run();
  return {
    done,
    close: async () => {
      stop.abort();
      await Promise.allSettled([done]); // how it ended is told by `done`
    },
  };
}
