import type { Subscription } from '../../ports/event-store.ts';

/**
 * Runs a subscription beside the watch over it. When one of them ends, for whatever reason, so does the other: nobody
 * goes on writing without a watch, and none is left behind. Throws what ended them, if it was a failure.
 */
export async function followWhile(
  subscription: Subscription,
  watch: (over: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const watching = watch(AbortSignal.any([stop, ended.signal])).finally(() => subscription.close());
  try {
    await Promise.all([subscription.done.finally(() => ended.abort()), watching]);
  } finally {
    ended.abort();
    await Promise.allSettled([subscription.close(), watching]);
  }
}
