import type { ConsumeOptions } from '../../ports/message-bus.ts';

export interface ConsumeLimits {
  readonly concurrency: number;
  readonly concurrencyPerKey: number;
}

/** The limits of a consumer, or an error that names what cannot be one. */
export function consumeLimits({ concurrency, concurrencyPerKey = 1, topics }: ConsumeOptions): ConsumeLimits {
  for (const [name, value] of Object.entries({ concurrency, concurrencyPerKey, topics: topics.length })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`A consumer cannot have ${value} ${name}.`);
  }
  return { concurrency, concurrencyPerKey };
}
