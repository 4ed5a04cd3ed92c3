import type { EventBatch, ReadAllOptions, SubscribeOptions, Subscription } from '../../../ports/event-store.ts';
import type { EventFollower } from '../sqlite/file-follower.ts';

export interface SubscriptionSource {
  readonly readAll: (options: ReadAllOptions) => Promise<EventBatch>;
  readonly follower: EventFollower;
  /** Rises when the file was opened anew. */
  readonly connection: () => number;
}

/** Catch-up and live are the same loop: read what is there, else wait until there is more. */
export function startSubscription(source: SubscriptionSource, options: SubscribeOptions): Subscription {
  const { batchSize, onBatch, onDrop } = options;
  const filter = options.types === undefined ? {} : { types: options.types };
  const stop = new AbortController();

  const follow = async (): Promise<void> => {
    let afterPosition = options.afterPosition;
    let connection = source.connection();
    while (!stop.signal.aborted) {
      const mark = source.follower.mark();
      const batch = await source.readAll({ afterPosition, limit: batchSize, ...filter });
      if (connection !== source.connection()) {
        connection = source.connection();
        onDrop?.(new Error('The event file was opened anew.'));
      }
      if (stop.signal.aborted) return;
      if (batch.position > afterPosition) {
        await onBatch(batch);
        afterPosition = batch.position;
      } else {
        await source.follower.changedSince(mark, stop.signal);
      }
    }
  };

  const done = follow();
  return {
    done,
    close: async () => {
      stop.abort();
      await Promise.allSettled([done]); // how it ended is told by `done`
    },
  };
}
