import type { RecordedEvent } from '../../kernel/event.ts';
import type { EventCodec } from '../../kernel/event-codec.ts';
import type { Log } from '../../ports/log.ts';
import { batchBytesMax, type SubscribeOptions, type Subscription } from '../../ports/event-store.ts';
import type { OpenClient } from './client.ts';
import { failureKind, portError } from './failure-kind.ts';
import { isSystemEvent, positionOf, storedEvent } from './stored-event.ts';
import { startSubscriptionCall, type SubscriptionCall } from './subscription-call.ts';
import { backOffMs, type Patience, type Tries } from './try-again.ts';
import { subscribeRequest } from './wire/read-request.ts';

export interface SubscriptionDeps extends Omit<Tries, 'stop'>, Pick<OpenClient, 'call' | 'connection' | 'onMoved'> {
  readonly codec: EventCodec;
  readonly log: Log | undefined;
  readonly timeoutMs: number;
  readonly seen: (position: number) => void;
}

/** A server that restarts takes seconds. */
const patience: Patience = { firstMs: 100, mostMs: 10_000 };

/** Events that are held ready while a batch is handled. */
const readyMax = 500;

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
  const { codec, clock, random, log, timeoutMs, seen } = deps;
  const { batchSize, onBatch, onDrop } = options;
  const wanted = options.types && new Set(codec.storedTypes(options.types));
  const stop = new AbortController();
  let processed = options.afterPosition;
  let failures = 0;

  const isFull = ({ events, bytes, passed }: Gathered): boolean =>
    events.length >= batchSize || bytes >= batchBytesMax || passed >= passedMax;

  /** What is there, without waiting for more. */
  const gather = (source: SubscriptionCall, gathered: Gathered): void => {
    while (!isFull(gathered)) {
      const event = source.take();
      if (event === undefined) return;
      if (isSystemEvent(event)) continue;
      const position = positionOf(event);
      if (position <= gathered.position) continue;
      gathered.position = position;
      gathered.passed += 1;
      if (wanted && !wanted.has(event.type)) continue;
      gathered.events.push(codec.decode(storedEvent(event)));
      gathered.bytes += event.data.length;
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
  const gatherAll = async (source: SubscriptionCall): Promise<Gathered> => {
    const gathered: Gathered = { events: [], bytes: 0, passed: 0, position: processed };
    gather(source, gathered);
    if (gathered.passed === 0) return gathered;
    const endMs = performance.now() + lingerMs;
    for (let leftMs = lingerMs; leftMs > 0 && !isFull(gathered); leftMs = endMs - performance.now()) {
      if (!(await source.fill(leftMs))) break;
      gather(source, gathered);
    }
    return gathered;
  };

  const follow = async (source: SubscriptionCall): Promise<void> => {
    while (!stop.signal.aborted) {
      const gathered = await gatherAll(source);
      if (stop.signal.aborted) return;
      if (gathered.passed > 0) await handle(gathered);
      else await source.next();
    }
  };

  const connect = async (): Promise<void> => {
    const source = startSubscriptionCall(deps, {
      request: subscribeRequest(processed),
      confirmTimeoutMs: timeoutMs,
      stop: stop.signal,
      readyMax: Math.min(batchSize, readyMax),
    });
    try {
      await follow(source);
    } finally {
      source.close();
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
