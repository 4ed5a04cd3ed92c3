import { setMaxListeners } from 'node:events';
import type { EventCodec } from '../../kernel/event-codec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore, Subscription } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { encodeAppend, encodeAppends } from '../encode-append.ts';
import { createAllEvents } from './all-events.ts';
import { createAppends } from './appends.ts';
import { createAppendSender } from './append-sender.ts';
import { openClient } from './client.ts';
import { readConnectionString } from './connection-string.ts';
import { watchLeader } from './leader-watch.ts';
import { createServerCalls } from './server-calls.ts';
import { createStreamSlices } from './stream-slices.ts';
import { createStreamVersions } from './stream-versions.ts';
import { startSubscription } from './subscription.ts';
import { createTruncation } from './truncation.ts';

export interface EventStoreDbEventStoreOptions {
  /** `esdb://user:password@host:2113?tls=true`, or `esdb+discover://` for a cluster. */
  readonly url: string;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** For each try of a call; a long read may take this long between two events. */
  readonly timeoutMs?: number;
}

function requireCount(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${name} cannot be ${value}.`);
}

/** Waits for all of them before it fails with the first failure. */
async function all<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Connects with the first call, so that the server need not be there yet. */
export async function createEventStoreDbEventStore(options: EventStoreDbEventStoreOptions): Promise<EventStore> {
  const { codec, clock, random, log, timeoutMs = 10_000 } = options;
  const settings = readConnectionString(options.url, timeoutMs);
  const open = openClient(settings.url);
  const { call, connection, onMoved } = open;
  const sender = createAppendSender({ open, settings, timeoutMs, log });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // one for each call that waits for its next try
  const tries = { clock, random, stop: stop.signal };
  const calls = createServerCalls({ call, send: sender.send, timeoutMs, tries });
  const versions = createStreamVersions(calls, random);
  const { readAll, head, seen } = createAllEvents(calls, codec);
  const append = createAppends({ calls, versions, head });
  const slice = createStreamSlices(calls, versions, codec);
  const truncate = createTruncation(calls, versions, random);
  const subscriptions = new Set<Subscription>();
  const underWay = new Set<Promise<unknown>>();
  let { isCluster } = settings;
  let watching: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (stop.signal.aborted) throw new Error('The event store is closed.');
  };
  /** Closing lets what was begun come to its end, which its time-outs bound. */
  const begin = <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  };

  const watchIfNeeded = (): void => {
    if (isCluster && subscriptions.size > 0)
      watching ??= watchLeader({ ...tries, log, askLeader: () => begin(head()) });
  };
  // Whoever is sent to another node has a cluster before it, though the address may name one node only.
  onMoved(() => {
    isCluster = true;
    watchIfNeeded();
  });

  const close = async (): Promise<void> => {
    stop.abort();
    await Promise.all([...subscriptions].map((subscription) => subscription.close()));
    await Promise.allSettled(underWay);
    await watching;
    sender.close();
    await open.close();
  };

  return {
    append: async (one) => {
      requireOpen();
      return begin(append(encodeAppend(codec, one)));
    },
    appendMany: async (appends) => {
      requireOpen();
      return begin(all(encodeAppends(codec, appends).map(append)));
    },
    read: async (stream, readOptions) => {
      requireOpen();
      if (readOptions?.fromVersion !== undefined) requireCount('fromVersion', readOptions.fromVersion, 0);
      if (readOptions?.limit !== undefined) requireCount('limit', readOptions.limit, 1);
      return begin(slice(stream, readOptions));
    },
    readMany: async (streams, readOptions) => {
      requireOpen();
      if (readOptions?.limit !== undefined) requireCount('limit', readOptions.limit, 1);
      return begin(all(streams.map((stream) => slice(stream, readOptions))));
    },
    readAll: async (readOptions) => {
      requireOpen();
      requireCount('afterPosition', readOptions.afterPosition, 0);
      requireCount('limit', readOptions.limit, 1);
      return begin(readAll(readOptions));
    },
    subscribe: (subscribeOptions) => {
      requireOpen();
      const deps = { call, connection, onMoved, codec, clock, random, log, timeoutMs, seen };
      const subscription = startSubscription(deps, subscribeOptions);
      const forget = () => subscriptions.delete(subscription);
      subscriptions.add(subscription);
      watchIfNeeded();
      subscription.done.then(forget, forget);
      return subscription;
    },
    truncate: async (stream, beforeVersion) => {
      requireOpen();
      requireCount('beforeVersion', beforeVersion, 1);
      await begin(truncate(stream, beforeVersion));
    },
    truncateMany: async (truncations) => {
      requireOpen();
      for (const { beforeVersion } of truncations) requireCount('beforeVersion', beforeVersion, 1);
      await begin(all(truncations.map(({ stream, beforeVersion }) => truncate(stream, beforeVersion))));
    },
    head: async () => {
      requireOpen();
      return begin(head());
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
