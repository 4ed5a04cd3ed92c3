import type { RecordedEvent } from '../../../src/kernel/event.ts';
import type { EventStore, SubscribeOptions, Subscription } from '../../../src/ports/event-store.ts';

export interface Followed {
  readonly subscription: Subscription;
  readonly events: RecordedEvent[];
  /** The position of each batch. */
  readonly positions: number[];
  readonly batchSizes: number[];
  /** The highest number of handlers that ran at once. */
  readonly atOnceMax: () => number;
}

/** A subscription that writes down what its handler saw. */
export function follow(
  store: EventStore,
  options: Partial<SubscribeOptions> & { readonly during?: () => Promise<void> } = {},
): Followed {
  const { during, ...others } = options;
  const events: RecordedEvent[] = [];
  const positions: number[] = [];
  const batchSizes: number[] = [];
  let running = 0;
  let atOnce = 0;
  const subscription = store.subscribe({
    afterPosition: 0,
    batchSize: 10,
    onBatch: async (batch) => {
      running += 1;
      atOnce = Math.max(atOnce, running);
      await new Promise((resolve) => setImmediate(resolve));
      await during?.();
      events.push(...batch.events);
      positions.push(batch.position);
      batchSizes.push(batch.events.length);
      running -= 1;
    },
    ...others,
  });
  return { subscription, events, positions, batchSizes, atOnceMax: () => atOnce };
}

/** A door that a handler waits at until the test opens it. */
export function createGate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}
